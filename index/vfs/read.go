package vfs

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
	"unicode/utf8"
)

// Why a file has no text.
var (
	ErrVanished   = errors.New("file is gone")
	ErrBinary     = errors.New("file is binary")
	ErrTooLarge   = errors.New("file is too large")
	ErrNotRegular = errors.New("not a regular file")
)

// readAttempts is how often a file that changes under the reader is read again.
const readAttempts = 3

// clockTick is longer than the time in which a file system may give two changes the same time.
const clockTick = 20 * time.Millisecond

// A Content is what a file held at one moment.
type Content struct {
	Text     []byte   // as on disk, line ends and odd bytes included, but without a byte order mark and never in UTF-16
	Hash     [32]byte // SHA-256 of Text
	Size     int64    // of the file in bytes, byte order mark included
	ModTime  time.Time
	Node     Node // zero when the file changed so short a time ago that another change might not show in it
	Binary   bool // there is no text; the error is ErrBinary
	Minified bool // lines that no person wrote
	Invalid  bool // not all of Text is UTF-8
}

// Read returns the text of the file at an absolute path. A symbolic link is not followed (ErrNotRegular), more than
// limit bytes are not read (ErrTooLarge; 0 or less means DefaultMaxSize), binary files have no text (ErrBinary), and a
// file that is not there or goes away meanwhile is ErrVanished; errors.Is tells them apart, and Size, ModTime and Binary
// are set as far as they are known. A file that was written to meanwhile is read again; one that never rests, such as
// a log, is returned as it was last seen with the time from before reading, so that it counts as changed next time.
func Read(abs string, limit int64) (Content, error) {
	return read(abs, FilterOptions{MaxSize: limit}.WithDefaults(), func() {})
}

// Read is the function Read with the limit and the binary detection that f has for the file.
func (f *Filter) Read(abs string) (Content, error) {
	o := f.options
	if rel, inside := f.folder.relCanonical(abs); inside {
		o.MaxSize = f.limit(rel)
	}
	return read(abs, o, func() {})
}

// read is Read; meanwhile is called between reading and looking again.
func read(abs string, o FilterOptions, meanwhile func()) (Content, error) {
	for attempt := 1; ; attempt++ {
		content, info, err := readOnce(abs, o)
		if err != nil {
			return content, fmt.Errorf("read %s: %w", abs, vanished(err))
		}
		meanwhile()
		after, err := os.Lstat(abs)
		if err != nil {
			return content, fmt.Errorf("read %s: %w", abs, vanished(err))
		}
		if same(info, after) || attempt == readAttempts {
			return content, nil
		}
	}
}

// ReadSpan returns the bytes [start, end) of a file that is still the one of an earlier scan. ok is false when it is not, and
// when it begins with a byte order mark, so that places in its text are others.
func ReadSpan(abs string, known Entry, start, end int) (text []byte, ok bool) {
	f, err := openRegular(abs)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Size() != known.Size || !info.ModTime().Equal(known.ModTime) || nodeOf(info) != known.Node {
		return nil, false
	}
	var head [2]byte
	if n, _ := f.ReadAt(head[:], 0); n < 2 || head[0] >= 0xef || head[0] == 0 || head[1] == 0 || start < 0 || end < start {
		return nil, false
	}
	text = make([]byte, end-start)
	_, err = f.ReadAt(text, int64(start))
	return text, err == nil
}

// same reports whether the path still leads to the file that was opened, unchanged.
func same(opened, now fs.FileInfo) bool {
	return os.SameFile(opened, now) && opened.Size() == now.Size() && opened.ModTime().Equal(now.ModTime()) && nodeOf(opened) == nodeOf(now)
}

// vanished translates the errors of a path that leads nowhere any more.
func vanished(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %w", ErrVanished, err)
	}
	return err
}

func readOnce(abs string, o FilterOptions) (Content, fs.FileInfo, error) {
	f, err := openRegular(abs)
	if err != nil {
		return Content{}, nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return Content{}, nil, err
	}
	content := Content{Size: info.Size(), ModTime: info.ModTime(), Node: nodeOf(info)}
	if time.Now().UnixNano()-content.Node.Changed < int64(clockTick) {
		content.Node = Node{}
	}
	if !info.Mode().IsRegular() {
		return content, nil, ErrNotRegular
	}
	if info.Size() > o.MaxSize {
		return content, nil, tooLarge(o.MaxSize)
	}
	data, err := readText(f, info.Size(), o)
	if errors.Is(err, ErrBinary) {
		content.Binary = true
	}
	if err != nil {
		return content, nil, err
	}
	if content.Text, err = decode(data); err != nil {
		content.Binary = true
		return content, nil, err
	}
	content.Hash = sha256.Sum256(content.Text)
	content.Minified = looksMinified(content.Text)
	content.Invalid = !utf8.Valid(content.Text)
	return content, info, nil
}

// readText reads at most MaxSize bytes and gives up early on a binary file. The size is a hint: the file may grow.
func readText(r io.Reader, size int64, o FilterOptions) ([]byte, error) {
	data := make([]byte, 0, size+1) // one more, so that the end is seen without growing
	sniffed := false
	for {
		n, err := r.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if int64(len(data)) > o.MaxSize {
			return nil, tooLarge(o.MaxSize)
		}
		if !sniffed && (len(data) > sniffLength || err == io.EOF) {
			if sniffed = true; isBinary(data) && utf16Order(data) == nil {
				return nil, ErrBinary
			}
		}
		if err == io.EOF {
			return data, nil
		}
		if err != nil {
			return nil, err
		}
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
	}
}

func tooLarge(limit int64) error {
	return fmt.Errorf("%w: more than %s", ErrTooLarge, sizeInWords(limit))
}

// sizeInWords prints whole binary units where it can.
func sizeInWords(bytes int64) string {
	switch {
	case bytes >= 1<<20 && bytes%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", bytes>>20)
	case bytes >= 1<<10 && bytes%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", bytes>>10)
	}
	return fmt.Sprintf("%d bytes", bytes)
}
