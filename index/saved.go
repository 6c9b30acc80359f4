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
	"runtime/debug"
	"slices"
	"time"

	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/lexical"
	"github.com/aurora-sidecar/aurora/index/store"
	"github.com/aurora-sidecar/aurora/index/syntax"
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

// encodePicture writes the folder's files on disk and a segment with exactly their chunks.
func encodePicture(pic *picture, folder string) []byte {
	keep := map[*File]time.Time{} // when it was written
	for _, e := range pic.files.all() {
		if e.file.Folder == folder && !e.file.Overlay {
			keep[e.file] = e.modTime
		}
	}
	seg, vec, order := compact(pic, keep)
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
	return append(out, vec...)
}

// compact merges the documents of the kept files into one segment and tells in which order the files stand in it.
func compact(pic *picture, keep map[*File]time.Time) (segment, vectors []byte, order []*File) {
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
			for doc, ref := range q.docs {
				if ref.Index == 0 && !q.isDead(doc) {
					order = append(order, ref.File)
				}
			}
		}
	}
	if len(views) == 0 {
		return nil, nil, nil
	}
	seg, _ := lexical.Merge(views)
	if vec := mergeVectors(parts); vec != nil {
		vectors = vec.Bytes()
	}
	return seg.Bytes(), vectors, order
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

// loadPicture puts the saved picture of a folder, if there is one, into the present picture.
func (x *Index) loadPicture(f *folder, rulesChanged bool) {
	if f.dir == "" {
		return
	}
	path := filepath.Join(f.dir, savedName)
	b, err := x.readPicture(path, f.path)
	if errors.Is(err, fs.ErrNotExist) {
		x.adopt(f)
		return
	}
	if err != nil {
		x.log.Warn("saved index not used; it will be built anew", "path", path, "err", err)
		return
	}
	x.admit(f, b, rulesChanged)
	x.apply(b) // the running scan keeps it from choosing anything to save
	if len(b.built) >= releaseAfter {
		x.start(releaseMemory)
	}
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

// saveAfter is how many files must have changed, as a share of all, for a picture to be saved anew.
const saveAfter = 0.02

// chooseSaveLocked returns a folder that changed a good deal since its picture was saved, when nothing else is to do.
// The caller must then call savePicture.
func (x *Index) chooseSaveLocked() *folder {
	if x.saving || x.closed || !x.idleLocked() {
		return nil
	}
	f := x.unsavedLocked()
	if f == nil {
		return nil
	}
	x.saving, x.afterScan, f.unsaved = true, f.unsaved >= releaseAfter, 0
	return f
}

// unsavedLocked returns a folder that changed a good deal since its picture was saved, nil when there is none.
func (x *Index) unsavedLocked() *folder {
	i := slices.IndexFunc(x.folders, func(f *folder) bool {
		return f.store != nil && f.store.Writer() && float64(f.unsaved) > saveAfter*float64(f.files)
	})
	if i < 0 {
		return nil
	}
	return x.folders[i]
}

// savePicture writes the picture of a folder, and goes on with the next one that is due.
func (x *Index) savePicture(f *folder) {
	path := filepath.Join(f.dir, savedName)
	if err := writeFile(path, encodePicture(x.published.Load(), f.path)); err != nil {
		x.log.Warn("index not saved; the next start will take longer", "path", path, "err", err)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.afterScan {
		x.start(releaseMemory)
	}
	if !x.closed {
		x.start(x.shrinkCache)
	}
	x.saving, x.afterScan = false, false
	if next := x.chooseSaveLocked(); next != nil {
		x.start(func() { x.savePicture(next) })
	}
	x.changed.Broadcast()
}

// releaseAfter is how many files must have been indexed for it to be worth while to give memory back.
const releaseAfter = 500

// releaseMemory gives back what much indexing has left behind, in Go's heap and in C's: a sidecar that waits for a
// keystroke should not hold what a scan needed.
func releaseMemory() {
	syntax.Trim()
	debug.FreeOSMemory()
}

// writeFile replaces a file in one step.
func writeFile(path string, data []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".tmp-*")
	if err != nil {
		return err
	}
	_, err = tmp.Write(data)
	err = cmp.Or(err, tmp.Sync(), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		os.Remove(tmp.Name())
	}
	return err
}
