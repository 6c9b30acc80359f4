package embedder

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	openai "github.com/sashabaranov/go-openai"

	"github.com/aurora-sidecar/aurora/index/embed"
	"github.com/aurora-sidecar/aurora/internal/retryafter"
	"github.com/aurora-sidecar/aurora/internal/scrub"
)

// Why a text has no vector.
var (
	// errDimensions says that a vector has another length than the ones before. Vectors of two lengths can't be
	// compared: the index has to be embedded again, or the model set right.
	errDimensions = errors.New("the embedding endpoint gave a vector of the wrong length")

	// errMissing says that an endpoint left a text without a vector.
	errMissing = errors.New("the embedding endpoint left the text out")
)

// Remote is an embed.Embedder over HTTP.
type Remote struct {
	options Options
	client  *openai.Client
	pace    pace
	wait    func(context.Context, time.Duration) error // replaced by tests

	mu       sync.Mutex // held while the endpoint is asked who it is
	known    bool
	identity Identity
}

// New returns an embedder for the endpoint. It does not ask it anything: see Connect.
func New(o Options) (*Remote, error) {
	o, err := o.normal()
	if err != nil {
		return nil, err
	}
	config := openai.DefaultConfig(o.APIKey)
	config.BaseURL = o.BaseURL
	config.HTTPClient = doer{}
	return &Remote{options: o, client: openai.NewClientWithConfig(config), wait: retryafter.Wait, pace: newPace(o.PerMinute)}, nil
}

// Connect asks the endpoint for the vectors of the probe, which tells whether it is there, how long its vectors are, and
// whether it is the model that Options.Previous speaks of. The other methods call it when it has not succeeded yet.
func (r *Remote) Connect(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.known {
		return nil
	}
	probe, err := r.probe(ctx)
	if err != nil {
		return fmt.Errorf("connect to the embedding endpoint: %w", err)
	}
	id := embed.ID{Model: r.options.Model, Dimensions: len(probe[0]), Fingerprint: embed.Fingerprint(probe)}
	r.identity, r.known = Identity{id, probe}, true
	if p := r.options.Previous; p != nil && p.ID.Model == id.Model && sameDirections(p.Probe, probe) {
		r.identity = *p
	}
	return nil
}

// probe returns the vectors of embed.Probe, fresh from the endpoint.
func (r *Remote) probe(ctx context.Context) ([]embed.Vector, error) {
	var texts []string
	for _, t := range embed.Probe() {
		texts = append(texts, string(t))
	}
	b := newBatch(texts, r.options.Dimensions)
	r.fill(ctx, b)
	return b.vectors, b.firstError()
}

// Identity returns who the endpoint is, once Connect succeeded; before, only the model's name.
func (r *Remote) Identity() Identity {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.known {
		return Identity{ID: embed.ID{Model: r.options.Model, Dimensions: r.options.Dimensions}}
	}
	return r.identity
}

// ID implements embed.Embedder. It is complete once Connect succeeded.
func (r *Remote) ID() embed.ID { return r.Identity().ID }

// EmbedQuery implements embed.Embedder.
func (r *Remote) EmbedQuery(ctx context.Context, query string) (embed.Vector, error) {
	vectors, err := r.Embed(ctx, [][]byte{[]byte(query)})
	if err != nil {
		return nil, fmt.Errorf("embed query: %w", err)
	}
	return vectors[0], nil
}

// Embed implements embed.Embedder. Texts that came earlier in the call cost no request; an empty text has no vector and costs
// none either.
func (r *Remote) Embed(ctx context.Context, texts [][]byte) ([]embed.Vector, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	if err := r.Connect(ctx); err != nil {
		return nil, err
	}
	j := newJob(r, texts)
	for chunk := range slices.Chunk(j.missing, r.options.Batch) {
		if err := j.run(ctx, chunk); err != nil {
			return nil, err
		}
	}
	return j.result()
}

// prepare returns the text as it is sent.
func (r *Remote) prepare(text []byte) string {
	text, _ = scrub.Blank(text)
	if len(text) > maxTextBytes {
		cut := maxTextBytes
		for cut > 0 && text[cut]&0xC0 == 0x80 { // inside a rune
			cut--
		}
		text = text[:cut]
	}
	return string(text)
}

// delay returns how long to wait before a retry: the endpoint's own word, or else a time that doubles, of which up to a
// half is chance, so that many clients do not come back together.
func (r *Remote) delay(retry int, after time.Duration) time.Duration {
	if after > 0 {
		return after
	}
	d := firstDelay << min(retry, 10)
	return d/2 + time.Duration(rand.Int64N(int64(d/2)+1))
}

// sameDirections reports whether two probes come from the same model: all pairs of vectors point almost the same way.
func sameDirections(a, b []embed.Vector) bool {
	if len(a) != len(b) || len(a) == 0 {
		return false
	}
	for i := range a {
		if len(a[i]) != len(b[i]) || cosine(a[i], b[i]) < .99 {
			return false
		}
	}
	return true
}

func cosine(a, b embed.Vector) float64 {
	var dot, aa, bb float64
	for i := range a {
		dot += float64(a[i]) * float64(b[i])
		aa += float64(a[i]) * float64(a[i])
		bb += float64(b[i]) * float64(b[i])
	}
	return dot / max(math.Sqrt(aa*bb), 1)
}
