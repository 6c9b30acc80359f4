package shared

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/lexical"
)

const (
	// Wait is how much longer than the local search a search waits for the server.
	Wait = 150 * time.Millisecond

	answerTime  = 5 * time.Second  // after which an answer is given up that nobody waits for any more
	rest        = 10 * time.Second // for which a server that failed is left alone, the first time
	longestRest = 2 * time.Minute
	lookEvery   = 5 * time.Second // how old what git told may be
	lookTime    = 30 * time.Second
	maxUnderway = 8    // requests that nobody waits for any more
	maxTaken    = 2000 // files that differ and are read because the server has others
)

// Options say what is asked, and for whom.
type Options struct {
	Client *Client
	Index  *index.Index
	Log    *slog.Logger
	Now    func() time.Time
	Wait   time.Duration // 0 means Wait
	// Whole says that the index holds the folders of the workspace as a whole; else the server has what is not in the index.
	Whole bool
}

// A Team asks the search server of a team beside local searches. All methods may be called from several goroutines.
type Team struct {
	Options
	underway chan struct{}

	mu       sync.Mutex
	commits  map[string]string // of the server, by the names of a repository
	known    checkouts
	looking  chan struct{} // closed when git has told; nil when it is not asked
	mine     overlay
	sent     string // digest that the server was sent last
	failures int
	failed   error // the last outcome
	until    time.Time
}

// checkouts are the workspace folders as git told of them.
type checkouts struct {
	at     time.Time
	number int
	list   []*checkout
	err    error
}

// An overlay is what goes over the wire about this workspace.
type overlay struct {
	snapshot uint64
	look     int
	own      []Own
	digest   string
}

// NewTeam returns a Team.
func NewTeam(o Options) *Team {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Wait == 0 {
		o.Wait = Wait
	}
	return &Team{Options: o, underway: make(chan struct{}, maxUnderway), commits: map[string]string{}}
}

// Failed is why the server is left alone, or what was wrong with its last answer; nil when nothing is.
func (t *Team) Failed() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.failed
}

// An Asked is a search that the server was asked for. A nil one has nothing.
type Asked struct {
	Corpus *lexical.Corpus // of everything that is searched, here and there
	// Newer says that the index has read files meanwhile that the server has otherwise: the search should begin with its newest snapshot.
	Newer bool
	found chan answered
	left  time.Duration // that may still be waited
}

// answered is what became of a request.
type answered struct {
	answer *Answer
	err    error
}

// ErrLate is that of a server that did not answer as soon as a search waits for it.
var ErrLate = errors.New("it has not answered in time")

