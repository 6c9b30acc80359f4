package engine

import "fmt"

// Kind is the machine-readable sort of an Error; the doors map it to their own codes (PROTOCOL.md, Errors).
type Kind string

// The kinds.
const (
	Invalid        Kind = "invalid" // a parameter; Detail names the field
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
