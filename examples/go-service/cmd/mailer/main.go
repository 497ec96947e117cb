// Mailer sends what waits in the queue.
package main

import (
	"fmt"

	"example.org/mailer/internal/queue"
)

func main() {
	waiting := queue.New("ann@example.org", "bob@example.org")
	fmt.Println(waiting.Describe())
}
