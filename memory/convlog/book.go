package convlog

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/aurora-sidecar/aurora/internal/atrest"
	"github.com/aurora-sidecar/aurora/internal/scrub"
)

// Options says where conversations are kept, and how.
type Options struct {
	Dir           string           // absolute
	RetentionDays int              // after which a file is deleted; 0 keeps all
	Secrets       *scrub.Set       // what is taken out; nil means the known formats
	Now           func() time.Time // nil means time.Now; its time zone decides what day it is
	Encryption    atrest.Policy
}

const (
	nameWords    = 2       // words of the query in a file's name
	fallbackName = "query" // of files for queries without such words
	compressDays = 7       // days after which a file is compressed: older ones are seldom read
)

// A Book is the folder of all conversations. Its methods may be called from several goroutines, and several processes may
// have the same folder.
type Book struct {
	opts Options

	keptMu sync.Mutex
	kept   string // day on which old files were looked for last

	syncMu sync.Mutex
	synced map[string]folderStamp // by folder, when it was compared with the index
}

// New returns the Book of a folder, which need not exist.
func New(opts Options) *Book {
	if opts.Now == nil {
		opts.Now = time.Now
	}
	return &Book{opts: opts, synced: map[string]folderStamp{}}
}

// Dir is the folder of the book.
func (b *Book) Dir() string { return b.opts.Dir }

// Write adds a conversation and returns where it stands.
func (b *Book) Write(e Entry) (*Conversation, error) {
	at := e.At.In(b.opts.Now().Location())
	folder := filepath.Join(b.opts.Dir, at.Format("2006"), at.Format("01"))
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("write a conversation: %w", err)
	}
	e.Query = b.clean(e.Query)
	words := Keywords(e.Query, nameWords)
	text := b.render(e, words, at)
	name, size, err := b.place(folder, words, at, text)
	if err != nil {
		return nil, fmt.Errorf("write a conversation: %w", err)
	}
	file := File{Path: filepath.Join(folder, name), Date: day(at), Size: size}
	file.Compressed, file.Encrypted = b.opts.Encryption.Enabled, b.opts.Encryption.Enabled
	file.Name = b.relative(file.Path)
	if info, err := os.Stat(file.Path); err == nil {
		file.ModTime = info.ModTime()
	}
	c := parse(strings.NewReader(text), name)
	c.File = file
	return c, nil
}

// clean takes secrets out of s, and what no text file should hold.
func (b *Book) clean(s string) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "")
	s, _ = b.opts.Secrets.Text(s)
	return s
}

// maxTries is how many names are tried for one file: so many equal queries a day.
const maxTries = 100_000

// place gives the text the first free name. It is written under another one before, so that no reader sees half of it.
func (b *Book) place(folder string, words []string, at time.Time, text string) (name string, size int64, err error) {
	content, ending := []byte(text), ""
	if b.opts.Encryption.Enabled {
		if content, err = b.seal(text); err != nil {
			return "", 0, err
		}
		words, ending = nil, sealedEnding // a name tells nothing of the question, either
	}
	temp, err := os.CreateTemp(folder, ".conversation-*.tmp") // mode 0600
	if err != nil {
		return "", 0, err
	}
	defer os.Remove(temp.Name())
	_, err = temp.Write(content)
	if err := errors.Join(err, temp.Close()); err != nil {
		return "", 0, err
	}
	for n := 1; n <= maxTries; n++ {
		name := fileName(words, at, n)
		if taken(filepath.Join(folder, name), ending) {
			continue
		}
		err := claim(temp.Name(), filepath.Join(folder, name+ending))
		if err == nil {
			return name + ending, int64(len(content)), nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return "", 0, err
		}
	}
	return "", 0, fmt.Errorf("%d files have the name %s already", maxTries, fileName(words, at, 1))
}

// taken reports whether a conversation has a name in another form than the one with an ending: plain, compressed or encrypted.
func taken(path, ending string) bool {
	for _, other := range []string{"", ".gz", sealedEnding} {
		if other == ending {
			continue
		}
		if _, err := os.Lstat(path + other); err == nil {
			return true
		}
	}
	return false
}

// claim moves a file to a name that nobody has. It fails with fs.ErrExist when somebody does.
func claim(from, to string) error {
	err := os.Link(from, to)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	// A file system without links: an empty file holds the name until the whole one takes its place.
	reserved, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if err := errors.Join(reserved.Close(), os.Rename(from, to)); err != nil {
		return errors.Join(err, os.Remove(to))
	}
	return nil
}

// fileName is the n-th name, from 1, for a query with these words:
//
//	oauth-authentication-2025-12-13.md, oauth-authentication-2025-12-13-2.md, ...
//	query-1-2025-12-13.md, query-2-2025-12-13.md, ... without words
func fileName(words []string, at time.Time, n int) string {
	date := at.Format(time.DateOnly)
	switch {
	case len(words) == 0:
		return fmt.Sprintf("%s-%d-%s.md", fallbackName, n, date)
	case n == 1:
		return fmt.Sprintf("%s-%s.md", strings.Join(words, "-"), date)
	}
	return fmt.Sprintf("%s-%s-%s.md", strings.Join(words, "-"), date, strconv.Itoa(n))
}

// relative is a path as the index and people name it: below the book's folder, with '/', without what says in which form it is.
func (b *Book) relative(path string) string {
	rel, err := filepath.Rel(b.opts.Dir, path)
	if err != nil {
		rel = path
	}
	return bare(filepath.ToSlash(rel))
}

// day is the beginning of the day of t.
func day(t time.Time) time.Time {
	y, m, d := t.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, t.Location())
}
