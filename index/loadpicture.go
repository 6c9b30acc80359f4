package index

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/aurora-sidecar/aurora/index/lexical"
	"github.com/aurora-sidecar/aurora/index/store"
	"github.com/aurora-sidecar/aurora/index/vector"
	"github.com/aurora-sidecar/aurora/internal/mapfile"
)

var errNoPicture = errors.New("not a saved picture of this version")

// A savedLayout tells where the sections of a saved picture are.
type savedLayout struct {
	at      [savedParts + 1]int64 // of the sections, and of the vectors
	vectors int64                 // bytes
	sum     uint32                // of the sections
}

func readLayout(r io.ReaderAt, size int64) (l savedLayout, err error) {
	header := make([]byte, savedHeader)
	if _, err := r.ReadAt(header, 0); err != nil || string(header[:len(savedMagic)]) != savedMagic || header[len(savedMagic)] != savedVersion {
		return l, errNoPicture
	}
	numbers := header[len(savedMagic)+1:]
	l.at[0] = int64(savedHeader)
	for i := range savedParts {
		n := binary.LittleEndian.Uint64(numbers[8*i:])
		if n > uint64(size-l.at[i]) {
			return l, io.ErrUnexpectedEOF
		}
		l.at[i+1] = l.at[i] + int64(n)
	}
	l.vectors, l.sum = size-l.at[savedParts], binary.LittleEndian.Uint32(numbers[8*savedParts:])
	return l, nil
}

// section returns where section i is, and its length.
func (l *savedLayout) section(i int) (at, n int64) { return l.at[i], l.at[i+1] - l.at[i] }

// check compares the checksum of the sections. They are read through a small buffer, so that they don't stay in memory.
func (l *savedLayout) check(r io.ReaderAt) error {
	sum := crc32.New(castagnoli)
	n := l.at[savedParts] - l.at[0]
	if _, err := io.CopyBuffer(sum, io.NewSectionReader(r, l.at[0], n), make([]byte, checkBuffer)); err != nil {
		return err
	}
	if sum.Sum32() != l.sum {
		return errors.New("its checksum is wrong")
	}
	return nil
}

// checkBuffer is how much of a file is read at once to sum it up: it should stay in the processor's cache.
const checkBuffer = 256 << 10

// decodePicture is the reverse of encodePicture for a file of size bytes. What it can't vouch for is an error; nothing is
// half-read. It keeps r, and reads from it what is needed later; lost is told when that fails.
func decodePicture(r *os.File, size int64, folder string, lost func(error)) (*batch, error) {
	l, err := readLayout(r, size)
	if errors.Is(err, errNoPicture) {
		return nil, err
	}
	var b *batch
	if err == nil {
		b, err = decodeSections(r, l, folder, lost)
	}
	if err != nil {
		return nil, fmt.Errorf("saved picture: %w", err)
	}
	return b, nil
}

func decodeSections(file *os.File, l savedLayout, folder string, lost func(error)) (*batch, error) {
	vectors := make(chan *vectorSection, 1)
	go func() { vectors <- readVectors(file, l.at[savedParts], l.vectors) }()
	b, err := decodeWords(file, l, folder, lost)
	vec := <-vectors
	switch err := cmp.Or(err, vec.err); {
	case err != nil:
		return nil, err
	case len(b.docs) > 0 && vec.seg != nil && vec.seg.Docs() != len(b.docs):
		return nil, fmt.Errorf("%d chunks, but vectors of %d", len(b.docs), vec.seg.Docs())
	case len(b.docs) > 0:
		b.vec = vec.seg
	}
	return b, nil
}

// decodeWords reads everything but the vectors.
func decodeWords(file *os.File, l savedLayout, folder string, lost func(error)) (*batch, error) {
	if err := l.check(file); err != nil {
		return nil, err
	}
	r, err := lasting(file, l.at[savedParts])
	if err != nil {
		return nil, err
	}
	var frames [savedParts]*store.Frames
	for i := 1; i < savedParts; i++ {
		at, n := l.section(i)
		if frames[i], err = store.OpenFrames(r, at, n); err != nil {
			return nil, err
		}
	}
	directory := make([]byte, l.at[1]-l.at[0])
	if _, err := r.ReadAt(directory, l.at[0]); err != nil {
		return nil, err
	}
	if directory, err = store.Unpack(directory); err != nil {
		return nil, err
	}
	b := &batch{loaded: true}
	rest := bytes.NewReader(directory)
	if err := decodeFiles(b, rest, folder, newKeptTable(frames[1], lost)); err != nil {
		return nil, err
	}
	letters, err := decodeLetters(rest)
	if err != nil || len(letters) != frames[2].Len() {
		return nil, fmt.Errorf("the table of names: %w", cmp.Or(err, io.ErrUnexpectedEOF))
	}
	if b.unwanted, err = decodeUnwanted(rest); err != nil {
		return nil, err
	}
	b.names = &nameList{saved: &keptNames{lost: lost, letters: letters, frames: frames[2]}}
	if len(b.docs) == 0 {
		return b, nil
	}
	p := newPage(frames[3], lost)
	if b.seg, err = lexical.OpenPaged(p.buf, p.need); err != nil {
		return nil, err
	}
	if b.seg.Docs() != len(b.docs) {
		return nil, fmt.Errorf("%d chunks, but the segment has %d", len(b.docs), b.seg.Docs())
	}
	return b, nil
}

