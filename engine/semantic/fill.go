package semantic

import (
	"context"
	"errors"
	"fmt"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/embedder"
	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/embed"
)

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

// Migrate asks the endpoint for every vector that is missing, and then forgets those of other models. With rebuild
// it does so even when the endpoint's model changed; else that is an error of kind Embedding. tell, which may be
// nil, hears how many chunks are done.
func (v *Vectors) Migrate(ctx context.Context, rebuild bool, tell func(done, total int)) (*EmbeddingCounts, error) {
	f := v.remote
	if f == nil {
		return nil, &fault.Error{
			Kind: fault.Invalid, Message: "no embedding endpoint is configured: the vectors of the model in the program are made with the index",
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
	snap := f.of.Index.Snapshot()
	id := f.opts.Remote.ID()
	counts := &EmbeddingCounts{Model: id.String()}
	b := &batch{remote: f, cache: cache, counts: counts}
	_, counts.Chunks = snap.Counts()
	done := 0
	for file := range snap.Files() {
		docs := codebase.NewDocumentCache(f.of.Index)
		for i := range file.Chunks {
			done++
			key := chunkVectorKey(id.String(), file, i)
			if _, known := cache.Get(key); known {
				continue
			}
			ref := index.Ref{File: file, Index: i}
			doc, fresh, ok := docs.Open(ref)
			if !ok || fresh.Chunk().Hash != ref.Chunk().Hash {
				continue // it changed: a later round sees it
			}
			b.add(key, ref.ID(), embed.Text(file.Path, fresh.File.File, fresh.Index, file.WithoutSecrets(doc.Text)))
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
		f.of.Log.Info(fmt.Sprintf("Indexed %d/%d chunks (%d failed)", counts.Chunks-counts.Failed, counts.Chunks, counts.Failed), "model", counts.Model)
	}
	return counts, nil
}

// A batch gathers texts for one round trip.
type batch struct {
	remote *embeddings
	cache  *embedder.FileCache
	counts *EmbeddingCounts
	keys   []embedder.Key
	ids    []string
	texts  [][]byte
}

func (b *batch) add(key embedder.Key, id string, text []byte) {
	b.keys, b.ids, b.texts = append(b.keys, key), append(b.ids, id), append(b.texts, text)
}

func (b *batch) full() bool { return len(b.texts) >= b.remote.opts.Batch }

// send asks for the vectors. One text that fails costs its own only; when all of them fail, so does the round.
func (b *batch) send(ctx context.Context) error {
	if len(b.texts) == 0 {
		return nil
	}
	vectors, err := b.remote.opts.Remote.Embed(ctx, b.texts)
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
			b.remote.of.Log.Warn(fmt.Sprintf("Failed to generate embedding for chunk %s: %v", b.ids[i], partial.Failed[i]))
		}
	}
	b.keys, b.ids, b.texts = nil, nil, nil
	return nil
}
