package snapshot

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"runtime"

	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/lexical"
	"github.com/aurora-sidecar/aurora/index/store"
	"github.com/aurora-sidecar/aurora/index/vector"
	"github.com/aurora-sidecar/aurora/internal/mapfile"
)

var errNotSaved = errors.New("not a saved snapshot of this version")

// A savedLayout tells where the sections of a saved snapshot are.
type savedLayout struct {
	at      [savedParts + 1]int64 // of the sections, and of the vectors
	vectors int64                 // bytes
	sum     uint32                // of the sections
}

func readLayout(r io.ReaderAt, size int64) (l savedLayout, err error) {
	header := make([]byte, savedHeader)
	if _, err := r.ReadAt(header, 0); err != nil || string(header[:len(savedMagic)+2]) != savedMagic+string([]byte{savedVersion, chunk.Version}) {
		return l, errNotSaved
	}
	numbers := header[len(savedMagic)+2:]
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

// Saved is what a saved snapshot holds.
type Saved struct {
	Files    []*File
	First    []int            // document numbers in Part of the first chunk of each file
	Part     *Part            // nil when no file has chunks
	Unwanted map[string]Stamp // files that are left out once they are read, by path

	docs []Ref
}

// Decode is the reverse of Encode for a file of size bytes. What it can't vouch for is an error; nothing is
// half-read. It keeps r, and reads from it what is needed later; lost is told when that fails.
func Decode(r *os.File, size int64, folder string, lost func(error)) (*Saved, error) {
	l, err := readLayout(r, size)
	if errors.Is(err, errNotSaved) {
		return nil, err
	}
	var saved *Saved
	if err == nil {
		saved, err = decodeSections(r, l, folder, lost)
	}
	if err != nil {
		return nil, fmt.Errorf("saved snapshot: %w", err)
	}
	return saved, nil
}

func decodeSections(file *os.File, l savedLayout, folder string, lost func(error)) (*Saved, error) {
	vectors := make(chan *vectorSection, 1)
	go func() { vectors <- readVectors(file, l.at[savedParts], l.vectors) }()
	saved, err := decodeWords(file, l, folder, lost)
	vec := <-vectors
	switch err := cmp.Or(err, vec.err); {
	case err != nil:
		return nil, err
	case saved.Part != nil && vec.seg != nil && vec.seg.Docs() != len(saved.docs):
		return nil, fmt.Errorf("%d chunks, but vectors of %d", len(saved.docs), vec.seg.Docs())
	case saved.Part != nil:
		saved.Part.vec = vec.seg
	}
	return saved, nil
}

// decodeWords reads everything but the vectors.
func decodeWords(file *os.File, l savedLayout, folder string, lost func(error)) (*Saved, error) {
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
	saved := new(Saved)
	rest := bytes.NewReader(directory)
	if err := decodeFiles(saved, rest, folder, newPackedTable(frames[1], lost)); err != nil {
		return nil, err
	}
	letters, err := decodeLetters(rest)
	if err != nil || len(letters) != frames[2].Len() {
		return nil, fmt.Errorf("the table of names: %w", cmp.Or(err, io.ErrUnexpectedEOF))
	}
	if saved.Unwanted, err = decodeUnwanted(rest); err != nil {
		return nil, err
	}
	if len(saved.docs) == 0 {
		return saved, nil
	}
	p := newPage(frames[3], lost)
	seg, err := lexical.Open(p.buf, p.need)
	if err != nil {
		return nil, err
	}
	if seg.Docs() != len(saved.docs) {
		return nil, fmt.Errorf("%d chunks, but the segment has %d", len(saved.docs), seg.Docs())
	}
	saved.Part = newPart(seg, nil, saved.docs)
	saved.Part.names = &nameList{saved: &packedNames{lost: lost, letters: letters, frames: frames[2]}}
	return saved, nil
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
	seg *vector.Segment // nil when the snapshot was saved without a model
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
