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
	"slices"
	"time"

	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/lexical"
	"github.com/aurora-sidecar/aurora/index/store"
	"github.com/aurora-sidecar/aurora/index/vector"
	"github.com/aurora-sidecar/aurora/internal/mapfile"
)

// A saved picture is one folder's files and their segment in one file, so that the next start reads nothing but that
// and the files that changed since. It may be older than the store and the disk: a file whose size or time differs
// is read again, as after any scan.
//
//	magic, version, lengths of the table and the segment, CRC-32C of the table, table, segment (both packed), vectors (the
//	last two have checksums of their own; without a model there are no vectors, which can't be packed further)
//	table: number of files, then per file: path, hash, size, mtime, encoded chunks
const (
	savedName    = "picture.bin"
	savedMagic   = "AURPIC\x00"
	savedVersion = 3
	savedHeader  = len(savedMagic) + 1 + 8 + 8 + 4
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

var errNoPicture = errors.New("not a saved picture of this version")

// encodePicture writes the folder's files on disk and a segment with exactly their chunks. How that segment came about is
// the merge that it returns, nil when it can't stand for the parts it was made of.
func encodePicture(pic *picture, folder string) ([]byte, *merged) {
	keep := map[*File]time.Time{} // when it was written
	for _, e := range pic.files.all() {
		if e.file.Folder == folder && !e.file.Overlay {
			keep[e.file] = e.modTime
		}
	}
	m, order := compact(pic, keep)
	var seg, vec []byte
	if m.seg != nil {
		seg = m.seg.Bytes()
	}
	if m.vec != nil {
		vec = m.vec.Bytes()
	}
	for f := range keep {
		if len(f.Chunks) == 0 {
			order = append(order, f)
		}
	}
	table := binary.AppendUvarint(nil, uint64(len(order)))
	for _, f := range order {
		table = appendBytes(table, []byte(f.Path))
		table = append(table, f.Hash[:]...)
		table = binary.AppendUvarint(table, uint64(f.Size))
		table = binary.AppendVarint(table, keep[f].UnixNano())
		table = appendBytes(table, chunk.Encode(f.File))
	}
	table, seg = store.Pack(table), store.Pack(seg)
	out := append(make([]byte, 0, savedHeader+len(table)+len(seg)+len(vec)), savedMagic...)
	out = append(out, savedVersion)
	out = binary.LittleEndian.AppendUint64(out, uint64(len(table)))
	out = binary.LittleEndian.AppendUint64(out, uint64(len(seg)))
	out = binary.LittleEndian.AppendUint32(out, crc32.Checksum(table, castagnoli))
	out = append(out, table...)
	out = append(out, seg...)
	out = append(out, vec...)
	if m.from == nil {
		m = nil
	}
	return out, m
}

// compact merges the documents of the kept files into one segment and tells in which order the files stand in it. The merge
// names no parts when one of them has other living documents, too.
func compact(pic *picture, keep map[*File]time.Time) (m *merged, order []*File) {
	m = &merged{}
	whole := true
	var views []lexical.View
	var parts []*part
	for _, p := range pic.parts {
		q := *p
		q.dead = slices.Clone(p.dead)
		for doc, ref := range p.docs {
			if _, ok := keep[ref.File]; !ok {
				q.kill(doc)
			}
		}
		if q.live > 0 {
			views, parts = append(views, lexical.NewView(q.seg, q.dead)), append(parts, &q)
			m.from, whole = append(m.from, p), whole && q.live == p.live
			for doc, ref := range q.docs {
				if ref.Index == 0 && !q.isDead(doc) {
					order = append(order, ref.File)
				}
			}
		}
	}
	if len(views) > 0 {
		m.seg, m.remap = lexical.Merge(views)
		m.vec = mergeVectors(parts)
	}
	if !whole {
		m.from = nil
	}
	return m, order
}

func appendBytes(to, b []byte) []byte {
	return append(binary.AppendUvarint(to, uint64(len(b))), b...)
}

// decodePicture is the reverse of encodePicture for a file of size bytes. What it can't vouch for is an error; nothing is
// half-read. The parts are read one after the other, because the table does not stay in memory.
func decodePicture(r *os.File, size int64, folder string) (*batch, error) {
	header := make([]byte, savedHeader)
	if _, err := io.ReadFull(r, header); err != nil || string(header[:len(savedMagic)]) != savedMagic || header[len(savedMagic)] != savedVersion {
		return nil, errNoPicture
	}
	numbers := header[len(savedMagic)+1:]
	n, m, sum := binary.LittleEndian.Uint64(numbers), binary.LittleEndian.Uint64(numbers[8:]), binary.LittleEndian.Uint32(numbers[16:])
	size -= int64(savedHeader)
	if n > uint64(size) || m > uint64(size)-n {
		return nil, fmt.Errorf("saved picture: %w", io.ErrUnexpectedEOF)
	}
	b, err := readTable(r, int64(n), sum, folder)
	if err != nil {
		return nil, fmt.Errorf("saved picture: %w", err)
	}
	if len(b.docs) == 0 {
		return b, nil
	}
	data := make([]byte, m)
	if _, err := io.ReadFull(r, data); err != nil {
		return nil, fmt.Errorf("saved picture: %w", err)
	}
	if data, err = store.Unpack(data); err != nil {
		return nil, fmt.Errorf("saved picture: %w", err)
	}
	seg, err := lexical.Open(data)
	if err != nil {
		return nil, fmt.Errorf("saved picture: %w", err)
	}
	if seg.Docs() != len(b.docs) {
		return nil, fmt.Errorf("saved picture: %d chunks, but the segment has %d", len(b.docs), seg.Docs())
	}
	b.seg = seg
	b.vec, err = readVectors(r, size-int64(n)-int64(m), len(b.docs))
	return b, err
}

// readVectors returns the vectors of so many documents, which are the last n bytes of a file and come next when it is
// read; none are there when the picture was saved without a model. They stay in the file, where that can be had.
func readVectors(file *os.File, n int64, docs int) (*vector.Segment, error) {
	if n == 0 {
		return nil, nil
	}
	at, err := file.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil, fmt.Errorf("saved picture: %w", err)
	}
	var vec *vector.Segment
	if err = vector.Check(file, n); err == nil {
		if mapping, failed := mapfile.Map(file, at+n); failed == nil {
			vec, err = vector.OpenMapped(mapping, at)
		} else {
			data := make([]byte, n)
			if _, err = file.ReadAt(data, at); err == nil {
				vec, err = vector.Open(data)
			}
		}
	}
	if err != nil {
		return nil, fmt.Errorf("saved picture: %w", err)
	}
	if vec.Docs() != docs {
		return nil, fmt.Errorf("saved picture: %d chunks, but vectors of %d", docs, vec.Docs())
	}
	return vec, nil
}

