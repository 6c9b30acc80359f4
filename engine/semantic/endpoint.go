package semantic

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/aurora-sidecar/aurora/engine/background"
	"github.com/aurora-sidecar/aurora/engine/embedder"
	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/embed"
	"github.com/aurora-sidecar/aurora/index/vector"
)

// Embeddings is an endpoint whose vectors take the place of those of the model in the program.
type Embeddings struct {
	Remote  *embedder.Remote
	Dir     string // of the vectors; "" keeps them in memory
	Reindex bool   // makes all vectors again when the endpoint has another model than before
	Batch   int    // texts of one round trip; 0 means 128
	// QueryTimeout bounds how long a search waits for the vector of its question; 0 means 3 s.
	QueryTimeout time.Duration
}

const (
	usualQueryTimeout = 3 * time.Second
	// patience is how long an endpoint that failed is left alone: searches must not wait for it again and again.
	patience = 30 * time.Second
)

// Options wires vectors.
type Options struct {
	Index  *index.Index
	Memory RecordTexts // nil without one
	Log    *slog.Logger
	Now    func() time.Time

	Endpoint      *Embeddings // nil leaves all to the model in the program
	EndpointError error       // why there is none although the settings name one
	Background    bool        // vectors of the endpoint are made in the background
}

// Vectors says what queries, chunks and records mean: by the model in the program, or by an endpoint's when there is one.
type Vectors struct {
	Options
	own     *ownRecords
	records recordVectors // of the endpoint
	remote  *embeddings   // nil without an endpoint
}

func New(o Options) *Vectors {
	v := &Vectors{Options: o}
	if o.Endpoint != nil {
		v.remote = newEmbeddings(v, *o.Endpoint)
		o.Background = false // the endpoint's vectors of records are compared
	}
	v.own = newOwnRecords(o)
	return v
}

func (v *Vectors) Close() error {
	v.own.close()
	if v.remote == nil {
		return nil
	}
	return v.remote.close()
}

// HasEndpoint reports whether an endpoint's vectors take the place of those of the model in the program.
func (v *Vectors) HasEndpoint() bool { return v.remote != nil }

// EndpointFailure is why the endpoint is left alone for now, nil when it is not.
func (v *Vectors) EndpointFailure() error {
	if v.remote == nil {
		return nil
	}
	return v.remote.usable()
}

// Model is the id of the endpoint's model, nil without an endpoint.
func (v *Vectors) Model() *embed.ID {
	if v.remote == nil {
		return nil
	}
	id := v.remote.opts.Remote.ID()
	return &id
}

// A Direction is what a text means, in the space of some model.
type Direction interface {
	Nearest(index.Query) []index.Hit
	Cosine(index.Ref) float64
	Whole(*index.File) float64 // mean cosine of a file's chunks, see index.MeanCosine
	IsZero() bool
}

// embeddings keeps the vectors of an endpoint for the chunks of the present snapshot. A round asks for what is missing,
// in the background; it is started as those of signals are.
type embeddings struct {
	of     *Vectors
	opts   Embeddings
	rounds *background.Rounds // nil where nothing runs in the background

	busy     sync.Mutex // held while vectors are made
	open     sync.Mutex // held while the cache is opened
	cache    *embedder.FileCache
	snapshot atomic.Pointer[remoteVectors]

	mu      sync.Mutex
	failure error // of the last try
	until   time.Time
	queries *embedder.MemoryCache
}

// A remoteVectors is the vectors of one snapshot.
type remoteVectors struct {
	number  uint64
	seg     *vector.Segment
	refs    []index.Ref
	first   map[*index.File]int // number of a file's first chunk
	missing int                 // chunks without a vector
	space   string
}

// newEmbeddings keeps the vectors of an endpoint up to date when vectors work in the background; else only
// migrate makes some.
func newEmbeddings(v *Vectors, opts Embeddings) *embeddings {
	opts.Batch, opts.QueryTimeout = cmp.Or(opts.Batch, 128), cmp.Or(opts.QueryTimeout, usualQueryTimeout)
	f := &embeddings{of: v, opts: opts, queries: embedder.NewMemoryCache(1000)}
	if v.Background {
		f.rounds = background.New(f.round)
		f.rounds.Follow(v.Index)
	}
	return f
}

// round fills in what is missing, unless the endpoint failed lately.
func (f *embeddings) round() {
	if f.usable() != nil {
		return
	}
	if _, err := f.fill(f.rounds.Context(), nil); err != nil && f.rounds.Context().Err() == nil {
		f.of.Log.Warn("vectors of the endpoint were not made", "err", err)
	}
}

func (f *embeddings) close() error {
	if f.rounds != nil {
		f.rounds.Close()
	}
	f.open.Lock()
	defer f.open.Unlock()
	if f.cache == nil {
		return nil
	}
	return f.cache.Close()
}