// Begin asks what words are worth, waits for that, and asks for candidates, without waiting. here is what they are worth by the
// snapshot alone.
func (t *Team) Begin(ctx context.Context, r Request, snap *index.Snapshot, here lexical.Corpus) (*Asked, error) {
	start := t.Now()
	t.mu.Lock()
	failed, until := t.failed, t.until
	t.mu.Unlock()
	if start.Before(until) {
		return nil, failed
	}
	select {
	case t.underway <- struct{}{}:
	default:
		return nil, t.note(ErrLate)
	}
	r.Version, r.WaitMs = Version, int(t.Wait.Milliseconds())
	asked := &Asked{found: make(chan answered, 1)}
	corpus := make(chan answered, 1)
	detached, cancel := context.WithTimeout(context.WithoutCancel(ctx), answerTime)
	go func() {
		defer func() { <-t.underway }()
		defer cancel()
		a, err := t.corpus(detached, &r, snap)
		t.note(err)
		corpus <- answered{a, err}
		if err != nil {
			return
		}
		total := here.Plus(a.Corpus)
		r.Corpus = &total
		a, err = t.ask(detached, ProposePath, &r)
		t.note(err)
		asked.found <- answered{a, err}
	}()
	timer := time.NewTimer(t.Wait)
	defer timer.Stop()
	select {
	case got := <-corpus:
		if got.err != nil {
			return nil, got.err
		}
		total := here.Plus(got.answer.Corpus)
		asked.Corpus, asked.left = &total, t.Wait-t.Now().Sub(start)
		asked.Newer = t.Index.Snapshot().Number() != snap.Number()
		return asked, nil
	case <-timer.C:
		return nil, ErrLate
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Candidates waits for what the server found.
func (a *Asked) Candidates(ctx context.Context) (*Answer, error) {
	timer := time.NewTimer(max(0, a.left))
	defer timer.Stop()
	select {
	case got := <-a.found:
		return got.answer, got.err
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-timer.C:
	}
	select {
	case got := <-a.found:
		return got.answer, got.err
	default:
		return nil, ErrLate
	}
}

// corpus asks what words are worth on the server. When it searches other commits than it did, git is asked again what differs.
func (t *Team) corpus(ctx context.Context, r *Request, snap *index.Snapshot) (*Answer, error) {
	for again := false; ; again = true {
		if err := t.fill(ctx, r, snap); err != nil {
			return nil, err
		}
		a, err := t.ask(ctx, CorpusPath, r)
		if err != nil || again || !t.moved(a.Repositories) {
			return a, err
		}
		if err := t.Look(ctx); err != nil {
			return nil, err
		}
	}
}

// fill says in the request what this workspace has of its own.
func (t *Team) fill(ctx context.Context, r *Request, snap *index.Snapshot) error {
	t.mu.Lock()
	known := t.known
	t.mu.Unlock()
	switch {
	case known.at.IsZero():
		if err := t.Look(ctx); err != nil {
			return err
		}
	case t.Now().Sub(known.at) > lookEvery:
		t.look() // for the next search
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.known.err; err != nil {
		return err
	}
	if t.mine.digest == "" || t.mine.snapshot != snap.Number() || t.mine.look != t.known.number {
		m := overlay{snapshot: snap.Number(), look: t.known.number, own: []Own{}}
		for _, c := range t.known.list {
			o, err := c.own(snap, t.Whole)
			if err != nil {
				return err
			}
			m.own = append(m.own, o)
		}
		m.digest = Digest(m.own)
		t.mine = m
	}
	r.Own, r.Overlay = t.mine.own, t.mine.digest
	return nil
}

// ask sends a request, what this workspace has of its own only when the server does not know it.
func (t *Team) ask(ctx context.Context, path string, r *Request) (*Answer, error) {
	t.mu.Lock()
	knows := t.sent == r.Overlay
	t.mu.Unlock()
	small := *r
	if knows {
		small.Own = nil
	}
	a, bad, err := t.Client.Ask(ctx, path, &small)
	if err == nil && !a.Overlay {
		if a, bad, err = t.Client.Ask(ctx, path, r); err == nil && !a.Overlay {
			err = errors.New("it says again and again that it lacks what was sent")
		}
	}
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	t.sent = r.Overlay
	t.mu.Unlock()
	if bad > 0 {
		t.Log.Warn("search server: candidates that can't be", "server", t.Client.Address(), "left out", bad)
		a.Notes = append(a.Notes, fmt.Sprintf("%d candidates that can't be were left out", bad))
	}
	return a, nil
}

// moved notes the commits that the server searches, and reports whether they are others.
func (t *Team) moved(list []Repository) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	moved := false
	for _, r := range list[:min(len(list), 100)] {
		for _, name := range r.Names[:min(len(r.Names), 10)] {
			if t.commits[name] != r.Commit {
				t.commits[name], moved = r.Commit, true
			}
		}
	}
	return moved
}

func (t *Team) commitOf(names []string) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, name := range names {
		if c := t.commits[name]; c != "" {
			return c
		}
	}
	return ""
}

// Look asks git how the workspace differs from what the server has, and waits for that.
func (t *Team) Look(ctx context.Context) error {
	t.mu.Lock()
	underway := t.looking
	t.mu.Unlock()
	if underway != nil { // it may have begun before what is asked for
		select {
		case <-underway:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	select {
	case <-t.look():
		t.mu.Lock()
		defer t.mu.Unlock()
		return t.known.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// look asks git, once at a time.
func (t *Team) look() <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.looking != nil {
		return t.looking
	}
	done := make(chan struct{})
	t.looking = done
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), lookTime)
		defer cancel()
		now := checkouts{at: t.Now()}
		for _, folder := range t.Index.Folders() {
			c, err := lookAt(ctx, folder, t.Whole, t.commitOf)
			if err != nil {
				now.err = fmt.Errorf("git does not tell how %s differs from what the server has: %w", filepath.Base(folder), err)
			}
			if c != nil {
				now.list = append(now.list, c)
			}
		}
		t.take(ctx, now.list)
		t.mu.Lock()
		now.number = t.known.number + 1
		t.known, t.looking = now, nil
		t.mu.Unlock()
		close(done)
	}()
	return done
}

// take has files read that the index does not have, because nobody opened them, and the server has otherwise.
func (t *Team) take(ctx context.Context, list []*checkout) {
	if t.Whole {
		return
	}
	snap := t.Index.Snapshot()
	var paths []string
	for _, c := range list {
		for p := range c.differs {
			rel, inside := c.local(p)
			if !inside {
				continue
			}
			abs := filepath.Join(c.folder, filepath.FromSlash(rel))
			if _, has := snap.Entry(abs); has {
				continue
			}
			if info, err := os.Lstat(abs); err == nil && info.Mode().IsRegular() {
				paths = append(paths, abs)
			}
		}
	}
	if len(paths) == 0 {
		return
	}
	slices.Sort(paths)
	if _, err := t.Index.Refresh(ctx, paths[:min(len(paths), maxTaken)], false); err != nil {
		t.Log.Warn("search server: files that differ are not read", "err", err)
		return
	}
	if err := t.Index.Flush(ctx); err != nil {
		t.Log.Debug("search server: files that differ are not read yet", "err", err)
	}
}

// note keeps what came of a request, and leaves a server alone that failed.
func (t *Team) note(err error) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("it has not answered within %s", answerTime)
	}
	switch {
	case err == nil:
		t.failures, t.failed, t.until = 0, nil, time.Time{}
	case errors.Is(err, ErrLate), errors.Is(err, context.Canceled):
		t.failed = err
	default:
		if t.failures == 0 {
			t.Log.Warn("search server", "server", t.Client.Address(), "err", err)
		}
		t.failed, t.until = err, t.Now().Add(min(longestRest, rest<<min(t.failures, 4)))
		t.failures++
	}
	return err
}

// A Place is where a candidate is in this workspace.
type Place struct {
	Folder string // of the workspace
	Path   string // below Folder
	// Gone says that the file is not here, or not as the server has it.
	Gone bool
	Here bool // the file is here as the server has it
}

// PlaceOf says where a candidate is in this workspace; ok is false for one of a repository that is not open here.
func (t *Team) PlaceOf(c *Candidate, names []string) (p Place, ok bool) {
	t.mu.Lock()
	list := t.known.list
	t.mu.Unlock()
	for _, k := range list {
		if !slices.ContainsFunc(names, func(n string) bool { return slices.Contains(k.names, n) }) {
			continue
		}
		rel, inside := k.local(c.Path)
		if k.differs[c.Path] {
			return Place{Folder: k.folder, Path: rel, Gone: true}, true
		}
		if !inside {
			return p, false
		}
		return Place{Folder: k.folder, Path: rel}, true
	}
	return p, false
}
