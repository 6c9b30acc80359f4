package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/aurora-sidecar/aurora/engine/embedder"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/embed"
	"github.com/aurora-sidecar/aurora/index/vector"
)

// Embeddings is an endpoint whose vectors take the place of those of the model in the program.
type Embeddings struct {
	Remote  *embedder.Remote
	Dir     string // of the vectors; "" keeps them in memory
	Reindex bool   // makes all vectors anew when the endpoint has another model than before
	Batch   int    // texts of one round trip; 0 means 128
	// QueryTimeout bounds how long a search waits for the vector of its question; 0 means 3 s.
	QueryTimeout time.Duration
}

const (
	usualQueryTimeout = 3 * time.Second
	// patience is how long an endpoint that failed is left alone: searches must not wait for it again and again.
	patience = 30 * time.Second
)

// A direction is what a text means, in the space of some model.
type direction interface {
	Nearest(index.Query) []index.Hit
	Cosine(index.Ref) float64
	CosineOf(vec []int8) float64
	IsZero() bool
}

// embeddings keeps the vectors of an endpoint for the chunks of the present snapshot. A round asks for what is missing,
// in the background; it is started as those of signals are.
type embeddings struct {
	engine *Engine
	opts   Embeddings
	rounds *rounds // nil where nothing runs in the background

	busy    sync.Mutex // held while vectors are made
	open    sync.Mutex // held while the cache is opened
	cache   *embedder.FileCache
	picture atomic.Pointer[farPicture]

	mu      sync.Mutex
	failure error // of the last try
	until   time.Time
	queries *embedder.MemoryCache
}

// A farPicture is the vectors of one snapshot.
type farPicture struct {
	number  uint64
	seg     *vector.Segment
	refs    []index.Ref
	first   map[*index.File]int // number of a file's first chunk
	missing int                 // chunks without a vector
	space   string
}

// newEmbeddings keeps the vectors of an endpoint up to date when stays is set; else only MigrateEmbeddings makes some.
func newEmbeddings(e *Engine, opts Embeddings, stays bool) *embeddings {
	opts.Batch, opts.QueryTimeout = cmp.Or(opts.Batch, 128), cmp.Or(opts.QueryTimeout, usualQueryTimeout)
	f := &embeddings{engine: e, opts: opts, queries: embedder.NewMemoryCache(1000)}
	if stays {
		f.rounds = newRounds(f.round)
		f.rounds.follow(e.opts.Index)
	}
	return f
}

// round fills in what is missing, unless the endpoint failed lately.
func (f *embeddings) round() {
	if f.usable() != nil {
		return
	}
	if _, err := f.fill(f.rounds.ctx, nil); err != nil && f.rounds.ctx.Err() == nil {
		f.engine.log.Warn("vectors of the endpoint were not made", "err", err)
	}
}

