package convlog

import (
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/internal/atrest"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// A File is one conversation on disk.
type File struct {
	Path       string    // absolute
	Name       string    // below the book's folder: 2025/12/oauth-authentication-2025-12-13.md, compressed or not
	Date       time.Time // the day in the name; of a file without one, the first of the month of its folder
	Size       int64     // bytes on disk
	ModTime    time.Time
	Compressed bool
	Encrypted  bool
}

// A Span is a time in days; both ends belong to it, and a zero one is open.
type Span struct{ From, To time.Time }

func (s Span) holds(t time.Time) bool {
	date := t.Format(time.DateOnly) // a day is the same day in all time zones
	return (s.From.IsZero() || date >= s.From.Format(time.DateOnly)) && (s.To.IsZero() || date <= s.To.Format(time.DateOnly))
}

// touches reports whether a month has days of the span.
func (s Span) touches(month time.Time) bool {
	last := month.AddDate(0, 1, -1)
	return (s.From.IsZero() || last.Format(time.DateOnly) >= s.From.Format(time.DateOnly)) &&
		(s.To.IsZero() || month.Format(time.DateOnly) <= s.To.Format(time.DateOnly))
}

var (
	yearName  = lazyregexp.New(`^\d{4}$`)
	monthName = lazyregexp.New(`^(0[1-9]|1[0-2])$`)
)

// A folderStamp tells whether files came or went.
type folderStamp struct {
	path    string
	month   time.Time
	modTime time.Time
}

// months lists the folders YYYY/MM, the latest first. A book that was never written has none.
func (b *Book) months() ([]folderStamp, error) {
	years, err := os.ReadDir(b.opts.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list conversations: %w", err)
	}
	var out []folderStamp
	for _, y := range years {
		if !y.IsDir() || !yearName.MatchString(y.Name()) {
			continue
		}
		entries, err := os.ReadDir(filepath.Join(b.opts.Dir, y.Name()))
		if err != nil {
			continue // one folder that can't be read hides no other
		}
		for _, m := range entries {
			info, err := m.Info()
			month, bad := time.Parse("2006-01", y.Name()+"-"+m.Name())
			if err == nil && bad == nil && m.IsDir() && monthName.MatchString(m.Name()) {
				out = append(out, folderStamp{filepath.Join(b.opts.Dir, y.Name(), m.Name()), month, info.ModTime()})
			}
		}
	}
	slices.SortFunc(out, func(a, b folderStamp) int { return b.month.Compare(a.month) })
	return out, nil
}

// Files lists the conversations of a span, the latest first. Whatever else is in the folders is left out: links, other
// sorts of files, unfinished ones.
func (b *Book) Files(ctx context.Context, span Span) ([]File, error) {
	months, err := b.months()
	if err != nil {
		return nil, err
	}
	var out []File
	for _, m := range months {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if span.touches(m.month) {
			out = append(out, b.filesOf(m, span)...)
		}
	}
	slices.SortStableFunc(out, func(a, b File) int {
		return cmp.Or(b.Date.Compare(a.Date), b.ModTime.Compare(a.ModTime), cmp.Compare(a.Name, b.Name))
	})
	return out, nil
}

// filesOf lists the conversations of a month.
func (b *Book) filesOf(m folderStamp, span Span) []File {
	entries, err := os.ReadDir(m.path)
	if err != nil {
		return nil
	}
	var out []File
	for _, entry := range entries {
		base := entry.Name()
		stem, isText := strings.CutSuffix(bare(base), ".md")
		if !isText || strings.HasPrefix(base, ".") || !entry.Type().IsRegular() {
			continue
		}
		f := File{Path: filepath.Join(m.path, base), Date: m.month, Encrypted: strings.HasSuffix(base, atrest.Ending)}
		f.Compressed = strings.HasSuffix(strings.TrimSuffix(base, atrest.Ending), ".gz")
		if match := datedName.FindStringSubmatch(stem); match != nil {
			if date, err := time.Parse(time.DateOnly, match[2]); err == nil {
				f.Date = date
			}
		}
		if !span.holds(f.Date) {
			continue
		}
		info, err := entry.Info()
		if err != nil {
			continue // it went meanwhile
		}
		f.Size, f.ModTime, f.Name = info.Size(), info.ModTime(), b.relative(f.Path)
		out = append(out, f)
	}
	return out
}

// maxUnpacked is the most bytes that are read of one file, which a compressed one could otherwise exceed without end.
const maxUnpacked = 1 << 30

// open opens the text of a file.
func (b *Book) open(f File) (io.ReadCloser, error) {
	file, err := os.Open(f.Path)
	if err != nil {
		return nil, err
	}
	var text io.Reader = file
	if f.Encrypted {
		if text, err = b.opts.Encryption.Reader(text); err != nil {
			return nil, errors.Join(err, file.Close())
		}
	}
	if f.Compressed {
		unpacked, err := gzip.NewReader(text)
		if err != nil {
			return nil, errors.Join(err, file.Close())
		}
		text = io.LimitReader(unpacked, maxUnpacked)
	}
	return struct {
		io.Reader
		io.Closer
	}{text, file}, nil
}

// Read reads a conversation. It fails when the file can't be opened; one that is cut or damaged is read as far as it goes.
func (b *Book) Read(f File) (*Conversation, error) { return b.read(f, math.MaxInt64) }

// Head is Read of the beginning of a file: its query and topic, and what else stands there.
func (b *Book) Head(f File) (*Conversation, error) { return b.read(f, headSize) }

func (b *Book) read(f File, limit int64) (*Conversation, error) {
	r, err := b.open(f)
	if err != nil {
		return nil, fmt.Errorf("read the conversation %s: %w", f.Name, err)
	}
	defer r.Close()
	c := parse(io.LimitReader(r, limit), f.Path)
	c.File = f
	return c, nil
}

// Text returns the text of a file, at most limit bytes of it.
func (b *Book) Text(f File, limit int64) (string, error) {
	r, err := b.open(f)
	if err != nil {
		return "", fmt.Errorf("read the conversation %s: %w", f.Name, err)
	}
	defer r.Close()
	text, err := io.ReadAll(io.LimitReader(r, limit))
	if err != nil && len(text) == 0 {
		return "", fmt.Errorf("read the conversation %s: %w", f.Name, err)
	}
	return strings.ToValidUTF8(string(text), "\uFFFD"), nil
}

// ErrNotFound is returned when no conversation has the name or id.
var ErrNotFound = errors.New("no such conversation")

// Find returns the file that a person names: by its path below the folder, by its name, by its absolute path, each with or
// without ".md" and what follows it, or by the id of the query.
func (b *Book) Find(ctx context.Context, name string) (File, error) {
	files, err := b.Files(ctx, Span{})
	if err != nil {
		return File{}, err
	}
	plain := func(s string) string {
		return strings.TrimSuffix(bare(filepath.ToSlash(s)), ".md")
	}
	wanted := plain(name)
	for _, f := range files {
		whole := plain(f.Name)
		if whole == wanted || whole[strings.LastIndexByte(whole, '/')+1:] == wanted || plain(f.Path) == wanted {
			return f, nil
		}
	}
	if queryID.MatchString(name) {
		return b.byID(ctx, name, files)
	}
	return File{}, fmt.Errorf("%w: %s", ErrNotFound, name)
}

var queryID = lazyregexp.New(`^aurora-(\d{8})-\d{6}-[0-9a-z]+$`)

// byID looks for the file of a query among those of its day, and of the days beside it: ids are in UTC.
func (b *Book) byID(ctx context.Context, id string, files []File) (File, error) {
	date, err := time.Parse("20060102", queryID.FindStringSubmatch(id)[1])
	if err != nil {
		return File{}, fmt.Errorf("%w: %s", ErrNotFound, id)
	}
	span := Span{From: date.AddDate(0, 0, -1), To: date.AddDate(0, 0, 1)}
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return File{}, err
		}
		if !span.holds(f.Date) {
			continue
		}
		if c, err := b.Head(f); err == nil && c.ID == id {
			return f, nil
		}
	}
	return File{}, fmt.Errorf("%w: %s", ErrNotFound, id)
}

// headSize is how much of a file its header takes at most: queries have up to 10,000 characters, and stand there twice.
const headSize = 96 << 10
