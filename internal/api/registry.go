package api

import (
	"fmt"
	"slices"
)

// A Registry is a list of operations.
type Registry struct {
	list   []*Operation
	byName map[string]*Operation
}

// NewRegistry returns a registry of some operations. Two of one name are a mistake of the program.
func NewRegistry(operations ...*Operation) *Registry {
	r := &Registry{byName: map[string]*Operation{}}
	for _, o := range operations {
		if r.byName[o.Name] != nil {
			panic(fmt.Sprintf("two operations are called %q", o.Name))
		}
		r.list, r.byName[o.Name] = append(r.list, o), o
	}
	return r
}

// With returns a registry that has further operations.
func (r *Registry) With(operations ...*Operation) *Registry {
	return NewRegistry(slices.Concat(r.list, operations)...)
}

// Lookup returns the operation of a name, nil when there is none.
func (r *Registry) Lookup(name string) *Operation { return r.byName[name] }

// Behind lists the operations that are open to some doors, in the order of the documentation.
func (r *Registry) Behind(d Doors) []*Operation {
	return slices.DeleteFunc(slices.Clone(r.list), func(o *Operation) bool { return !o.Doors.Has(d) })
}

// Standard are the operations of AURORA. This list is the place where a new one is added.
var Standard = NewRegistry(
	Search.Operation, Context.Operation, Query.Operation, Related.Operation, Why.Operation, Review.Operation, Dismiss.Operation,
	Remember.Operation, Forget.Operation, Purge.Operation, Restore.Operation, Records.Operation, Revise.Operation, Decisions.Operation, Feedback.Operation, Learn.Operation,
	Account.Operation, Rate.Operation, Relate.Operation, Outcome.Operation, Goals.Operation, MemoryStats.Operation, Audit.Operation,
	ReadStatus.Operation, Files.Operation, Languages.Operation, SummarizeIndex.Operation,
	Explain.Operation, CheckIndex.Operation, Secrets.Operation, Embed.Operation,
	Refresh.Operation, Rebuild.Operation, JobStatus.Operation, CancelRebuild.Operation,
	Assess.Operation, Decompose.Operation, Verify.Operation, Budget.Operation, History.Operation, Agents.Operation, Trust.Operation,
	Ready.Operation, Locate.Operation, Conversations.Operation, AddText.Operation, DropText.Operation,
)
