package cryptvfs

import (
	"io"
	"os"

	"github.com/aurora-sidecar/aurora/internal/atrest"
)

// Pages are those of a database on disk, encrypted or not, whatever state its trees are in. What is in a log is not seen.
type Pages struct{ file *pageFile }

// ReadPages looks at a database. Keys are needed for an encrypted one; of a plain one whose header is broken the pages are taken for
// those of DefaultPageSize. The caller closes f, after Close.
func ReadPages(f *os.File, keys *atrest.Keys) (*Pages, error) {
	head := make([]byte, len(Magic))
	if _, err := io.ReadFull(f, head); err != nil {
		return nil, err
	}
	p, err := openPages(f, keys)
	if err == nil {
		return &Pages{p}, nil
	}
	if string(head) == Magic {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return &Pages{&pageFile{ReaderAt: f, pageSize: DefaultPageSize, pages: info.Size() / DefaultPageSize}}, nil
}

// Close ends the use of the pages.
func (p *Pages) Close() { p.file.close() }

// PageSize is the size of a page in bytes.
func (p *Pages) PageSize() int { return p.file.pageSize }

// Pages is the number of whole pages.
func (p *Pages) Pages() int64 { return p.file.pages }

// Page reads page n, from 1, into buf. It fails when the page can't be read or was changed by somebody without the key.
func (p *Pages) Page(n int64, buf []byte) error { return p.file.page(n-1, buf) }
