package journal

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/aurora-sidecar/aurora/memory"
)

// Purge drops the detail of all questions of which holds is true, and deletes their Markdown files, and those of which it is
// true. gone are the names of these, left the files that could not be read. A nil Journal has none.
func (j *Journal) Purge(ctx context.Context, holds func(string) bool) (questions int, gone, left []string, err error) {
	if j == nil {
		return 0, nil, nil, nil
	}
	j.logging.Lock()
	defer j.logging.Unlock()
	ids, err := j.holding(ctx, holds)
	if err != nil {
		return 0, nil, nil, err
	}
	if j.opts.Logs != nil {
		gone, left, err = j.opts.Logs.Purge(ctx, holds)
	}
	if len(ids)+len(gone) > 0 {
		err = errors.Join(err, j.store.Erase(ctx, ids, gone))
	}
	return len(ids), gone, left, err
}

// holding returns the ids of the questions whose detail holds something. One that can't be unpacked is taken to.
func (j *Journal) holding(ctx context.Context, holds func(string) bool) ([]string, error) {
	var found []string
	for _, kind := range []struct {
		list func(context.Context) ([]string, error)
		read func(context.Context, string) ([]byte, error)
	}{{j.store.QuestionIDs, j.store.Question}, {j.store.Unlogged, j.store.ToLog}} {
		ids, err := kind.list(ctx)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			detail, err := kind.read(ctx, id)
			if errors.Is(err, memory.ErrNotFound) {
				continue
			}
			if err != nil {
				return nil, fmt.Errorf("read the question %s: %w", id, err)
			}
			if text, err := unpacked(detail); err != nil || holds(text) {
				found = append(found, id)
			}
		}
	}
	return found, nil
}

// unpacked is all text of a detail.
func unpacked(detail []byte) (string, error) {
	z, err := gzip.NewReader(bytes.NewReader(detail))
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(io.LimitReader(z, maxDetail))
	return string(text), err
}
