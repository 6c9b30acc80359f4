package parser

import (
	"errors"
	"fmt"

	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/syntax"
)

// Both sides write gob over the child's standard input and output: the child a greeting, then for each request of the
// parent a reply. There is no version to negotiate: a child of another build is refused by its greeting.

type greeting struct{ Version int }

type request struct {
	Language string
	Text     []byte
}

type reply struct {
	File    []byte // by chunk.Encode
	Failure failure
	Message string
}

type failure uint8

const (
	none failure = iota
	budget
	tooDeep
	tooLarge
	panicked
	other
)

var failures = map[failure]error{
	budget: syntax.ErrBudget, tooDeep: syntax.ErrTooDeep, tooLarge: syntax.ErrTooLarge, panicked: chunk.ErrPanic,
}

// describe puts an error into a reply.
func (r *reply) describe(err error) {
	if err == nil {
		return
	}
	r.Failure, r.Message = other, err.Error()
	for code, known := range failures {
		if errors.Is(err, known) {
			r.Failure = code
		}
	}
}

// err is the error that describe was given, as far as errors.Is can tell.
func (r *reply) err() error {
	switch known := failures[r.Failure]; {
	case r.Failure == none:
		return nil
	case known != nil:
		return &described{known, r.Message}
	}
	return errors.New(r.Message)
}

// described is a known error with the message that it had in the child.
type described struct {
	known   error
	message string
}

func (d *described) Error() string { return d.message }
func (d *described) Unwrap() error { return d.known }

// The exit codes by which a child says why it ended in the middle of a text.
const (
	exitBudget = 64 + iota
	exitMemory
)

// exitError says what a child's end means for the text that it worked on.
func exitError(code int, detail string) error {
	switch code {
	case exitBudget:
		return syntax.ErrBudget
	case exitMemory:
		return ErrMemory
	}
	return fmt.Errorf("%w: %s", ErrCrashed, detail)
}
