package convlog

import (
	"context"
	"errors"
	"io/fs"
	"os"
)

// Purge deletes the conversations whose text or name holds something, and returns the names of these, and the files that could not be
// read.
func (b *Book) Purge(ctx context.Context, holds func(string) bool) (gone, left []string, err error) {
	files, err := b.Files(ctx, Span{})
	if err != nil {
		return nil, nil, err
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
			} else {
				gone = append(gone, f.Name)
			}
		}
	}
	return gone, left, errors.Join(errs...)
}
