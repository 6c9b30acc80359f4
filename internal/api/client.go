package api

import (
	"context"
	"errors"

	"github.com/aurora-sidecar/aurora/engine"
)

// A Client calls operations for a caller.
type Client struct {
	Backend
	Caller
}

// Do carries an operation out; see Op.Call, which knows the types.
func (c Client) Do(ctx context.Context, o *Operation, params any) (any, error) {
	return c.Backend.Do(ctx, o, params, c.Caller)
}

// A Backend carries operations out: Local in this process, jsonrpc.Remote in a daemon. params and result are pointers
// to the operation's types. Errors that a person can act on are *engine.Error from either.
type Backend interface {
	Do(ctx context.Context, o *Operation, params any, by Caller) (result any, err error)
}

// Local carries operations out over an engine of this process.
func Local(e *engine.Engine) Backend { return local{e} }

type local struct{ engine *engine.Engine }

// Do implements Backend.
func (l local) Do(ctx context.Context, o *Operation, params any, by Caller) (any, error) {
	return o.Run(ctx, &Call{Engine: l.engine, Caller: by}, params)
}

// KindOf is the kind of an error, "" for one that is no *engine.Error.
func KindOf(err error) engine.Kind {
	var typed *engine.Error
	if errors.As(err, &typed) {
		return typed.Kind
	}
	return ""
}
