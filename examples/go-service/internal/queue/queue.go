// Package queue holds the messages that wait.
package queue

import "fmt"

// Queue is the addresses that wait, first in, first out.
type Queue struct {
	addresses []string
}

// New is a queue of addresses.
func New(addresses ...string) *Queue {
	return &Queue{addresses: addresses}
}

// Describe says how long the queue is.
func (q *Queue) Describe() string {
	return fmt.Sprintf("%s messages wait", len(q.addresses))
}
