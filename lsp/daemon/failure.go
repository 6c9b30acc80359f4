package daemon

import (
	"errors"

	"github.com/aurora-sidecar/aurora/engine"
)

// A failure is an error on its way to the caller.
type failure struct {
	Kind    engine.Kind `json:"kind,omitempty"`
	Message string      `json:"message"`
	Detail  string      `json:"detail,omitempty"`
	Remedy  string      `json:"remedy,omitempty"`
}

func newFailure(err error) *failure {
	f := &failure{Message: err.Error()}
	var typed *engine.Error
	if errors.As(err, &typed) {
		f.Kind, f.Detail, f.Remedy = typed.Kind, typed.Detail, typed.Remedy
	}
	return f
}

// err is the error as the caller would have got it without a daemon, but for its cause.
func (f *failure) err() error {
	if f.Kind == "" {
		return errors.New(f.Message)
	}
	return &engine.Error{Kind: f.Kind, Message: f.Message, Detail: f.Detail, Remedy: f.Remedy}
}
