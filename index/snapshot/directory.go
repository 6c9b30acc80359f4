package snapshot

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"io"
	"path/filepath"
	"slices"
	"time"

	"github.com/aurora-sidecar/aurora/index/chunk"
)

// decodeFiles reads the directory.
func decodeFiles(saved *Saved, r *bytes.Reader, folder string, table *packedTable) error {
	count, err := binary.ReadUvarint(r)
	if err != nil || count > uint64(r.Len()) {
		return io.ErrUnexpectedEOF
	}
	saved.Files, saved.First = make([]*File, 0, count), make([]int, 0, count)
	languages, at, slab := map[string]string{}, 0, new(fileSlab)
	for range count {
		f, blob, err := decodeFile(r, folder, languages, slab)
		if err != nil {
			return err
		}
		f.packed.in, f.packed.from, f.packed.to = table, at, at+blob
		at += blob
		saved.Files, saved.First = append(saved.Files, f), append(saved.First, len(saved.docs))
		for i := range f.packed.chunks {
			saved.docs = append(saved.docs, Ref{File: f, Index: i})
		}
	}
	if at != table.frames.Size() {
		return io.ErrUnexpectedEOF
	}
	saved.docs = slices.Clone(saved.docs) // without the room to grow
	return nil
}

// decodeFile reads an entry of the directory, and how many bytes of the table are about the file.
func decodeFile(r *bytes.Reader, folder string, languages map[string]string, slab *fileSlab) (f *File, blob int, err error) {
	path, err := readBytes(r)
	if err != nil {
		return nil, 0, err
	}
	abs := folder + string(filepath.Separator) + filepath.FromSlash(string(path))
	f = slab.next()
	f.Folder, f.Path, f.Abs = folder, abs[len(abs)-len(path):], abs
	if filepath.Separator != '/' {
		f.Path = string(path)
	}
	if _, err := io.ReadFull(r, f.Hash[:]); err != nil {
		return nil, 0, err
	}
	size, err := binary.ReadUvarint(r)
	if err != nil {
		return nil, 0, err
	}
	mtime, err := binary.ReadVarint(r)
	if err != nil {
		return nil, 0, err
	}
	f.Size, f.ModTime = int64(size), time.Unix(0, mtime)
	if f.Node, err = decodeNode(r); err != nil {
		return nil, 0, err
	}
	language, err := readBytes(r)
	if err != nil {
		return nil, 0, err
	}
	name, ok := languages[string(language)]
	if !ok {
		name = string(language)
		languages[name] = name
	}
	var numbers [4]uint64
	for i := range numbers {
		if numbers[i], err = binary.ReadUvarint(r); err != nil || numbers[i] > maxSaved {
			return nil, 0, cmp.Or(err, io.ErrUnexpectedEOF)
		}
	}
	f.Language, f.Lines = name, int(numbers[0])
	f.Errors, f.Generated = numbers[1]&flagErrors != 0, numbers[1]&flagGenerated != 0
	f.packed.chunks = int(numbers[2])
	return f, int(numbers[3]), nil
}

// A fileSlab makes files, a few at a time: that is quicker than one by one, and keeps little that nobody needs any more.
type fileSlab struct {
	files []savedFile
}

type savedFile struct {
	file    File
	content chunk.File
	packed  packedFile
}

const slabFiles = 32

func (s *fileSlab) next() *File {
	if len(s.files) == 0 {
		s.files = make([]savedFile, slabFiles)
	}
	f := &s.files[0]
	s.files = s.files[1:]
	f.file.File, f.file.packed = &f.content, &f.packed
	return &f.file
}

// maxSaved bounds the numbers of a directory: the sum of all that there can be fits an int.
const maxSaved = 1 << 31
