package search

import (
	"context"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/engine/search/rank"
	"github.com/aurora-sidecar/aurora/engine/search/shared"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/git"
	"github.com/aurora-sidecar/aurora/index/snapshot"
	"github.com/aurora-sidecar/aurora/internal/scrub"
)

const (
	leastShown   = 60 // candidates of which a server sends what is shown
	mostShown    = 120
	sharedText   = 16 << 10 // bytes of what is shown of each
	maxOverlays  = 64       // of clients, that a server keeps
	commitsEvery = 2 * time.Second
	gitTime      = time.Minute
)

// serverProviders are those that a server asks: the others know nothing that other people may see, or look at neighbours.
var serverProviders = []string{"full_text", "symbol", "semantic"}

// A Hosted is a repository that a server searches.
type Hosted struct {
	Name   string
	Folder string // canonical
	URL    string // where people read a file: with {commit}, {path} and {line}; "" for nowhere
}

// A Server answers searches of other people over the repositories of one index. All methods may be called from several goroutines.
type Server struct {
	searcher *Searcher
	hosted   []Hosted

	mu       sync.Mutex
	looked   time.Time
	looking  chan struct{}       // closed when git has told; nil while it is not asked
	known    []shared.Repository // of hosted, same order
	overlays map[string]*clientOverlay
	recent   []string // digests, the one used last comes last

	hits hitCache
}

// A hitCache keeps what was shown of chunks lately: to read and scrub sixty of them for each search is a third of its work.
type hitCache struct {
	mu         sync.Mutex
	new, older map[hitKey]*shared.Hit
}

// A hitKey is all that decides what is shown: a chunk of one text of a file, the symbol in it that is meant, and what it counts as.
type hitKey struct {
	abs       string
	hash      [32]byte
	chunk     int
	symbol    string // with its place; "" for the chunk
	knowledge bool
}

func hitKeyOf(s *search, c *rank.Candidate) hitKey {
	key := hitKey{abs: c.Ref.File.Abs, hash: c.Ref.File.Hash, chunk: c.Ref.Index, knowledge: s.filter.asKnowledge(c.Ref)}
	if c.Symbol != nil {
		key.symbol = fmt.Sprint(c.Symbol.NameSpan.Start, " ", c.Symbol.Name)
	}
	return key
}

const mostHits = 4000 // in each half of a hitCache

// get returns what is shown of a chunk, as before or as show says; nil is not kept.
func (c *hitCache) get(key hitKey, show func() *shared.Hit) *shared.Hit {
	c.mu.Lock()
	hit := c.new[key]
	if hit == nil {
		hit = c.older[key]
	}
	c.mu.Unlock()
	if hit == nil {
		hit = show()
	}
	if hit == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.new) >= mostHits || c.new == nil {
		c.new, c.older = map[hitKey]*shared.Hit{}, c.new
	}
	c.new[key] = hit
	return hit
}

// A clientOverlay is what one client has of its own, and the snapshot without it.
type clientOverlay struct {
	own      []shared.Own
	mu       sync.Mutex
	snapshot uint64
	without  *index.Snapshot
}

// NewServer returns a Server of the searcher's index.
func NewServer(e *Searcher, hosted []Hosted) *Server {
	return &Server{searcher: e, hosted: hosted, overlays: map[string]*clientOverlay{}}
}

// Repositories tells what is searched. It waits for git only as long as that has never told.
func (v *Server) Repositories(ctx context.Context) []shared.Repository {
	known, looking := v.ask(v.searcher.now())
	if known != nil {
		return known
	}
	select {
	case <-looking:
		v.mu.Lock()
		defer v.mu.Unlock()
		return v.known
	case <-ctx.Done():
		return v.unnamed()
	}
}

// ask returns what is known, and has git asked when that is old.
func (v *Server) ask(now time.Time) (known []shared.Repository, looking chan struct{}) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.looking == nil && (v.known == nil || now.Sub(v.looked) > commitsEvery) {
		v.looking = make(chan struct{})
		go v.look(v.known, v.looking)
	}
	return v.known, v.looking
}

// unnamed are the repositories without what git knows of them.
func (v *Server) unnamed() []shared.Repository {
	list := make([]shared.Repository, len(v.hosted))
	for i, h := range v.hosted {
		list[i] = shared.Repository{Name: h.Name, Names: []string{}}
	}
	return list
}

// look asks git at which commit the checkouts are, and by which names clients know them.
func (v *Server) look(before []shared.Repository, done chan struct{}) {
	ctx, cancel := context.WithTimeout(context.Background(), gitTime)
	defer cancel()
	known := v.unnamed()
	for i, h := range v.hosted {
		repo, err := v.searcher.git.Repo(ctx, h.Folder)
		if err != nil {
			continue
		}
		if head, err := repo.Head(ctx); err == nil {
			known[i].Commit = head.Commit
		}
		if before != nil && len(before[i].Names) > 0 {
			known[i].Names = before[i].Names
		} else if names, err := repo.Identity(ctx, func() bool { return false }); err == nil && names != nil {
			known[i].Names = names
		}
	}
	now := v.searcher.now()
	v.mu.Lock()
	v.known, v.looked, v.looking = known, now, nil
	v.mu.Unlock()
	close(done)
}

