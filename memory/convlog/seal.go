package convlog

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"path/filepath"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/atrest"
)

// sealedEnding follows ".md" in the name of an encrypted conversation, which is compressed before.
const sealedEnding = ".gz" + atrest.Ending

// bare is a name without what says in which form the file is.
func bare(name string) string {
	return strings.TrimSuffix(strings.TrimSuffix(name, atrest.Ending), ".gz")
}

// seal compresses and encrypts a text.
func (b *Book) seal(text string) ([]byte, error) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, err := w.Write([]byte(text))
	if err := errors.Join(err, w.Close()); err != nil {
		return nil, err
	}
	return b.opts.Encryption.Seal(packed.Bytes())
}

// Convert encrypts all conversations, or makes them plain, as the book's policy says; those that are so already are left.
// Their names stay, but for the ending, since records refer to them. A file that fails is left as it is, and told in the error.
func (b *Book) Convert(ctx context.Context) (converted int, err error) {
	files, err := b.Files(ctx, Span{})
	if err != nil {
		return 0, err
	}
	var errs []error
	folders := map[string]bool{}
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return converted, err
		}
		folders[filepath.Dir(f.Path)] = true
		if b.opts.Encryption.Enabled && !f.Compressed && !f.Encrypted {
			if err := compress(f); err != nil {
				errs = append(errs, err)
				continue
			}
			f.Path += ".gz"
		}
		changed, err := b.opts.Encryption.Convert(f.Path)
		if err != nil {
			errs = append(errs, err)
		} else if changed {
			converted++
		}
	}
	for folder := range folders {
		errs = append(errs, atrest.RemoveUnfinished(folder))
	}
	return converted, errors.Join(errs...)
}

// Forms counts the conversations that are plain and encrypted.
func (b *Book) Forms(ctx context.Context) (plain, encrypted int, err error) {
	files, err := b.Files(ctx, Span{})
	for _, f := range files {
		if f.Encrypted {
			encrypted++
		} else {
			plain++
		}
	}
	return plain, encrypted, err
}
