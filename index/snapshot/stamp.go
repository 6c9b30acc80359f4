package snapshot

import (
	"bytes"
	"encoding/binary"
	"io"

	"github.com/aurora-sidecar/aurora/index/vfs"
)

// A Stamp tells whether a file was written since. The zero Stamp is that of no file.
type Stamp struct {
	size     int64
	modified int64 // nanoseconds since 1970
	node     vfs.Node
}

// StampOf returns the stamp of a file that a scan met.
func StampOf(e vfs.Entry) Stamp { return Stamp{e.Size, e.ModTime.UnixNano(), e.Node} }

func appendUnwanted(to []byte, unwanted map[string]Stamp) []byte {
	to = binary.AppendUvarint(to, uint64(len(unwanted)))
	for path, s := range unwanted {
		to = appendBytes(to, []byte(path))
		to = binary.AppendVarint(to, s.size)
		to = binary.AppendVarint(to, s.modified)
		to = appendNode(to, s.node)
	}
	return to
}

func appendNode(to []byte, n vfs.Node) []byte {
	return binary.AppendVarint(binary.AppendUvarint(to, n.Inode), n.Changed)
}

func decodeNode(r *bytes.Reader) (n vfs.Node, err error) {
	if n.Inode, err = binary.ReadUvarint(r); err == nil {
		n.Changed, err = binary.ReadVarint(r)
	}
	return n, err
}

func decodeUnwanted(r *bytes.Reader) (map[string]Stamp, error) {
	n, err := binary.ReadUvarint(r)
	if err != nil || n > uint64(r.Len()) {
		return nil, io.ErrUnexpectedEOF
	}
	unwanted := make(map[string]Stamp, n)
	for range n {
		path, err := readBytes(r)
		if err != nil {
			return nil, err
		}
		var s Stamp
		if s.size, err = binary.ReadVarint(r); err != nil {
			return nil, err
		}
		if s.modified, err = binary.ReadVarint(r); err != nil {
			return nil, err
		}
		if s.node, err = decodeNode(r); err != nil {
			return nil, err
		}
		unwanted[string(path)] = s
	}
	return unwanted, nil
}
