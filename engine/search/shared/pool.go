package shared

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/aurora-sidecar/aurora/index/lexical"
)

// A Source answers the two requests of a search.
type Source interface {
	Corpus(ctx context.Context, r *Request) (*Answer, error)
	Propose(ctx context.Context, r *Request) (*Answer, error)
}

// A Shard is one of the sources of a pool.
type Shard struct {
	Name string // by which notes call it
	Source

	mu     sync.Mutex
	failed error
	until  time.Time
}

// Corpus implements Source.
func (c *Client) Corpus(ctx context.Context, r *Request) (*Answer, error) {
	return c.one(ctx, CorpusPath, r)
}

// Propose implements Source.
func (c *Client) Propose(ctx context.Context, r *Request) (*Answer, error) {
	return c.one(ctx, ProposePath, r)
}

func (c *Client) one(ctx context.Context, path string, r *Request) (*Answer, error) {
	a, bad, err := c.Ask(ctx, path, r)
	if err == nil && bad > 0 {
		a.Notes = append(a.Notes, fmt.Sprintf("%d candidates that can't be were left out", bad))
	}
	return a, err
}

const (
	shardRest = 5 * time.Second // for which a shard that failed is left alone
	// Of the time for which a client waits a pool gives to each of its two requests.
	shardShare = 0.4

	pooledWords   = 300 // candidates of a pool by words
	pooledMeaning = 100 // and by meaning
)

// A Pool answers from several sources as if they were one. One that fails or is late is named in the notes.
type Pool struct{ Shards []*Shard }

// Corpus implements Source.
func (p *Pool) Corpus(ctx context.Context, r *Request) (*Answer, error) {
	return p.ask(ctx, r, func(ctx context.Context, s Source) (*Answer, error) { return s.Corpus(ctx, r) })
}

// Propose implements Source.
func (p *Pool) Propose(ctx context.Context, r *Request) (*Answer, error) {
	return p.ask(ctx, r, func(ctx context.Context, s Source) (*Answer, error) { return s.Propose(ctx, r) })
}

// Failures are why shards are left alone at the moment.
func (p *Pool) Failures() (list []string) {
	for _, s := range p.Shards {
		s.mu.Lock()
		failed := s.failed
		s.mu.Unlock()
		if failed != nil {
			list = append(list, fmt.Sprintf("%s: %v", s.Name, failed))
		}
	}
	return list
}

// ask asks all shards beside each other and joins what arrives in time. It fails when nothing does.
func (p *Pool) ask(ctx context.Context, r *Request, one func(context.Context, Source) (*Answer, error)) (*Answer, error) {
	limit := answerTime
	if r.WaitMs > 0 {
		limit = min(limit, time.Duration(shardShare*float64(r.WaitMs)*float64(time.Millisecond)))
	}
	late := time.NewTimer(limit)
	defer late.Stop()
	type outcome struct {
		shard  *Shard
		answer *Answer
		err    error
	}
	outcomes := make(chan outcome, len(p.Shards))
	for _, s := range p.Shards {
		go func() {
			a, err := s.ask(ctx, one)
			outcomes <- outcome{s, a, err}
		}()
	}
	joined := &Answer{Version: Version, Overlay: true, Repositories: []Repository{}, Corpus: lexical.Corpus{Holds: map[string]int{}}}
	waiting := slices.Clone(p.Shards)
	answered := false
	for len(waiting) > 0 {
		select {
		case o := <-outcomes:
			waiting = slices.DeleteFunc(waiting, func(s *Shard) bool { return s == o.shard })
			if o.err != nil {
				joined.Notes = append(joined.Notes, fmt.Sprintf("without %s: %v", o.shard.Name, o.err))
				continue
			}
			joined.add(o.answer, !answered)
			answered = true
			continue
		case <-late.C:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		break
	}
	for _, s := range waiting {
		joined.Notes = append(joined.Notes, fmt.Sprintf("without %s: %v", s.Name, ErrLate))
	}
	if !answered && len(p.Shards) > 0 {
		return nil, errors.New("none of its shards answers: " + strings.Join(joined.Notes, "; "))
	}
	joined.cut()
	return joined, nil
}

// ask asks one shard, unless it is left alone.
func (s *Shard) ask(ctx context.Context, one func(context.Context, Source) (*Answer, error)) (*Answer, error) {
	s.mu.Lock()
	failed, until := s.failed, s.until
	s.mu.Unlock()
	if time.Now().Before(until) {
		return nil, failed
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), answerTime) // what is late now makes the connection for the next one
	defer cancel()
	a, err := one(ctx, s.Source)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failed = err; err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			s.failed = fmt.Errorf("it has not answered within %s", answerTime)
		}
		s.until = time.Now().Add(shardRest)
	}
	return a, s.failed
}

// add joins another answer to one.
func (a *Answer) add(b *Answer, first bool) {
	a.Overlay = a.Overlay && b.Overlay
	a.Corpus = a.Corpus.Plus(b.Corpus)
	a.Repositories = append(a.Repositories, b.Repositories...)
	a.Candidates = append(a.Candidates, b.Candidates...)
	a.Total += b.Total
	for _, n := range b.Notes {
		if !slices.Contains(a.Notes, n) {
			a.Notes = append(a.Notes, n)
		}
	}
	switch {
	case first:
		a.Embedder = b.Embedder
	case a.Embedder != b.Embedder:
		a.Embedder = "" // vectors of several models can't be compared
	}
}

// cut leaves as many candidates as one source would have proposed.
func (a *Answer) cut() {
	keep := make([]bool, len(a.Candidates))
	best := func(provider string, most int, score func(*Candidate) float64) {
		var of []int
		for i := range a.Candidates {
			if slices.Contains(a.Candidates[i].By, provider) {
				of = append(of, i)
			}
		}
		slices.SortStableFunc(of, func(i, j int) int { return cmp.Compare(score(&a.Candidates[j]), score(&a.Candidates[i])) })
		for _, i := range of[:min(most, len(of))] {
			keep[i] = true
		}
	}
	best("full_text", pooledWords, func(c *Candidate) float64 { return c.BM25 })
	best("semantic", pooledMeaning, func(c *Candidate) float64 { return c.Cosine })
	best("symbol", pooledWords, func(c *Candidate) float64 { return float64(c.Name.Tier) + c.Name.Closeness })
	kept := a.Candidates[:0]
	for i := range a.Candidates {
		if keep[i] {
			kept = append(kept, a.Candidates[i])
		}
	}
	a.Candidates = kept
}
