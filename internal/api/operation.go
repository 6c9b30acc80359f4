package api

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/aurora-sidecar/aurora/internal/workload"
)

// Doors that an operation is open to. The daemon's socket serves all operations, to commands of its own build.
type Doors uint8

// The doors.
const (
	LSP  Doors = 1 << iota // as the request aurora/<name>, and the command aurora.<name>
	HTTP                   // as POST /api/<name>
)

// Has reports whether all of some doors are among these.
func (d Doors) Has(some Doors) bool { return d&some == some }

// An Effect says what an operation does to the world.
type Effect int

// The effects.
const (
	Reads    Effect = iota // changes nothing
	Adds                   // adds to memory or the index; doing it twice is doing it once
	Destroys               // takes something away
)

// An Operation is one entry of the registry.
type Operation struct {
	Name   string // of the contract: aurora/<name>
	Title  string // of its progress in an editor
	Doc    string // what it does, in a sentence
	Doors  Doors
	Effect Effect
	Class  workload.Class // Ordinary counts as Prompt where Effect is not Reads
	Tool   string         // the tool of MCP that is this operation and nothing else; "" for none
	// Text says a result in words, for models; nil shows its JSON.
	Text func(params, result any) string

	params, result reflect.Type
	handle         func(ctx context.Context, c *Call, params any) (any, error)
}

// An Op is an operation with the types of its parameters and its result.
type Op[P, R any] struct{ *Operation }

// Define makes an operation of its description and its handler.
func Define[P, R any](o Operation, handle func(context.Context, *Call, *P) (*R, error)) Op[P, R] {
	o.params, o.result = reflect.TypeFor[P](), reflect.TypeFor[R]()
	o.handle = func(ctx context.Context, c *Call, params any) (any, error) {
		result, err := handle(ctx, c, params.(*P))
		if err != nil {
			return nil, err
		}
		return result, nil
	}
	return Op[P, R]{&o}
}

// Call has a client carry the operation out.
func (o Op[P, R]) Call(ctx context.Context, c Client, params *P) (*R, error) {
	result, err := c.Do(ctx, o.Operation, params)
	if err != nil {
		return nil, err
	}
	return result.(*R), nil
}

// Method is the name of the operation as a method of the contract.
func (o *Operation) Method() string { return Prefix + o.Name }

// Params is the type of the parameters, a struct.
func (o *Operation) Params() reflect.Type { return o.params }

// Result is the type of the result, a struct.
func (o *Operation) Result() reflect.Type { return o.result }

// NewParams returns a pointer to empty parameters.
func (o *Operation) NewParams() any { return reflect.New(o.params).Interface() }

// NewResult returns a pointer to an empty result.
func (o *Operation) NewResult() any { return reflect.New(o.result).Interface() }

// Decode reads parameters. The error is an *engine.Error that names the field.
func (o *Operation) Decode(raw json.RawMessage) (any, error) {
	params := o.NewParams()
	return params, Decode(raw, params)
}

// Run carries the operation out. params is what Decode returns.
func (o *Operation) Run(ctx context.Context, c *Call, params any) (any, error) {
	if reflect.TypeOf(params) != reflect.PointerTo(o.params) {
		return nil, fmt.Errorf("%s: parameters of type %T", o.Name, params)
	}
	class := o.Class
	if class == workload.Ordinary && o.Effect != Reads {
		class = workload.Prompt
	}
	return c.Engine.Do(ctx, o.Name, class, func(ctx context.Context) (any, error) { return o.handle(ctx, c, params) })
}
