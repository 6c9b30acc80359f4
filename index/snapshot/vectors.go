package snapshot

import (
	"context"
	"math"

	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/embed"
	"github.com/aurora-sidecar/aurora/index/vector"
)

// A vectorizer makes the vectors of a batch. A nil one makes none. It is for one goroutine.
type vectorizer struct {
	model *embed.Static
	vecs  *vector.Builder
	docs  int
	text  []byte // of one chunk
	made  embed.Vector
	known map[chunkKey][]int8 // of the file being added, as it was before
}

// A chunkKey tells whether a chunk has the text that it had, and the names around it.
type chunkKey struct {
	hash            uint64
	name, container string
	own             uint64 // which parts of it are documentation, or belong to no chunk inside it
}

func keyOf(f *File, i int) chunkKey {
	c := &f.Chunks[i]
	k := chunkKey{hash: c.Hash, name: c.Name, container: c.Container}
	for _, span := range append(chunk.OwnSpans(f.File, i), c.Doc) {
		for _, place := range [...]int{span.Start, span.End} {
			k.own = k.own*1_000_003 + uint64(place-c.Span.Start)
		}
	}
	return k
}

func newVectorizer(model *embed.Static) *vectorizer {
	if model == nil {
		return nil
	}
	vecs, err := vector.NewBuilder(model.ID().String(), model.ID().Dimensions)
	if err != nil {
		return nil // a model that no segment could hold is as good as none
	}
	return &vectorizer{model: model, vecs: vecs, known: map[chunkKey][]int8{}}
}

// A Lender is a file whose vectors are there already. The zero Lender has none.
type Lender struct {
	file  *File
	vec   *vector.Segment
	first int
}

// Lender returns what stands at an absolute path.
func (s *Snapshot) Lender(abs string) Lender {
	e, ok := s.files.get(abs)
	if !ok || e.part == nil {
		return Lender{}
	}
	for _, q := range s.parts {
		if q.seg == e.part {
			return Lender{file: e.File, vec: q.vec, first: e.first}
		}
	}
	return Lender{}
}

// begin prepares for the chunks of a file.
func (v *vectorizer) begin(f *File, before Lender) {
	if v == nil {
		return
	}
	clear(v.known)
	if before.vec == nil || before.file.Secrets != f.Secrets || before.vec.Space() != v.model.ID().String() {
		return
	}
	for i := range before.file.Loaded().Chunks {
		if vec := before.vec.Vector(nil, uint32(before.first+i)); vec != nil {
			v.known[keyOf(before.file, i)] = vec
		}
	}
}

// add makes the vector of the next document; text is what f's spans are places in, without secrets.
func (v *vectorizer) add(f *File, i int, text []byte) {
	if v == nil {
		return
	}
	var vec []int8
	if len(v.known) > 0 {
		vec = v.known[keyOf(f, i)]
	}
	if vec == nil {
		v.text = embed.AppendText(v.text[:0], f.Path, f.File, i, text)
		v.made = v.model.AppendVector(v.made[:0], v.text)
		vec = v.made
	}
	_ = v.vecs.Add(v.docs, vec) // fails for another length or order only
	v.docs++
}

// skip leaves n documents without a vector.
func (v *vectorizer) skip(n int) {
	if v == nil {
		return
	}
	for range n {
		_ = v.vecs.Add(v.docs, nil)
		v.docs++
	}
}

// build returns the vectors of the documents added so far and begins the next.
func (v *vectorizer) build() *vector.Segment {
	if v == nil {
		return nil
	}
	v.docs = 0
	return v.vecs.Build()
}

// mergeVectors returns the vectors of the live documents of the parts, numbered as lexical.Merge numbers them; nil when
// one of the parts has none.
func mergeVectors(parts []*Part) *vector.Segment {
	views := make([]vector.View, len(parts))
	for i, p := range parts {
		if p.vec == nil {
			return nil
		}
		views[i] = vector.View{Seg: p.vec, Dead: p.dead}
	}
	return vector.Merge(views)
}

// noVectors stands for the vectors of a part that has none.
var noVectors = func() *vector.Segment {
	b, err := vector.NewBuilder("", 1)
	if err != nil {
		panic(err) // a programming error that every test would show
	}
	return b.Build()
}()

func (p *Part) vectorView() vector.View {
	if p.vec == nil {
		return vector.View{Seg: noVectors}
	}
	return vector.View{Seg: p.vec, Dead: p.dead}
}

// WithoutSecrets returns a text of the file with what looks like a secret blanked, as it is for the words of the index. No
// place in it moves.
func (f *File) WithoutSecrets(text []byte) []byte {
	text, _ = f.Secrets.Blank(text)
	return text
}

// Space names the space of the part's vectors, "" for none.
func (p *Part) Space() string {
	if p.vec == nil {
		return ""
	}
	return p.vec.Space()
}

// SpaceOf names the space of a model's vectors, "" for none.
func SpaceOf(model *embed.Static) string {
	if model == nil {
		return ""
	}
	return model.ID().String()
}

// Embedder names the model whose vectors the snapshot has, "" when it has none.
func (s *Snapshot) Embedder() string { return SpaceOf(s.model) }