func (f *embeddings) close() error {
	if f.rounds != nil {
		f.rounds.close()
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
	if f.failure != nil && f.engine.now().Before(f.until) {
		return f.failure
	}
	return nil
}

func (f *embeddings) failed(err error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.failure, f.until = err, f.engine.now().Add(patience)
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

// changedModel is the error of vectors that can't be compared with new ones (EMB-007).
func changedModel(before, now embed.ID) error {
	what := fmt.Sprintf("the vectors are of %s, the endpoint has %s", before, now)
	if before.Dimensions != now.Dimensions {
		what = fmt.Sprintf("the vectors are of %s with %d dimensions, the endpoint has %s with %d", before, before.Dimensions, now, now.Dimensions)
	}
	return &Error{
		Kind: Embedding, Message: what, Detail: "embeddings.model",
		Remedy: "Run aurora mem migrate-embeddings --rebuild, or set embeddings.reindex_on_model_change.",
	}
}

// direction embeds a question, with whatever vectors of chunks there are.
func (f *embeddings) direction(ctx context.Context, snap *index.Snapshot, query string) (direction, error) {
	if err := f.usable(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, f.opts.QueryTimeout)
	defer cancel()
	cache, err := f.connect(ctx, false)
	if err != nil {
		return nil, f.failed(err)
	}
	pic := f.picture.Load()
	if pic == nil {
		pic = f.draw(snap, cache)
	}
	if pic.number != snap.Number() && f.rounds != nil {
		f.rounds.kick()
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
	return farDirection{snap: snap, pic: pic, vec: vec}, nil
}

// lack says how many chunks have no vector, "" when all have one.
func (f *embeddings) lack() string {
	pic := f.picture.Load()
	if pic == nil || pic.missing == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d chunks have no vector of the endpoint yet; aurora mem migrate-embeddings makes them", pic.missing, len(pic.refs))
}

// draw gathers the vectors that are there.
func (f *embeddings) draw(snap *index.Snapshot, cache *embedder.FileCache) *farPicture {
	id := f.opts.Remote.ID()
	pic := &farPicture{number: snap.Number(), first: map[*index.File]int{}, space: id.String()}
	b, err := vector.NewBuilder(pic.space, id.Dimensions)
	if err != nil {
		f.engine.log.Error("vectors of the endpoint", "err", err)
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
	f.picture.Store(pic)
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

// A farDirection is a question in the space of an endpoint.
type farDirection struct {
	snap *index.Snapshot
	pic  *farPicture
	vec  embed.Vector
}

func (d farDirection) IsZero() bool { return len(d.vec) == 0 || d.pic.seg == nil }

// Nearest implements direction. A chunk of a file that changed since its vectors were gathered is not among them.
func (d farDirection) Nearest(q index.Query) []index.Hit {
	accept := func(_ int, doc uint32) bool {
		ref := d.pic.refs[doc]
		now, ok := d.snap.File(ref.File.Abs)
		return ok && now == ref.File && (q.Accept == nil || q.Accept(ref.File)) && (q.Chunk == nil || q.Chunk(ref))
	}
	results, _ := vector.Search([]vector.View{{Seg: d.pic.seg}}, vector.Query{Vector: d.vec, Space: d.pic.space, Limit: q.Limit, Accept: accept})
	hits := make([]index.Hit, len(results))
	for i, r := range results {
		hits[i] = index.Hit{Ref: d.pic.refs[r.Doc], Cosine: r.Score}
	}
	return hits
}

// Cosine implements direction.
func (d farDirection) Cosine(ref index.Ref) float64 {
	first, ok := d.pic.first[ref.File]
	if !ok || d.IsZero() {
		return 0
	}
	return cosine(d.vec, d.pic.seg.Vector(nil, uint32(first+ref.Index)))
}

// CosineOf implements direction.
func (d farDirection) CosineOf(vec []int8) float64 { return cosine(d.vec, vec) }

// EmbeddingCounts tell of a round.
type EmbeddingCounts struct {
	Chunks  int    // in the snapshot
	Records int    // of memory
	Without int    // records that failed
	Made    int    // vectors that were asked for
	Failed  int    // chunks
	Model   string // id of the endpoint's model
	Removed int    // files with vectors of other models
}

// MigrateEmbeddings asks the endpoint for every vector that is missing, and then forgets those of other models. With rebuild
// it does so even when the endpoint's model changed; else that is an error of kind Embedding. tell, which may be
// nil, is told how many chunks are done.
func (e *Engine) MigrateEmbeddings(ctx context.Context, rebuild bool, tell func(done, total int)) (*EmbeddingCounts, error) {
	f := e.far
	if f == nil {
		return nil, &Error{
			Kind: Invalid, Message: "no embedding endpoint is configured: the vectors of the model in the program are made with the index",
			Detail: "embeddings.model", Remedy: "Set embeddings.provider and embeddings.model to use an endpoint.",
		}
	}
	if _, err := f.connect(ctx, rebuild); err != nil {
		return nil, err
	}
	counts, err := f.fill(ctx, tell)
	if err != nil {
		return nil, err
	}
	if counts.Failed+counts.Without == 0 && f.opts.Dir != "" {
		counts.Removed, err = embedder.RemoveOthers(f.opts.Dir, f.opts.Remote.ID())
	}
	return counts, err
}

// fill asks for the vectors that the present snapshot lacks.
func (f *embeddings) fill(ctx context.Context, tell func(done, total int)) (*EmbeddingCounts, error) {
	f.busy.Lock()
	defer f.busy.Unlock()
	cache, err := f.connect(ctx, false)
	if err != nil {
		return nil, f.failed(err)
	}
	snap := f.engine.opts.Index.Snapshot()
	id := f.opts.Remote.ID()
	counts := &EmbeddingCounts{Model: id.String()}
	b := &farBatch{far: f, cache: cache, counts: counts}
	_, counts.Chunks = snap.Counts()
	done := 0
	for file := range snap.Files() {
		shelf := f.engine.newShelf()
		for i := range file.Chunks {
			done++
			key := chunkVectorKey(id.String(), file, i)
			if _, known := cache.Get(key); known {
				continue
			}
			ref := index.Ref{File: file, Index: i}
			doc, fresh, ok := shelf.open(ref)
			if !ok || fresh.Chunk().Hash != ref.Chunk().Hash {
				continue // it changed: a later round sees it
			}
			b.add(key, ref.ID(), embed.Text(file.Path, fresh.File.File, fresh.Index, file.WithoutSecrets(doc.text)))
			if b.full() {
				if err := b.send(ctx); err != nil {
					return counts, f.failed(err)
				}
				if tell != nil {
					tell(done, counts.Chunks)
				}
			}
		}
	}
	if err := b.send(ctx); err != nil {
		return counts, f.failed(err)
	}
	if err := f.fillRecords(ctx, b); err != nil {
		return counts, f.failed(err)
	}
	f.draw(snap, cache)
	if counts.Made+counts.Failed > 0 {
		f.engine.log.Info(fmt.Sprintf("Indexed %d/%d chunks (%d failed)", counts.Chunks-counts.Failed, counts.Chunks, counts.Failed), "model", counts.Model)
	}
	return counts, nil
}

// A farBatch gathers texts for one round trip.
type farBatch struct {
	far    *embeddings
	cache  *embedder.FileCache
	counts *EmbeddingCounts
	keys   []embedder.Key
	ids    []string
	texts  [][]byte
}

func (b *farBatch) add(key embedder.Key, id string, text []byte) {
	b.keys, b.ids, b.texts = append(b.keys, key), append(b.ids, id), append(b.texts, text)
}

func (b *farBatch) full() bool { return len(b.texts) >= b.far.opts.Batch }

// send asks for the vectors. One text that fails costs its own only; when all of them fail, so does the round.
func (b *farBatch) send(ctx context.Context) error {
	if len(b.texts) == 0 {
		return nil
	}
	vectors, err := b.far.opts.Remote.Embed(ctx, b.texts)
	var partial *embed.PartialError
	if err != nil && (!errors.As(err, &partial) || len(partial.Failed) == len(b.texts)) {
		return err
	}
	for i, v := range vectors {
		if len(v) > 0 {
			b.cache.Put(b.keys[i], v)
			b.counts.Made++
			continue
		}
		b.counts.Failed++
		if partial != nil {
			b.far.engine.log.Warn(fmt.Sprintf("Failed to generate embedding for chunk %s: %v", b.ids[i], partial.Failed[i]))
		}
	}
	b.keys, b.ids, b.texts = nil, nil, nil
	return nil
}
