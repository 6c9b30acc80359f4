package eval

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/gob"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/aurora-sidecar/aurora/index/embed/sentence"
	"github.com/aurora-sidecar/aurora/memory"
)

// keptVectors are vectors of records by what they say, since making them takes most of the time of a measurement.
type keptVectors struct {
	file   string // "" keeps them in memory alone
	space  string
	byText map[[sha256.Size]byte][]int8
}

func openKeptVectors(file string) (*keptVectors, error) {
	model, err := sentence.Default()
	if err != nil {
		return nil, err
	}
	k := &keptVectors{file: file, space: model.ID().String(), byText: map[[sha256.Size]byte][]int8{}}
	if file == "" {
		return k, nil
	}
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return k, nil
	}
	if err == nil {
		err = gob.NewDecoder(bytes.NewReader(data)).Decode(&k.byText)
	}
	if err != nil {
		return nil, fmt.Errorf("read vectors: %w", err)
	}
	return k, nil
}

func (k *keptVectors) save() error {
	if k.file == "" {
		return nil
	}
	var data bytes.Buffer
	if err := gob.NewEncoder(&data).Encode(k.byText); err != nil {
		return fmt.Errorf("keep vectors: %w", err)
	}
	return os.WriteFile(k.file, data.Bytes(), 0o600)
}

// key is of the space, too: another model's vectors are others.
func (k *keptVectors) key(t memory.RecordText) [sha256.Size]byte {
	return sha256.Sum256([]byte(k.space + "\x00" + t.Title + "\n" + t.Content))
}

// fill gives every record of a memory its vector.
func (k *keptVectors) fill(ctx context.Context, r *recaller) error {
	var known []memory.RecordVector
	texts := map[string]memory.RecordText{}
	var ids []string
	_, err := r.store.Texts(ctx, memory.TextMark{}, func(t memory.RecordText) {
		texts[t.ID], ids = t, append(ids, t.ID)
		if vector := k.byText[k.key(t)]; vector != nil {
			known = append(known, memory.RecordVector{Of: t, Vector: vector})
		}
	})
	if err != nil {
		return err
	}
	if err := r.store.KeepVectors(ctx, k.space, known); err != nil {
		return err
	}
	if err := r.engine.FillRecordVectors(ctx); err != nil {
		return err
	}
	return r.store.Vectors(ctx, k.space, ids, func(id string, vector []int8) { k.byText[k.key(texts[id])] = vector })
}
