package mapfile

import (
	"errors"
	"os"
	"runtime"
	"runtime/debug"
)

// ErrUnsupported is returned where files are not mapped: on Windows, where a mapped file could not be replaced.
var ErrUnsupported = errors.New("files are not mapped on this system")

// A Mapping is a file in memory. It lives until nothing refers to it any more. Slices of Bytes don't count: who holds
// one must hold the Mapping, too, up to runtime.KeepAlive where it matters.
type Mapping struct{ data []byte }

// Map maps the first size bytes of a file, readable only. The file may be closed, renamed and removed afterwards.
func Map(f *os.File, size int64) (*Mapping, error) {
	if size <= 0 || int64(int(size)) != size {
		return nil, &os.PathError{Op: "map", Path: f.Name(), Err: errors.New("nothing, or more than fits into memory, to map")}
	}
	data, err := mapFile(f, int(size))
	if err != nil {
		return nil, &os.PathError{Op: "map", Path: f.Name(), Err: err}
	}
	m := &Mapping{data}
	runtime.AddCleanup(m, unmap, data)
	return m, nil
}

// Bytes returns the content. Writing to it ends the process.
func (m *Mapping) Bytes() []byte { return m.data }

// Guard calls f and reports whether it came to its end. It did not when it touched a page of a mapped file that can't be
// read: the disk failed, a network file system is gone, or somebody shortened the file. Other panics go on.
func Guard(f func()) (ok bool) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		switch r := recover().(type) {
		case nil:
		case interface{ Addr() uintptr }: // a fault, see debug.SetPanicOnFault
			ok = false
		default:
			panic(r)
		}
	}()
	f()
	return true
}
