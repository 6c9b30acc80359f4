package journal

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/convlog"
)

// Options say what is kept of questions.
type Options struct {
	Keep      int           // questions whose text is kept, the newest ones; 0 means 200
	NoHistory bool          // keeps no text of questions and answers but in conversations
	NoFigures bool          // keeps no figures of usage
	Logs      *convlog.Book // the Markdown files of conversations; nil writes none
}

// A Journal writes and reads one table. It serves several goroutines, and several processes may share the table.
type Journal struct {
	store   memory.Journal
	opts    Options
	logging sync.Mutex // held while Markdown files are written
}

// Open returns the journal in a store.
func Open(store memory.Journal, o Options) *Journal {
	if o.Keep <= 0 {
		o.Keep = 200
	}
	return &Journal{store: store, opts: o}
}

// Logs are the Markdown files, nil when none are written.
func (j *Journal) Logs() *convlog.Book {
	if j == nil {
		return nil
	}
	return j.opts.Logs
}

var (
	// ErrNotFound says that there is no such question.
	ErrNotFound = errors.New("no such question in the history")
	// ErrDamaged says that what is kept of a question can't be read.
	ErrDamaged = errors.New("the record is damaged")
)

var validID = lazyregexp.New(`^aurora-\d{8}-\d{6}-[a-z0-9]{1,16}$`)

// A Question is all that is written of a question.
type Question struct {
	Figures memory.Metric // with the id of the question, its calls, and when it was asked; Op is set by Write
	Entry   *Entry        // for the history; nil keeps none
	Record  any           // all else that a replay needs, as JSON
	Log     *convlog.Entry
	Learned *memory.Outcome // nil when it teaches nothing
	Answer  *memory.Record  // that the answer becomes; nil for none
	Left    bool            // it ended without an answer: only that it was asked counts
	Paid    bool            // it counts in the account of spending
}

// Write appends a question, remembers its answer and applies what it teaches, in one transaction.
func (j *Journal) Write(ctx context.Context, q Question) (memory.Learned, error) {
	id := q.Figures.QueryID
	if !validID.MatchString(id) {
		return memory.Learned{}, fmt.Errorf("write the journal: %q is no id of a question", id)
	}
	e := memory.JournalEntry{Metric: q.Figures, Once: "question:" + id, Learned: q.Learned, Remember: q.Answer}
	if q.Paid {
		e.Charge.At = e.At
	}
	switch e.Op = memory.OpQuery; {
	case q.Left:
		e.Metric = memory.Metric{At: e.At, Op: memory.OpLeft, QueryID: id}
	case j.opts.NoFigures:
		e.Metric = memory.Metric{At: e.At, Op: memory.OpAsked, QueryID: id}
	}
	if j.opts.NoHistory {
		q.Entry, q.Record = nil, nil
	}
	if j.opts.Logs == nil {
		q.Log = nil
	}
	// What the file of the conversation will say is an entry of its own, which loses it when the file is there: how long it
	// is kept is up to that file, and it is kept in no other place.
	log := memory.JournalEntry{Metric: memory.Metric{At: e.At, Op: memory.OpLogged, QueryID: id}, Once: "log:" + id}
	var err, logErr error
	if !q.Left && q.Entry != nil {
		e.Detail, err = pack(q.Entry, q.Record)
	}
	if !q.Left && q.Log != nil {
		log.Detail, logErr = pack(q.Log)
	}
	if err := errors.Join(err, logErr); err != nil {
		return memory.Learned{}, fmt.Errorf("write the journal: %w", err)
	}
	var entries []memory.JournalEntry
	if e.Op == memory.OpQuery || e.Detail != nil || q.Paid || q.Learned != nil || q.Answer != nil {
		entries = append(entries, e)
	}
	if log.Detail != nil {
		entries = append(entries, log)
	}
	if len(entries) == 0 {
		return memory.Learned{}, nil
	}
	return j.store.Append(ctx, entries, j.opts.Keep)
}

// A Filter chooses entries.
type Filter struct {
	Limit        int    // 0 means 20
	Search       string // words that the question must have, in any case
	Conversation string // "" for all
}

func (f Filter) takes(e Entry) bool {
	if f.Conversation != "" && e.Conversation != f.Conversation {
		return false
	}
	question := strings.ToLower(e.Question)
	for word := range strings.FieldsSeq(strings.ToLower(f.Search)) {
		if !strings.Contains(question, word) {
			return false
		}
	}
	return true
}