// overlay returns what a client has of its own; known is false when it has to be sent.
func (v *Server) overlay(r *shared.Request) (o *clientOverlay, known bool, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	o = v.overlays[r.Overlay]
	if o == nil && r.Own == nil && r.Overlay != shared.Digest([]shared.Own{}) {
		return nil, false, nil
	}
	if o == nil {
		paths := 0
		for _, own := range r.Own {
			paths += len(own.Paths) + len(own.Folders)
		}
		if paths > shared.MaxPaths || r.Own != nil && shared.Digest(r.Own) != r.Overlay {
			return nil, false, &fault.Error{Kind: fault.Invalid, Message: "what the client has of its own is too much, or has another digest", Detail: "own"}
		}
		o = &clientOverlay{own: r.Own}
		v.overlays[r.Overlay] = o
	}
	v.recent = append(slices.DeleteFunc(v.recent, func(d string) bool { return d == r.Overlay }), r.Overlay)
	if len(v.recent) > maxOverlays {
		delete(v.overlays, v.recent[0])
		v.recent = v.recent[1:]
	}
	return o, true, nil
}

// see is a snapshot without what the client has by itself.
func (o *clientOverlay) see(snap *index.Snapshot, left func(*index.File) bool) *index.Snapshot {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.without != nil && o.snapshot == snap.Number() {
		return o.without.As(snap.State(), snap.Pending())
	}
	o.snapshot, o.without = snap.Number(), snapshot.Without(snap, left)
	return o.without
}

// begin prepares a search for a client; a nil one without an error is for a client whose overlay is not known.
func (v *Server) begin(ctx context.Context, r *shared.Request) (*search, *shared.Answer, error) {
	answer := &shared.Answer{Version: shared.Version, Repositories: []shared.Repository{}}
	o, known, err := v.overlay(r)
	if err != nil || !known {
		return nil, answer, err
	}
	answer.Overlay = true
	s, err := v.searcher.newSearch(Request{
		Query: r.Query, Limit: r.Limit, Providers: serverProviders, Unjudged: true,
		Scope: Scope{Paths: r.Scope.Paths, Languages: r.Scope.Languages, Types: r.Scope.Types, Kinds: r.Scope.Kinds, Exclude: r.Scope.Exclude},
	})
	if err != nil {
		return nil, nil, err
	}
	if r.Loose {
		s.query.Phrases = nil
		s.ranking = rank.New(s.query, s.rankingOptions())
	}
	repositories := v.Repositories(ctx)
	for _, repo := range repositories {
		if slices.ContainsFunc(o.own, func(own shared.Own) bool {
			return slices.ContainsFunc(own.Names, func(n string) bool { return slices.Contains(repo.Names, n) })
		}) {
			answer.Repositories = append(answer.Repositories, repo)
		}
	}
	if s.filter.without = v.leftOut(o, repositories); s.filter.without != nil {
		s.snap = o.see(s.snap, s.filter.without)
	}
	answer.Embedder = s.snap.Embedder()
	if state := s.snap.State(); state == index.Starting || state == index.Indexing {
		answer.Notes = append(answer.Notes, fmt.Sprintf("its index is %s", state))
	}
	return s, answer, nil
}

// leftOut tells the files that a client has by itself.
func (v *Server) leftOut(o *clientOverlay, repositories []shared.Repository) func(*index.File) bool {
	has := map[string][]func(string) bool{}
	for i, h := range v.hosted {
		for _, own := range o.own {
			if slices.ContainsFunc(own.Names, func(n string) bool { return slices.Contains(repositories[i].Names, n) }) {
				has[h.Folder] = append(has[h.Folder], own.Has())
			}
		}
	}
	if len(has) == 0 {
		return nil
	}
	return func(f *index.File) bool {
		return slices.ContainsFunc(has[f.Folder], func(has func(string) bool) bool { return has(f.Path) })
	}
}

// Corpus tells what the words of a query are worth.
func (v *Server) Corpus(ctx context.Context, r *shared.Request) (*shared.Answer, error) {
	s, answer, err := v.begin(ctx, r)
	if s == nil || err != nil {
		return answer, err
	}
	answer.Corpus = snapshot.CorpusOf(s.snap, s.ranking.Query)
	return answer, nil
}