// readTable reads a table of n bytes whose checksum is sum.
func readTable(r io.Reader, n int64, sum uint32, folder string) (*batch, error) {
	table := make([]byte, n)
	if _, err := io.ReadFull(r, table); err != nil {
		return nil, err
	}
	if crc32.Checksum(table, castagnoli) != sum {
		return nil, errors.New("the checksum of its table is wrong")
	}
	table, err := store.Unpack(table)
	if err != nil {
		return nil, err
	}
	b := &batch{loaded: true}
	return b, decodeTable(b, table, folder)
}

func decodeTable(b *batch, table []byte, folder string) error {
	r, chunks := bytes.NewReader(table), new(chunk.Decoder)
	count, err := binary.ReadUvarint(r)
	if err != nil {
		return err
	}
	for range count {
		f, err := decodeFile(r, chunks, folder)
		if err != nil {
			return err
		}
		b.built = append(b.built, built{file: f, first: len(b.docs)})
		for i := range f.Chunks {
			b.docs = append(b.docs, Ref{File: f, Index: i})
		}
	}
	b.docs = slices.Clone(b.docs) // without the room to grow
	return nil
}

func decodeFile(r *bytes.Reader, chunks *chunk.Decoder, folder string) (*File, error) {
	path, err := readBytes(r)
	if err != nil {
		return nil, err
	}
	f := &File{Folder: folder, Path: string(path), Abs: filepath.Join(folder, filepath.FromSlash(string(path)))}
	if _, err := io.ReadFull(r, f.Hash[:]); err != nil {
		return nil, err
	}
	size, err := binary.ReadUvarint(r)
	if err != nil {
		return nil, err
	}
	mtime, err := binary.ReadVarint(r)
	if err != nil {
		return nil, err
	}
	f.Size, f.ModTime = int64(size), time.Unix(0, mtime)
	blob, err := readBytes(r)
	if err != nil {
		return nil, err
	}
	f.File, err = chunks.Decode(blob)
	return f, err
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
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	b, err := decodePicture(file, info.Size(), folder)
	if err == nil && len(b.docs) > 0 && space(b.vec) != x.space() {
		return nil, fmt.Errorf("its vectors are of %s, not of %s", cmp.Or(space(b.vec), "no model"), cmp.Or(x.space(), "no model"))
	}
	return b, err
}
