package embedder

import (
	"context"
	"crypto/sha256"

	"github.com/aurora-sidecar/aurora/index/embed"
)

// A job is one call of Embed: which of its texts have to be asked for, each once.
type job struct {
	remote  *Remote
	space   string
	dims    int
	keys    []Key // of each text
	vectors map[Key]embed.Vector
	errs    map[Key]error
	sent    map[Key]string
	missing []Key // in order of the texts
}

func newJob(r *Remote, texts [][]byte) *job {
	id := r.ID()
	j := &job{
		remote: r, space: id.String(), dims: id.Dimensions, keys: make([]Key, len(texts)),
		vectors: map[Key]embed.Vector{}, errs: map[Key]error{}, sent: map[Key]string{},
	}
	for i, t := range texts {
		text := r.prepare(t)
		key := keyOf(j.space, text)
		j.keys[i] = key
		if _, known := j.sent[key]; known || text == "" {
			continue
		}
		j.sent[key] = text
		j.missing = append(j.missing, key)
	}
	return j
}

// run asks for some of the missing texts. It fails only when ctx ends.
func (j *job) run(ctx context.Context, keys []Key) error {
	texts := make([]string, len(keys))
	for i, key := range keys {
		texts[i] = j.sent[key]
	}
	b := newBatch(texts, j.dims)
	j.remote.fill(ctx, b)
	if err := ctx.Err(); err != nil {
		return j.remote.explain(ctx, err)
	}
	for i, key := range keys {
		if j.errs[key] = b.errs[i]; b.errs[i] != nil {
			continue
		}
		j.vectors[key] = b.vectors[i]
	}
	return nil
}

// result returns the vectors by text.
func (j *job) result() ([]embed.Vector, error) {
	vectors := make([]embed.Vector, len(j.keys))
	partial := &embed.PartialError{Failed: map[int]error{}, Total: len(j.keys)}
	for i, key := range j.keys {
		vectors[i] = j.vectors[key]
		if err := j.errs[key]; err != nil {
			partial.Failed[i] = err
		}
	}
	if len(partial.Failed) > 0 {
		return vectors, partial
	}
	return vectors, nil
}

// A Key stands for a text in the space of one model.
type Key [sha256.Size]byte

func keyOf(space, text string) Key {
	h := sha256.New()
	h.Write([]byte(space))
	h.Write([]byte{0})
	h.Write([]byte(text))
	return Key(h.Sum(nil))
}
