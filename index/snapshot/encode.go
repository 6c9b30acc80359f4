package snapshot

import (
	"encoding/binary"
	"hash/crc32"
	"slices"

	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/lexical"
	"github.com/aurora-sidecar/aurora/index/store"
)

// A saved snapshot is one folder's files and their segment in one file, so that the next start reads nothing but that
// and the files that changed since. It may be older than the store and the disk: a file whose size or time differs
// is read again, as after any scan.
//
//	magic, version, lengths of the four sections that follow, CRC-32C of them
//	directory: packed: number of files, then per file: path, hash, size, mtime, inode, time of change, language, lines, flags, number of chunks,
//	  bytes in the table; letters of the names; number of files that are left out, then per file: path, size, mtime, inode,
//	  time of change
//	table: in frames of whole files: encoded chunks
//	names: in frames, one for each first letter in lower case: the names of the chunks and symbols
//	segment: in frames of store.FrameSize
//	vectors: as they are, with a checksum of their own; without a model there are none
//
// A start unpacks the directory only; of the other sections a search unpacks what it needs.
const (
	SavedName    = "snapshot.bin"
	savedMagic   = "AURSNP\x00"
	savedVersion = 7 // of the layout; the version of the chunks follows it
	savedHeader  = len(savedMagic) + 2 + savedParts*8 + 4
	savedParts   = 4

	flagErrors, flagGenerated = 1, 2
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Encode writes the folder's files on disk and a segment with exactly their chunks. How that segment came about is
// the merge that it returns, nil when it can't stand for the parts it was made of. It fails when the snapshot that the
// folder began with can't be read any more.
func Encode(s *Snapshot, folder string, unwanted map[string]Stamp) ([]byte, *Merge, error) {
	keep := map[*File]Entry{}
	for _, e := range s.files.all() {
		if e.File.Folder == folder && !e.File.Overlay {
			keep[e.File] = e
		}
	}
	m, order := compact(s, keep)
	var seg, vec []byte
	if m.seg != nil {
		seg = m.seg.Bytes()
	}
	if m.vec != nil {
		vec = m.vec.Bytes()
	}
	for f := range keep {
		if f.Len() == 0 {
			order = append(order, f)
		}
	}
	directory, table, names, err := encodeFiles(order, keep)
	if err != nil {
		return nil, nil, err
	}
	directory = appendUnwanted(directory, unwanted)
	sections := [savedParts][]byte{store.Pack(directory), table, names, store.PackFrames(seg, store.EvenCuts(len(seg)))}
	size := savedHeader + len(vec)
	for _, section := range sections {
		size += len(section)
	}
	out := append(make([]byte, 0, size), savedMagic...)
	out = append(out, savedVersion, chunk.Version)
	sum := uint32(0)
	for _, section := range sections {
		out = binary.LittleEndian.AppendUint64(out, uint64(len(section)))
		sum = crc32.Update(sum, castagnoli, section)
	}
	out = binary.LittleEndian.AppendUint32(out, sum)
	for _, section := range sections {
		out = append(out, section...)
	}
	out = append(out, vec...)
	if m.from == nil {
		m = nil
	}
	return out, m, nil
}

// encodeFiles returns the sections about files; all but the directory are packed.
func encodeFiles(order []*File, written map[*File]Entry) (directory, table, names []byte, err error) {
	directory = binary.AppendUvarint(nil, uint64(len(order)))
	gatherer, chunks := newNameGatherer(), new(chunk.Decoder)
	var blobs []byte
	var cuts []int
	frame := 0 // where the present one began
	for _, f := range order {
		from := len(blobs)
		var content *chunk.File
		if blobs, content, err = f.encoded(blobs, chunks); err != nil {
			return nil, nil, nil, err
		}
		gatherer.add(content)
		directory = appendFile(directory, f, content, written[f], len(blobs)-from)
		if len(blobs)-frame >= store.FrameSize {
			cuts, frame = append(cuts, len(blobs)), len(blobs)
		}
	}
	if frame < len(blobs) {
		cuts = append(cuts, len(blobs))
	}
	letters, names := gatherer.encode()
	return append(directory, letters...), store.PackFrames(blobs, cuts), names, nil
}

// appendFile adds a file to the directory.
func appendFile(directory []byte, f *File, content *chunk.File, written Entry, blob int) []byte {
	directory = appendBytes(directory, []byte(f.Path))
	directory = append(directory, f.Hash[:]...)
	directory = binary.AppendUvarint(directory, uint64(f.Size))
	directory = binary.AppendVarint(directory, written.ModTime.UnixNano())
	directory = appendNode(directory, written.Node)
	directory = appendBytes(directory, []byte(content.Language))
	flags := uint64(0)
	if content.Errors {
		flags |= flagErrors
	}
	if content.Generated {
		flags |= flagGenerated
	}
	for _, n := range []uint64{uint64(content.Lines), flags, uint64(len(content.Chunks)), uint64(blob)} {
		directory = binary.AppendUvarint(directory, n)
	}
	return directory
}

// compact merges the documents of the kept files into one segment and tells in which order the files stand in it. The merge
// names no parts when one of them has other living documents, too.
func compact(s *Snapshot, keep map[*File]Entry) (m *Merge, order []*File) {
	m = &Merge{}
	whole := true
	var views []lexical.View
	var parts []*Part
	for _, p := range s.parts {
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
