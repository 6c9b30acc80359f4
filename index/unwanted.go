package index

import (
	"bytes"
	"encoding/binary"
	"io"

	"github.com/aurora-sidecar/aurora/index/vfs"
)

// Some files pass the rules that know names and sizes only and are left out when they are read: binary ones, for
// instance. What a scan knows of them is kept and saved, so that the next one reads them only when they have changed.

// A stamp tells whether a file was written since. The zero stamp is that of no file.
type stamp struct {
	size     int64
	modified int64 // nanoseconds since 1970
}

func stampOf(e vfs.Entry) stamp { return stamp{e.Size, e.ModTime.UnixNano()} }

// noteLocked remembers what came of reading a file.
func (f *folder) noteLocked(r *built) {
	switch {
	case r.unwanted && r.task.seen != stamp{}:
		if f.unwanted == nil {
			f.unwanted = map[string]stamp{}
		}
		f.unwanted[r.task.rel] = r.task.seen
	case r.file != nil:
		delete(f.unwanted, r.task.rel)
	}
}

func appendUnwanted(to []byte, unwanted map[string]stamp) []byte {
	to = binary.AppendUvarint(to, uint64(len(unwanted)))
	for path, s := range unwanted {
		to = appendBytes(to, []byte(path))
		to = binary.AppendVarint(to, s.size)
		to = binary.AppendVarint(to, s.modified)
	}
	return to
}

func decodeUnwanted(r *bytes.Reader) (map[string]stamp, error) {
	n, err := binary.ReadUvarint(r)
	if err != nil || n > uint64(r.Len()) {
		return nil, io.ErrUnexpectedEOF
	}
	unwanted := make(map[string]stamp, n)
	for range n {
		path, err := readBytes(r)
		if err != nil {
			return nil, err
		}
		var s stamp
		if s.size, err = binary.ReadVarint(r); err != nil {
			return nil, err
		}
		if s.modified, err = binary.ReadVarint(r); err != nil {
			return nil, err
		}
		unwanted[string(path)] = s
	}
	return unwanted, nil
}
