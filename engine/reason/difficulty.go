package reason

import (
	"context"
	"sync"

	"github.com/aurora-sidecar/aurora/engine/journal"
)

// difficulty counts how often questions that are alike have failed in a row, so that the next one is worked on harder.
// It begins with what the history knows. A question that passes ends the row.
type difficulty struct {
	mu     sync.Mutex
	read   bool
	inARow map[string]int
}

// poor is the score below which an answer is none.
const poor = 0.5

// remembered is how many questions of the history are looked at.
const remembered = 200

// failures returns the failures in a row of questions with a signature.
func (d *difficulty) failures(j *journal.Journal, signature string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.read && j != nil {
		d.read = true
		list, _, err := j.List(context.Background(), journal.Filter{Limit: remembered})
		if err != nil {
			list = nil
		}
		for i := len(list) - 1; i >= 0; i-- { // the oldest first
			d.count(list[i])
		}
	}
	return d.inARow[signature]
}

// note counts a question that was just asked.
func (d *difficulty) note(e journal.Entry) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.read { // else it is read with the others
		d.count(e)
	}
}

// count leaves out questions without a review, and those that failed for another reason than their answer.
func (d *difficulty) count(e journal.Entry) {
	switch {
	case e.Signature == "" || e.Score == nil || e.Error != "":
	case *e.Score < poor || !e.Verified && e.Confidence == 0:
		if d.inARow == nil {
			d.inARow = map[string]int{}
		}
		d.inARow[e.Signature]++
	default:
		delete(d.inARow, e.Signature)
	}
}