// List returns the entries that a filter takes, the newest first. What can't be read is left out and counted.
func (j *Journal) List(ctx context.Context, f Filter) (list []Entry, damaged int, err error) {
	limit := f.Limit
	if limit <= 0 {
		limit = 20
	}
	ids, err := j.IDs(ctx)
	for _, id := range ids {
		detail, err := j.store.Question(ctx, id)
		if errors.Is(err, memory.ErrNotFound) { // dropped meanwhile
			continue
		}
		if err != nil {
			return nil, damaged, err
		}
		e := &Entry{}
		switch err := unpack(detail, &e); {
		case err != nil || e != nil && e.ID != id:
			damaged++
		case e != nil && f.takes(*e):
			list = append(list, *e)
		}
		if len(list) == limit {
			break
		}
	}
	return list, damaged, err
}

// IDs returns the ids of the questions that text is kept of, the newest first.
func (j *Journal) IDs(ctx context.Context) ([]string, error) { return j.store.QuestionIDs(ctx) }

// Load returns the entry of a question by its id, by the end of an id that only one has, or by "last", and decodes what
// a replay needs into record.
func (j *Journal) Load(ctx context.Context, id string, record any) (*Entry, error) {
	full, err := j.resolve(ctx, id)
	if err != nil {
		return nil, err
	}
	detail, err := j.store.Question(ctx, full)
	if errors.Is(err, memory.ErrNotFound) {
		return nil, fmt.Errorf("%w: %q", ErrNotFound, id)
	}
	if err != nil {
		return nil, err
	}
	var e *Entry
	if err := unpack(detail, &e, record); err != nil {
		return nil, fmt.Errorf("read %s: %w: %v", full, ErrDamaged, err)
	}
	if e == nil {
		return nil, fmt.Errorf("%w: %q", ErrNotFound, id)
	}
	return e, nil
}

func (j *Journal) resolve(ctx context.Context, id string) (string, error) {
	if validID.MatchString(id) {
		return id, nil
	}
	ids, err := j.IDs(ctx)
	if err != nil {
		return "", err
	}
	if id == "last" && len(ids) > 0 {
		return ids[0], nil
	}
	const shortest = 4
	at := -1
	for i, full := range ids {
		if len(id) < shortest || !strings.HasSuffix(full, id) {
			continue
		}
		if at >= 0 {
			return "", fmt.Errorf("%w: %q is the end of several ids", ErrNotFound, id)
		}
		at = i
	}
	if at < 0 {
		return "", fmt.Errorf("%w: %q", ErrNotFound, id)
	}
	return ids[at], nil
}

// WriteLogs writes the Markdown files that are missing and notes them, in the order of the questions; written is told of
// each. One that fails is in the error, holds up no other and is tried again next time. One that was written and not noted,
// by a process that ended in between, is found by the id of its question.
func (j *Journal) WriteLogs(ctx context.Context, written func(id string, c *convlog.Conversation)) error {
	if j == nil || j.opts.Logs == nil {
		return nil
	}
	j.logging.Lock()
	defer j.logging.Unlock()
	ids, err := j.store.Unlogged(ctx)
	if err != nil {
		return err
	}
	var errs []error
	for _, id := range ids {
		if err := j.writeLog(ctx, id, len(ids) > 1, written); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", id, err))
		}
		if ctx.Err() != nil {
			break
		}
	}
	return errors.Join(errs...)
}

// writeLog writes one file; late says that it may be there already.
func (j *Journal) writeLog(ctx context.Context, id string, late bool, written func(string, *convlog.Conversation)) error {
	detail, err := j.store.ToLog(ctx, id)
	if errors.Is(err, memory.ErrNotFound) { // another process was first
		return nil
	}
	if err != nil {
		return err
	}
	var log *logged
	if err := unpack(detail, &log); err != nil {
		log = nil // what can't be read is noted, so that it does not hold up the rest
	}
	name := ""
	if log != nil {
		c, err := j.place(ctx, *log, late)
		if err != nil {
			return err
		}
		name = c.File.Name
		written(id, c)
	}
	note := memory.JournalEntry{Metric: memory.Metric{At: time.Now(), Op: memory.OpLogged, QueryID: id, Notes: name}, Once: "logged:" + id}
	_, err = j.store.Append(ctx, []memory.JournalEntry{note}, 0)
	return err
}

func (j *Journal) place(ctx context.Context, log logged, late bool) (*convlog.Conversation, error) {
	if late {
		if f, err := j.opts.Logs.Find(ctx, log.ID); err == nil {
			return j.opts.Logs.Read(f)
		}
	}
	return j.opts.Logs.Write(log.entry())
}

// Locked returns why the file can't be decrypted, nil when it can, or when there is no journal.
func (j *Journal) Locked() error {
	if j == nil {
		return nil
	}
	return j.store.Locked()
}

// Volatile reports whether the journal, and memory in the same file, end with the process because the file could not be opened.
func (j *Journal) Volatile() bool { return j != nil && j.store.Volatile() }
