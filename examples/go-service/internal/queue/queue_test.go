package queue

import "testing"

func TestNew(t *testing.T) {
	if got := len(New("ann").addresses); got != 1 {
		t.Errorf("got %d addresses, want 1", got)
	}
}