// cosine is that of the angle between two vectors; 0 when one of them is empty or they differ in length.
func cosine(a, b []int8) float64 {
	if len(a) != len(b) {
		return 0
	}
	var dot, aa, bb int64
	for i := range a {
		dot += int64(a[i]) * int64(b[i])
		aa += int64(a[i]) * int64(a[i])
		bb += int64(b[i]) * int64(b[i])
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return float64(dot) / math.Sqrt(float64(aa)*float64(bb))
}

// usable reports whether the endpoint may be asked now, and why not.
func (f *embeddings) usable() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.failure != nil && f.of.Now().Before(f.until) {
		return f.failure
	}
	return nil
}

func (f *embeddings) failed(err error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.failure, f.until = err, f.of.Now().Add(patience)
	return err
}

// connect makes sure of the endpoint's model and opens its vectors.
func (f *embeddings) connect(ctx context.Context, rebuild bool) (*embedder.FileCache, error) {
	f.open.Lock()
	defer f.open.Unlock()
	if f.cache != nil {
		return f.cache, nil
	}
	if err := f.opts.Remote.Connect(ctx); err != nil {
		return nil, err
	}
	before, err := embedder.LoadIdentity(f.opts.Dir)
	if err != nil {
		return nil, err
	}
	now := f.opts.Remote.Identity()
	if before != nil && before.ID != now.ID && !f.opts.Reindex && !rebuild {
		return nil, changedModel(before.ID, now.ID)
	}
	cache, err := embedder.OpenFileCache(f.opts.Dir, now.ID)
	if err != nil {
		return nil, err
	}
	if err := now.Save(f.opts.Dir); err != nil {
		cache.Close()
		return nil, err
	}
	f.cache = cache
	return cache, nil
}

// changedModel is the error of vectors that can't be compared with new ones.
func changedModel(before, now embed.ID) error {
	what := fmt.Sprintf("the vectors are of %s, the endpoint has %s", before, now)
	if before.Dimensions != now.Dimensions {
		what = fmt.Sprintf("the vectors are of %s with %d dimensions, the endpoint has %s with %d", before, before.Dimensions, now, now.Dimensions)
	}
	return &fault.Error{
		Kind: fault.Embedding, Message: what, Detail: "embeddings.model",
		Remedy: "Run aurora index --embeddings --remake, or set embeddings.reindex_on_model_change.",
	}
}

// direction embeds a question, with whatever vectors of chunks there are.
func (f *embeddings) direction(ctx context.Context, snap *index.Snapshot, query string) (Direction, error) {
	if err := f.usable(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, f.opts.QueryTimeout)
	defer cancel()
	cache, err := f.connect(ctx, false)
	if err != nil {
		return nil, f.failed(err)
	}
	pic := f.snapshot.Load()
	if pic == nil {
		pic = f.draw(snap, cache)
	}
	if pic.number != snap.Number() && f.rounds != nil {
		f.rounds.Kick()
	}
	if 2*pic.missing > len(pic.refs) {
		return nil, errors.New(f.lack())
	}
	space := f.opts.Remote.ID().String()
	key := embedder.NewKey(space, "question\x00"+query)
	vec, known := f.queries.Get(key)
	if !known {
		if vec, err = f.opts.Remote.EmbedQuery(ctx, query); err != nil {
			return nil, f.failed(err)
		}
		f.queries.Put(key, vec)
	}
	return remoteDirection{snap: snap, pic: pic, vec: vec}, nil
}

// lack says how many chunks have no vector, "" when all have one.
func (f *embeddings) lack() string {
	pic := f.snapshot.Load()
	if pic == nil || pic.missing == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d chunks have no vector of the endpoint yet; aurora index --embeddings makes them", pic.missing, len(pic.refs))
}

// draw gathers the vectors that are there.
func (f *embeddings) draw(snap *index.Snapshot, cache *embedder.FileCache) *remoteVectors {
	id := f.opts.Remote.ID()
	pic := &remoteVectors{number: snap.Number(), first: map[*index.File]int{}, space: id.String()}
	b, err := vector.NewBuilder(pic.space, id.Dimensions)
	if err != nil {
		f.of.Log.Error("vectors of the endpoint", "err", err)
		return pic
	}
	for file := range snap.Files() {
		pic.first[file] = len(pic.refs)
		for i := range file.Chunks {
			vec, ok := cache.Get(chunkVectorKey(pic.space, file, i))
			if !ok {
				pic.missing++
			}
			_ = b.Add(len(pic.refs), vec) // of the right length, as the cache has no others
			pic.refs = append(pic.refs, index.Ref{File: file, Index: i})
		}
	}
	pic.seg = b.Build()
	f.snapshot.Store(pic)
	return pic
}

// chunkVectorKey tells a chunk's text from others without reading it.
func chunkVectorKey(space string, file *index.File, i int) embedder.Key {
	c := &file.Chunks[i]
	own := 0
	for _, span := range chunk.OwnSpans(file.File, i) {
		own += span.End - span.Start
	}
	return embedder.NewKey(space, fmt.Sprintf("%s\x00%s\x00%s\x00%x\x00%d", file.Path, c.Container, c.Name, c.Hash, own))
}