// Propose finds candidates, and shows the best of them.
func (v *Server) Propose(ctx context.Context, r *shared.Request) (*shared.Answer, error) {
	s, answer, err := v.begin(ctx, r)
	if s == nil || err != nil {
		return answer, err
	}
	if s.empty() || !s.filter.wantsCode() || s.query.FiltersOnly() {
		return answer, nil
	}
	s.elsewhere.corpus = r.Corpus
	s.byChunk = candidateSet{}
	s.searcher.providers.ask(ctx, s)
	compareTexts(ctx, s)
	s.ranking.Rank(s.candidates)
	s.preferActive(ctx)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	answer.Total, answer.Notes = s.total, append(answer.Notes, s.notes...)
	nearness := map[*index.File]float64{}
	if near := s.ranking.Nearness; near != nil {
		for _, c := range s.candidates {
			if _, known := nearness[c.Ref.File]; !known {
				nearness[c.Ref.File] = near(c.Ref.File)
			}
		}
	}
	shown := min(max(leastShown, 6*s.limit), mostShown)
	names := v.Repositories(ctx)
	for _, c := range s.candidates {
		if w := v.wire(s, c, names); w != nil {
			w.Nearness = nearness[c.Ref.File]
			if shown > 0 { // only what is shown can be opened
				i := v.repositoryOf(c.Ref.File)
				w.URL = v.hosted[i].link(names[i].Commit, w.Path, w.Chunk.StartLine+1)
				if w.Hit = v.hits.get(hitKeyOf(s, c), func() *shared.Hit { return wireHit(s, c) }); w.Hit == nil {
					continue // its text is gone
				}
				shown--
			}
			answer.Candidates = append(answer.Candidates, *w)
		}
	}
	return answer, nil
}

// repositoryOf is the number of the repository that a file is of, -1 for none.
func (v *Server) repositoryOf(f *index.File) int {
	return slices.IndexFunc(v.hosted, func(h Hosted) bool { return h.Folder == f.Folder })
}

// wire is a candidate as it goes over the wire, nil for a file of no repository.
func (v *Server) wire(s *search, c *rank.Candidate, known []shared.Repository) *shared.Candidate {
	file, k := c.Ref.File, c.Ref.Chunk()
	i := v.repositoryOf(file)
	if i < 0 {
		return nil
	}
	found := c.Found()
	w := &shared.Candidate{
		Origin: shared.Origin{
			Repository: v.hosted[i].Name, Commit: known[i].Commit, Path: file.Path, FileHash: hex.EncodeToString(file.Hash[:]), Language: file.Language,
			Generated: file.Generated, Index: c.Ref.Index,
		},
		Matched: found.Matched, BM25: found.BM25, Cosine: found.Cosine, By: found.By, Activity: c.ActiveBase(),
		Chunk: shared.Chunk{
			Type: string(k.Type), Kind: string(k.Kind), Name: k.Name, Container: k.Container, Ordinal: k.Ordinal, StartLine: k.StartLine, EndLine: k.EndLine,
			Bytes: k.Span.End - k.Span.Start, Behind: k.Span.End - k.Signature.End, Hash: k.Hash,
		},
		Name: shared.Name{Tier: int(found.Tier), Name: found.Name, Why: found.Why, Closeness: found.Closeness, Certain: found.Certain},
	}
	if found.Symbol != nil {
		w.Name.Symbol = int(found.Symbol.Kind) + 1
	}
	return w
}

// link is where people read a line of a file.
func (h *Hosted) link(commit, path string, line int) string {
	if h.URL == "" || commit == "" {
		return ""
	}
	return strings.NewReplacer("{commit}", commit, "{path}", git.EscapePath(path), "{line}", fmt.Sprint(line)).Replace(h.URL)
}

// wireHit shows a candidate, nil when its text is gone.
func wireHit(s *search, c *rank.Candidate) *shared.Hit {
	doc, fresh, ok := s.docs.Open(c.Ref)
	if !ok {
		return nil
	}
	h := s.chunkHit(c, doc, fresh)
	if h.Range == nil {
		return nil
	}
	return &shared.Hit{
		Type: h.Type, Kind: h.Kind, Name: h.Name, Container: h.Container, Signature: withoutSecrets(h.Signature), Doc: withoutSecrets(h.Doc), Range: *h.Range, NameRange: h.NameRange,
		Above: h.Above, Text: cutText(withoutSecrets(h.Text)), Origin: h.Origin,
	}
}

// withoutSecrets blanks in a text for other people what looks like a secret.
func withoutSecrets(s string) string {
	blank, _ := scrub.Blank([]byte(s))
	return string(blank)
}

// cutText cuts a text to what goes over the wire.
func cutText(s string) string {
	if len(s) <= sharedText {
		return s
	}
	return strings.ToValidUTF8(s[:sharedText], "")
}

// Label says which repository a file is of, as paths of answers begin with it.
func (v *Server) Label(abs string) (repository, path string, ok bool) {
	for _, h := range v.hosted {
		if rel, err := filepath.Rel(h.Folder, abs); err == nil && filepath.IsLocal(rel) {
			return h.Name, filepath.ToSlash(rel), true
		}
	}
	return "", "", false
}