// Model is what made the vectors of the snapshot, nil when it has none.
func (s *Snapshot) Model() *embed.Static { return s.model }

// EmbedderDims is the length of the snapshot's vectors, 0 when it has none.
func (s *Snapshot) EmbedderDims() int {
	if s.model == nil {
		return 0
	}
	return s.model.ID().Dimensions
}

// A Direction is what a query, or a chunk, means to the model of a snapshot. The zero Direction is near nothing.
type Direction struct {
	snap *Snapshot
	vec  []int8
	norm float64
}

func (s *Snapshot) direction(vec []int8) Direction {
	return Direction{s, vec, math.Sqrt(float64(dot(vec, vec)))}
}

// Direction embeds a query. It is the zero Direction without a model, or when the model knows no word of the query.
func (s *Snapshot) Direction(ctx context.Context, query string) (Direction, error) {
	if s.model == nil || ctx.Err() != nil {
		return Direction{}, ctx.Err()
	}
	vec := s.model.Vector([]byte(query))
	if len(vec) == 0 {
		return Direction{}, nil
	}
	return s.direction(vec), nil
}

// DirectionOf is the direction of a chunk of this snapshot; the zero Direction when it has no vector.
func (s *Snapshot) DirectionOf(ref Ref) Direction {
	vec := s.Vector(ref)
	if s.model == nil || len(vec) == 0 {
		return Direction{}
	}
	return s.direction(vec)
}

// IsZero reports whether nothing is near.
func (d Direction) IsZero() bool { return len(d.vec) == 0 }

// Nearest is the semantic retriever: the chunks whose vectors point most in the direction, best first. Text of q
// does not count. A chunk is among what is nearest to itself.
func (d Direction) Nearest(q Query) []Hit {
	if d.IsZero() {
		return nil
	}
	limit := q.Limit
	if limit <= 0 {
		limit = 100
	}
	vq := vector.Query{Vector: d.vec, Space: SpaceOf(d.snap.model), Limit: limit}
	if q.Accept != nil || q.Chunk != nil {
		vq.Accept = d.snap.accepts(q)
	}
	results, _ := vector.Search(d.snap.vectors, vq)
	hits := make([]Hit, len(results))
	for i, r := range results {
		hits[i] = Hit{Ref: d.snap.listed(r.View, r.Doc), Cosine: r.Score}
	}
	return loadHits(hits)
}

// Cosine is that of the angle between the direction and a chunk of the snapshot, -1..1; 0 when the chunk has no vector.
func (d Direction) Cosine(ref Ref) float64 {
	if d.IsZero() {
		return 0
	}
	l := d.snap.Lender(ref.File.Abs)
	if l.vec == nil || l.file != ref.File {
		return 0
	}
	return l.vec.Cosines(make([]float64, 0, 1), d.vec, l.first+ref.Index, 1)[0]
}

// CosineOf is that of the angle between the direction and a vector of the same model, -1..1; 0 when one of them is empty.
func (d Direction) CosineOf(vec []int8) float64 {
	if d.IsZero() || len(vec) != len(d.vec) {
		return 0
	}
	return float64(dot(d.vec, vec)) / (d.norm * math.Sqrt(float64(dot(vec, vec))))
}

// Whole is the mean cosine of a file's chunks; 0 when they have no vectors.
func (d Direction) Whole(file *File) float64 {
	if d.IsZero() {
		return 0
	}
	l := d.snap.Lender(file.Abs)
	if l.vec == nil || l.file != file {
		return 0
	}
	cosines := l.vec.Cosines(nil, d.vec, l.first, len(file.Loaded().Chunks))
	return MeanCosine(file, func(i int) float64 { return cosines[i] })
}

// MeanCosine is the mean of the cosines of a file's chunks, where a chunk counts with the square root of its length: one long
// function says more of a file than a short one, and less than ten.
func MeanCosine(file *File, of func(chunk int) float64) float64 {
	sum, all := 0.0, 0.0
	chunks := file.Loaded().Chunks
	for i := range chunks {
		weight := math.Sqrt(float64(chunks[i].Span.End - chunks[i].Span.Start))
		sum, all = sum+weight*of(i), all+weight
	}
	if all == 0 {
		return 0
	}
	return sum / all
}

// CosineTo is that of the angle between two directions of one snapshot, -1..1; 0 when one of them is zero.
func (d Direction) CosineTo(o Direction) float64 {
	if d.IsZero() || len(d.vec) != len(o.vec) {
		return 0
	}
	return float64(dot(d.vec, o.vec)) / (d.norm * o.norm)
}

func dot(a, b []int8) int64 {
	var sum int64
	for i := range a {
		sum += int64(a[i]) * int64(b[i])
	}
	return sum
}

// Vector returns the vector of a chunk of this snapshot, nil when it has none.
func (s *Snapshot) Vector(ref Ref) []int8 {
	l := s.Lender(ref.File.Abs)
	if l.vec == nil || l.file != ref.File {
		return nil
	}
	return l.vec.Vector(nil, uint32(l.first+ref.Index))
}
