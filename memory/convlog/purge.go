package convlog

import (
	"context"
	"errors"
	"io/fs"
	"os"
)

// Purge deletes the conversations whose text or name holds something, and returns the files that could not be read. What is
// known of them by an index is gone with its next Sync.
func (b *Book) Purge(ctx context.Context, holds func(string) bool) (left []string, err error) {
	files, err := b.Files(ctx, Span{})
	if err != nil {
		return nil, err
	}
	var errs []error
	for _, f := range files {
		text, err := b.Text(f, maxUnpacked)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			left = append(left, f.Path)
		case holds(text) || holds(f.Name):
			if err := os.Remove(f.Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				errs = append(errs, err)
			}
		}
	}
	return left, errors.Join(errs...)
}