// lasting returns a reader of the first n bytes of a file that is there as long as it is needed. Where an open file can't
// be replaced, they are read into memory.
func lasting(file *os.File, n int64) (io.ReaderAt, error) {
	if runtime.GOOS != "windows" {
		return file, nil
	}
	data := make([]byte, n)
	_, err := file.ReadAt(data, 0)
	return bytes.NewReader(data), err
}

// A vectorSection is what came of reading vectors.
type vectorSection struct {
	seg *vector.Segment // nil when the picture was saved without a model
	err error
}

// readVectors returns the vectors that are the last n bytes of a file, from at on. They stay in the file, where that can
// be had.
func readVectors(file *os.File, at, n int64) *vectorSection {
	s := &vectorSection{}
	if n == 0 {
		return s
	}
	if s.err = vector.Check(io.NewSectionReader(file, at, n), n); s.err != nil {
		return s
	}
	if mapping, failed := mapfile.Map(file, at+n); failed == nil {
		s.seg, s.err = vector.OpenMapped(mapping, at)
		return s
	}
	data := make([]byte, n)
	if _, s.err = file.ReadAt(data, at); s.err == nil {
		s.seg, s.err = vector.Open(data)
	}
	return s
}

func readBytes(r *bytes.Reader) ([]byte, error) {
	n, err := binary.ReadUvarint(r)
	if err != nil {
		return nil, err
	}
	if n > uint64(r.Len()) {
		return nil, io.ErrUnexpectedEOF
	}
	b := make([]byte, n)
	_, err = io.ReadFull(r, b)
	return b, err
}

// loadPicture puts the saved picture of a folder, if there is one, into the present picture. It returns the number of its
// files.
func (x *Index) loadPicture(f *folder, rulesChanged bool) (files int) {
	if f.dir == "" {
		return 0
	}
	path := filepath.Join(f.dir, savedName)
	b, err := x.readPicture(path, f.path)
	if errors.Is(err, fs.ErrNotExist) {
		x.adopt(f)
		return 0
	}
	if err != nil {
		x.log.Warn("saved index not used; it will be built anew", "path", path, "err", err)
		return 0
	}
	x.admit(f, b, rulesChanged)
	if !rulesChanged {
		x.mu.Lock()
		f.unwanted = b.unwanted
		x.mu.Unlock()
	}
	x.apply(b) // the running scan keeps it from choosing anything to save
	return len(b.built)
}

// readPicture reads a saved picture as one of the folder. One whose vectors are not those of the present model is as
// good as none: the words are counted again, too, but no text is parsed that was parsed before.
func (x *Index) readPicture(path, folder string) (*batch, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	b, err := decodePicture(file, info.Size(), folder, x.lostPicture(folder))
	if err != nil || runtime.GOOS == "windows" {
		_ = file.Close() // else it is open for as long as somebody may read more of it
	}
	if err == nil && len(b.docs) > 0 && space(b.vec) != x.space() {
		return nil, fmt.Errorf("its vectors are of %s, not of %s", cmp.Or(space(b.vec), "no model"), cmp.Or(x.space(), "no model"))
	}
	return b, err
}

// lostPicture returns what is told when the saved picture of a folder can't be read any more: somebody has written into the
// file, or the disk failed. All of the folder is read again, once.
func (x *Index) lostPicture(path string) func(error) {
	var once sync.Once
	return func(err error) {
		once.Do(func() {
			x.log.Warn("the saved index can't be read any more; the folder is read again", "folder", path, "err", err)
			go x.readAgain(path) // whoever noticed may hold the lock
		})
	}
}

func (x *Index) readAgain(path string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, f := range x.folders {
		if f.path == path {
			x.scanLocked(f, scanRequest{force: true})
		}
	}
}
