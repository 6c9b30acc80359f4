package llm

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// A Fault is the sort of an Error.
type Fault string

// The faults.
const (
	Refused    Fault = "refused"   // 401, 403: the key
	NotFound   Fault = "notFound"  // 404: the model or the path
	BadRequest Fault = "request"   // other 4xx
	Limited    Fault = "rateLimit" // 429
	Broken     Fault = "server"    // 5xx
	Offline    Fault = "network"   // nobody answered
	Slow       Fault = "timeout"
	Cut        Fault = "cut"      // the reply ended before its end
	Blank      Fault = "blank"    // the reply is empty, or refuses to answer
	Malformed  Fault = "format"   // the reply is not the JSON that was asked for
	Declined   Fault = "declined" // the client, or its user, does not lend its model
	OverBudget Fault = "budget"   // the call was not made
	Setup      Fault = "settings" // base URL, key or recording
)

// An Error says why a model gave no reply.
type Error struct {
	Fault      Fault
	Provider   string // host of the endpoint
	Status     int    // of HTTP; 0 when there was no answer
	Attempts   int    // calls made, the failed ones included
	Message    string // one sentence, free of secrets
	RetryAfter time.Duration
	Usage      Usage // what the failed call cost all the same
	Err        error // cause, may be nil
}

func (e *Error) Error() string {
	var b strings.Builder
	if e.Provider != "" {
		b.WriteString(e.Provider + ": ")
	}
	b.WriteString(e.Message)
	var facts []string
	if e.Status != 0 {
		facts = append(facts, fmt.Sprintf("HTTP %d", e.Status))
	}
	if e.Attempts > 1 {
		facts = append(facts, fmt.Sprintf("%d attempts", e.Attempts))
	}
	if len(facts) > 0 {
		b.WriteString(" (" + strings.Join(facts, ", ") + ")")
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Remedy says what a person can do.
func (e *Error) Remedy() string {
	switch e.Fault {
	case Refused:
		return "Check that the variable named by llm.api_key_env holds a valid key where AURORA was started."
	case NotFound:
		return "Check llm.model and llm.base_url; the URL usually ends in /v1."
	case Limited:
		return "Wait a moment, or raise the limit at the provider."
	case Broken:
		return "The endpoint has trouble; try again later."
	case Offline:
		return "Check that the model server runs and that llm.base_url is right."
	case Slow:
		return "Raise llm.timeout_seconds, or use a faster model."
	case Cut:
		return "Try again; if it goes on, look at the log of the model server."
	case Blank:
		return "Ask it in other words; when hidden reasoning takes all of the reply, raise llm.max_tokens."
	case Malformed:
		return "This model does not keep to the format; use a stronger one, or ask with mode direct."
	case Declined:
		return "Let AURORA use the model of your editor or agent, or configure one of its own: see docs/engine.md."
	case OverBudget:
		return "See: aurora budget"
	}
	return "Run: aurora doctor --llm"
}

// transient reports whether the same call may succeed later.
func (e *Error) transient() bool {
	switch e.Fault {
	case Limited, Broken, Offline, Slow, Cut:
		return true
	case BadRequest:
		return e.Status == http.StatusRequestTimeout
	}
	return false
}

// faultOf is the fault that an HTTP status stands for.
func faultOf(status int) Fault {
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return Refused
	case status == http.StatusNotFound:
		return NotFound
	case status == http.StatusTooManyRequests:
		return Limited
	case status >= 500:
		return Broken
	}
	return BadRequest
}

// asError returns err as an *Error, nil when it is none.
func asError(err error) *Error {
	var e *Error
	errors.As(err, &e)
	return e
}
