package cryptvfs

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"

	"github.com/aurora-sidecar/aurora/internal/atrest"
)

// A pageFile is a database on disk of which nothing is in a log, encrypted or not.
type pageFile struct {
	io.ReaderAt
	unlocked *Unlocked // nil when it is plain
	pageSize int
	pages    int64
	sealed   []byte
}

// openPages looks at a file. Keys are needed for an encrypted one only.
func openPages(f *os.File, keys *atrest.Keys) (*pageFile, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	head := make([]byte, headerSize)
	if _, err := f.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	p := &pageFile{ReaderAt: f}
	if string(head[:len(Magic)]) == Magic {
		if p.unlocked, err = unlockHead(head, keys); err != nil {
			return nil, err
		}
		p.pageSize = p.unlocked.pageSize
		p.pages = pages{int64(p.pageSize)}.logical(info.Size()) / int64(p.pageSize)
		p.sealed = make([]byte, p.pageSize+overhead)
		return p, nil
	}
	// https://sqlite.org/fileformat.html#the_database_header: 1 stands for 65,536.
	p.pageSize = int(binary.BigEndian.Uint16(head[16:]))
	if p.pageSize == 1 {
		p.pageSize = 65536
	}
	if string(head[:16]) != "SQLite format 3\x00" || !isPageSize(p.pageSize) {
		return nil, fmt.Errorf("%s is not a database", f.Name())
	}
	p.pages = info.Size() / int64(p.pageSize)
	return p, nil
}

func (p *pageFile) close() {
	if p.unlocked != nil {
		p.unlocked.Lock()
	}
}

// page reads page n, from 0, into buf.
func (p *pageFile) page(n int64, buf []byte) error {
	if p.unlocked == nil {
		_, err := p.ReadAt(buf, n*int64(p.pageSize))
		return err
	}
	u := pages{int64(p.pageSize)}.at(n * int64(p.pageSize))
	if _, err := p.ReadAt(p.sealed, u.physical); err != nil {
		return err
	}
	if !unseal(p.unlocked.main, buf, p.sealed, u.index) {
		return fmt.Errorf("page %d: %w", n+1, atrest.ErrDamaged)
	}
	return nil
}

// digest reads all pages.
func (p *pageFile) digest(ctx context.Context) ([]byte, error) {
	sum := sha256.New()
	err := p.each(ctx, sum, func(int64, []byte) error { return nil })
	return sum.Sum(nil), err
}

// each calls do with every page, and adds it to sum.
func (p *pageFile) each(ctx context.Context, sum hash.Hash, do func(n int64, page []byte) error) error {
	buf := make([]byte, p.pageSize)
	defer clear(buf)
	for n := range p.pages {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := p.page(n, buf); err != nil {
			return err
		}
		sum.Write(buf) // never fails
		if err := do(n, buf); err != nil {
			return err
		}
	}
	return nil
}

// Copy writes the database in from to a new file at to, with mode 0600: encrypted with the first key of toKeys and a page key
// of its own, or plain when there is none. What was written is read back and compared before Copy returns; a file that
// is there is replaced. Nothing may be in a log, and nobody may write. The caller closes from: that would drop this
// process's locks on it.
func Copy(ctx context.Context, from *os.File, fromKeys *atrest.Keys, to string, toKeys *atrest.Keys) (err error) {
	source, err := openPages(from, fromKeys)
	if err != nil {
		return err
	}
	defer source.close()
	if err := os.Remove(to); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	f, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if err = errors.Join(err, f.Close()); err != nil {
			err = errors.Join(err, os.Remove(to))
		}
	}()
	sum := sha256.New()
	if err := source.copyTo(ctx, f, toKeys, sum); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	copied, err := openPages(f, toKeys)
	if err != nil {
		return fmt.Errorf("read the copy back: %w", err)
	}
	defer copied.close()
	got, err := copied.digest(ctx)
	if err != nil {
		return fmt.Errorf("read the copy back: %w", err)
	}
	if string(got) != string(sum.Sum(nil)) {
		return errors.New("the copy is not what was read; check the disk")
	}
	return nil
}

// copyTo writes all pages to f.
func (p *pageFile) copyTo(ctx context.Context, f *os.File, keys *atrest.Keys, sum hash.Hash) error {
	w := bufio.NewWriterSize(f, 1<<20)
	if keys.Count() == 0 {
		err := p.each(ctx, sum, func(_ int64, page []byte) error {
			_, err := w.Write(page)
			return err
		})
		return errors.Join(err, w.Flush())
	}
	head, err := newHeader(keys, p.pageSize)
	if err != nil {
		return err
	}
	own, err := unlockHead(head, keys)
	if err != nil {
		return err
	}
	defer own.Lock()
	if _, err := w.Write(head); err != nil {
		return err
	}
	at, sealed := int64(headerSize), make([]byte, p.pageSize+overhead)
	err = p.each(ctx, sum, func(n int64, page []byte) error {
		u := pages{int64(p.pageSize)}.at(n * int64(p.pageSize))
		if gap := u.physical - at; gap > 0 {
			if _, err := w.Write(make([]byte, gap)); err != nil {
				return err
			}
		}
		at = u.physical + int64(len(sealed))
		_, err := w.Write(seal(own.main, sealed, page, u.index))
		return err
	})
	return errors.Join(err, w.Flush())
}
