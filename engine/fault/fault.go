package fault

import (
	"context"
	"errors"
	"fmt"

	"github.com/aurora-sidecar/aurora/memory"
)

// Kind is the machine-readable kind of an Error; the doors map it to their own codes (PROTOCOL.md, Errors).
type Kind string

// The kinds.
const (
	Invalid        Kind = "invalid"  // a parameter; Detail names the field
	NotFound       Kind = "notFound" // there is nothing of that name or id; Detail names the field
	Guardrail      Kind = "guardrail"
	Budget         Kind = "budget"
	LLMUnavailable Kind = "llmUnavailable"
	NotIndexed     Kind = "notIndexed"
	JobConflict    Kind = "jobConflict"
	ConfigInvalid  Kind = "configInvalid"
	Embedding      Kind = "embedding"
	Storage        Kind = "storage"
	Agent          Kind = "agent"
	Confirmation   Kind = "confirmation"
	Busy           Kind = "busy"  // too many requests wait already
	Stuck          Kind = "stuck" // the request did not end, and was given up
)

// An Error is a failure that a person can act on.
type Error struct {
	Kind    Kind
	Message string // one sentence
	Detail  string // field, path, rule
	Remedy  string // what to do
	Err     error  // cause, may be nil
}

func (e *Error) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("%s: %v", e.Message, e.Err)
	}
	return e.Message
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// IsRefusal reports whether an error says that something was not to be asked.
func IsRefusal(err error) bool {
	var refused *Error
	return errors.As(err, &refused) && (refused.Kind == Invalid || refused.Kind == Guardrail || refused.Kind == Budget)
}

// OfStore keeps cancellation apart from a store that fails.
func OfStore(ctx context.Context, operation string, err error) error {
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return err
	}
	if errors.Is(err, memory.ErrInvalid) {
		return &Error{Kind: Invalid, Message: err.Error()}
	}
	return &Error{
		Kind: Storage, Message: "the memory store failed to " + operation, Err: err,
		Remedy: "Run aurora doctor; it checks the database and the disk.",
	}
}

// CheckLimit applies the default and the cap.
func CheckLimit(limit int) (n int, note string, err error) {
	switch {
	case limit < 0:
		return 0, "", &Error{
			Kind: Invalid, Message: fmt.Sprintf("limit must not be negative, got %d", limit), Detail: "limit",
			Remedy: fmt.Sprintf("Leave it out for %d hits, or give a number up to %d.", DefaultLimit, maxLimit),
		}
	case limit == 0:
		return DefaultLimit, "", nil
	case limit > maxLimit:
		return maxLimit, fmt.Sprintf("limit %d was lowered to the most, %d", limit, maxLimit), nil
	}
	return limit, "", nil
}

// DefaultLimit is how many results an operation returns that names no limit.
const DefaultLimit = 10

const maxLimit = 1000
