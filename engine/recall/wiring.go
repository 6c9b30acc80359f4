package recall

import (
	"context"
	"log/slog"
	"time"

	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/lifespan"
)

// A Store keeps records, with what is needed to look after them.
type Store interface {
	memory.RecordStore
	renames
	// Use notes what a person did with records.
	Use(ctx context.Context, ids []string, what memory.Use, value float64) error
	// Difficult lists the queries that went badly, the most often failed first.
	Difficult(ctx context.Context) ([]memory.Difficult, error)
	// Leftovers deletes backups, and returns the files that still hold, or may hold, what was deleted.
	Leftovers(ctx context.Context) ([]string, error)
	// Compact gives the space of what was deleted back to the system.
	Compact(ctx context.Context) error
}

// Options wires records.
type Options struct {
	Index    *index.Index
	Store    Store // nil without a memory
	Log      *slog.Logger
	Now      func() time.Time
	Lifespan *lifespan.Policies // nil keeps every record
	History  PurgedPart         // what was asked and answered; nil for none
	Home     string             // AURORA's own folder, in which a purge looks for more; "" for none
	InTeam   func() bool        // whether the person is in a team; nil for none
}

// Records remember, find and change what memory holds. All methods may be called from several goroutines.
type Records struct {
	Options
	notes noteKeeper
	cited citedCache
	moved follower

	projects projects
}

func New(o Options) *Records {
	return &Records{Options: o, moved: follower{store: o.Store, log: o.Log}, projects: projects{store: o.Store}}
}

// Follow gives to moved code what memory has kept of it under its earlier ids, behind the caller.
func (e *Records) Follow(moves []index.Move) { e.moved.follow(moves) }

// Wait returns when nothing is written behind answers.
func (e *Records) Wait() {
	e.moved.wait()
	e.cited.saving.Wait()
}

// Close waits for what is being written, and takes no more.
func (e *Records) Close() {
	e.moved.close()
	e.cited.saving.Wait()
}
