package engine

import (
	"log/slog"
	"time"

	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/lifespan"
)

// recordOptions wires records.
type recordOptions struct {
	index    *index.Index
	store    memory.Store // nil without a memory
	log      *slog.Logger
	now      func() time.Time
	lifespan *lifespan.Policies // nil keeps every record
}

// records remember, find and change what memory holds. All methods may be called from several goroutines.
type records struct {
	recordOptions
	notes noteKeeper
	cited citedCache
	moved follower
}

func newRecords(o recordOptions) *records {
	return &records{recordOptions: o, moved: follower{store: o.store, log: o.log}}
}

// follow gives to moved code what memory has kept of it under its earlier ids, behind the caller.
func (e *records) follow(moves []index.Move) { e.moved.follow(moves) }

// wait returns when nothing is written behind answers.
func (e *records) wait() {
	e.moved.wg.Wait()
	e.cited.saving.Wait()
}

// close waits for what is being written, and takes no more.
func (e *records) close() {
	e.moved.close()
	e.cited.saving.Wait()
}
