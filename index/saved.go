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
	"github.com/aurora-sidecar/aurora/index/syntax"
)

// A saved picture is one folder's files and their segment in one file, so that the next start reads nothing but that
// and the files that changed since. It may be older than the store and the disk: a file whose size or time differs
// is read again, as after any scan.
//
//	magic, version, length of the table, CRC-32C of the table, table, segment (which has a checksum of its own)
//	table: number of files, then per file: path, hash, size, mtime, encoded chunks
const (
	savedName    = "picture.bin"
	savedMagic   = "AURPIC\x00"
	savedVersion = 1
	savedHeader  = len(savedMagic) + 1 + 8 + 4
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

var errNoPicture = errors.New("not a saved picture of this version")

// encodePicture writes the folder's files on disk and a segment with exactly their chunks.
func encodePicture(pic *picture, folder string) []byte {
	keep := map[*File]bool{}
	for _, e := range pic.files.all() {
		if e.file.Folder == folder && !e.file.Overlay {
			keep[e.file] = true
		}
	}
	seg, order := compact(pic, keep)
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
		table = binary.AppendVarint(table, f.ModTime.UnixNano())
		table = appendBytes(table, chunk.Encode(f.File))
	}
	out := append(make([]byte, 0, savedHeader+len(table)+len(seg)), savedMagic...)
	out = append(out, savedVersion)
	out = binary.LittleEndian.AppendUint64(out, uint64(len(table)))
	out = binary.LittleEndian.AppendUint32(out, crc32.Checksum(table, castagnoli))
	out = append(out, table...)
	return append(out, seg...)
}

// compact merges the documents of the kept files into one segment and tells in which order the files stand in it.
func compact(pic *picture, keep map[*File]bool) (segment []byte, order []*File) {
	var views []lexical.View
	for _, p := range pic.parts {
		q := *p
		q.dead = slices.Clone(p.dead)
		for doc, ref := range p.docs {
			if !keep[ref.File] {
				q.kill(doc)
			}
		}
		if q.live > 0 {
			views = append(views, lexical.NewView(q.seg, q.dead))
			for doc, ref := range q.docs {
				if ref.Index == 0 && !q.isDead(doc) {
					order = append(order, ref.File)
				}
			}
		}
	}
	if len(views) == 0 {
		return nil, nil
	}
	seg, _ := lexical.Merge(views)
	return seg.Bytes(), order
}

func appendBytes(to, b []byte) []byte {
	return append(binary.AppendUvarint(to, uint64(len(b))), b...)
}

// decodePicture is the reverse of encodePicture. What it can't vouch for is an error; nothing is half-read.
func decodePicture(data []byte, folder string) (*batch, error) {
	if len(data) < savedHeader || string(data[:len(savedMagic)]) != savedMagic || data[len(savedMagic)] != savedVersion {
		return nil, errNoPicture
	}
	header := data[len(savedMagic)+1:]
	n, sum := binary.LittleEndian.Uint64(header), binary.LittleEndian.Uint32(header[8:])
	rest := data[savedHeader:]
	if n > uint64(len(rest)) || crc32.Checksum(rest[:n], castagnoli) != sum {
		return nil, fmt.Errorf("saved picture: %w", io.ErrUnexpectedEOF)
	}
	b := &batch{loaded: true}
	if err := decodeTable(b, rest[:n], folder); err != nil {
		return nil, fmt.Errorf("saved picture: %w", err)
	}
	if len(b.docs) == 0 {
		return b, nil
	}
	seg, err := lexical.Open(rest[n:])
	if err != nil {
		return nil, fmt.Errorf("saved picture: %w", err)
	}
	if seg.Docs() != len(b.docs) {
		return nil, fmt.Errorf("saved picture: %d chunks, but the segment has %d", len(b.docs), seg.Docs())
	}
	b.seg = seg
	return b, nil
}

func decodeTable(b *batch, table []byte, folder string) error {
	r := bytes.NewReader(table)
	count, err := binary.ReadUvarint(r)
	if err != nil {
		return err
	}
	for range count {
		f, err := decodeFile(r, folder)
		if err != nil {
			return err
		}
		b.built = append(b.built, built{file: f, first: len(b.docs)})
		for i := range f.Chunks {
			b.docs = append(b.docs, Ref{File: f, Index: i})
		}
	}
	return nil
}

func decodeFile(r *bytes.Reader, folder string) (*File, error) {
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
	f.File, err = chunk.Decode(blob)
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
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	var b *batch
	if err == nil {
		b, err = decodePicture(data, f.path)
	}
	if err != nil {
		x.log.Warn("saved index not used; it will be built anew", "path", path, "err", err)
		return
	}
	x.admit(f, b, rulesChanged)
	x.apply(b) // the running scan keeps it from choosing anything to save
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

// savePicture writes the picture of a folder.
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
	x.saving, x.afterScan = false, false
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
