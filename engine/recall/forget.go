package recall

import (
	"context"
	"time"

	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/memory"
)

// A Removal is what Forget took out of every answer.
type Removal struct {
	IDs   []string  // of the records that there were
	Until time.Time // when they are deleted for good; zero when there were none
}

// Forget removes records from every answer; Restore brings them back for memory.KeepForgotten. Ids that nobody knows are
// no error. It fails with Invalid without ids, and with that of a note file that is there.
func (e *Records) Forget(ctx context.Context, ids []string) (Removal, error) {
	if len(ids) == 0 {
		return Removal{}, &fault.Error{Kind: fault.Invalid, Message: "there are no ids to forget", Detail: "ids"}
	}
	if e.Store == nil {
		return Removal{}, nil
	}
	if err := e.refuseNoteFiles(ctx, ids); err != nil {
		return Removal{}, err
	}
	gone, err := e.Store.Forget(ctx, ids)
	if err != nil {
		return Removal{}, fault.OfStore(ctx, "forget", err)
	}
	r := Removal{IDs: gone}
	if len(gone) > 0 {
		r.Until = e.Now().Add(memory.KeepForgotten)
	}
	return r, nil
}

// Restore undoes Forget and returns the ids of the records that came back. Ids of records that were not forgotten, or are
// deleted for good, are no error. It fails with Invalid without ids.
func (e *Records) Restore(ctx context.Context, ids []string) ([]string, error) {
	if len(ids) == 0 {
		return nil, &fault.Error{Kind: fault.Invalid, Message: "there are no ids to restore", Detail: "ids", Remedy: "Leave ids out for a list of what can be restored."}
	}
	if e.Store == nil {
		return nil, nil
	}
	back, err := e.Store.Restore(ctx, ids)
	if err != nil {
		return nil, fault.OfStore(ctx, "restore", err)
	}
	return back, nil
}

// A ForgottenRecord can be restored.
type ForgottenRecord struct {
	ID, Type, Title string
	At, Until       time.Time // forgotten; deleted for good
}

// Forgotten lists what Restore can bring back of this workspace and of none, the latest first: at most limit (0 means
// 10), and how many there are.
func (e *Records) Forgotten(ctx context.Context, limit int) (list []ForgottenRecord, total int, err error) {
	limit, _, err = fault.CheckLimit(limit)
	if err != nil || e.Store == nil {
		return nil, 0, err
	}
	all, err := e.Store.Forgotten(ctx)
	if err != nil {
		return nil, 0, fault.OfStore(ctx, "list what was forgotten", err)
	}
	scope := e.Scope(ctx)
	for _, f := range all {
		if !inScope(f.Workspace, scope) || !f.Until().After(e.Now()) {
			continue
		}
		if total++; len(list) < limit {
			list = append(list, ForgottenRecord{f.ID, string(f.Type), f.Title, f.At, f.Until()})
		}
	}
	return list, total, nil
}
