package diskfaults

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
)

// The operations that a disk may fail to do.
const (
	failReads uint32 = 1 << iota
	failWrites
	failSyncs
	failNames // of files: creating, renaming and removing them
)

// A disk is a mounted file system that passes everything on to a folder, or fails with an input or output error.
type disk struct {
	path   string // of the mount
	faults atomic.Uint32
	hit    atomic.Int64 // operations that failed
	what   atomic.Value // string: only files whose paths hold it fail
	first  atomic.Int64 // operations that still succeed
	most   atomic.Int64 // operations that fail after them; 0 means all
}

// newDisk mounts a disk.
func newDisk(t *testing.T) *disk {
	t.Helper()
	base := t.TempDir()
	below, at := filepath.Join(base, "below"), filepath.Join(base, "disk")
	for _, folder := range []string{below, at} {
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	d := &disk{path: at}
	d.what.Store("")
	data := &fs.LoopbackRoot{Path: below}
	root := &node{&fs.LoopbackNode{RootData: data}, d}
	data.RootNode = root
	second := time.Duration(0) // nothing about names is kept
	server, err := fs.Mount(at, root, &fs.Options{
		MountOptions: fuse.MountOptions{DirectMountStrict: true, FsName: "faults", DisableXAttrs: true}, EntryTimeout: &second, AttrTimeout: &second,
	})
	if err != nil {
		t.Skipf("FUSE can't be mounted here: %v", err)
	}
	t.Cleanup(func() {
		d.faults.Store(0)
		if err := server.Unmount(); err != nil {
			t.Errorf("unmount: %v", err)
		}
	})
	return d
}

// fail has operations on files whose paths hold a text fail until works.
func (d *disk) fail(what string, operations uint32) {
	d.failSome(what, operations, 0, 0)
}

// failSome is fail for some operations: after the first ones, and most of them at most, unless that is 0.
func (d *disk) failSome(what string, operations uint32, first, most int64) {
	d.what.Store(what)
	d.hit.Store(0)
	d.first.Store(first)
	d.most.Store(most)
	d.faults.Store(operations)
}

// works ends the faults, and returns how many operations failed.
func (d *disk) works() int64 {
	d.faults.Store(0)
	return d.hit.Load()
}

// check is EIO when an operation on a path is to fail.
func (d *disk) check(path string, operation uint32) syscall.Errno {
	if d.faults.Load()&operation == 0 || !strings.Contains(path, d.what.Load().(string)) {
		return 0
	}
	if d.first.Add(-1) >= 0 {
		return 0
	}
	if n, most := d.hit.Add(1), d.most.Load(); most > 0 && n > most {
		return 0
	}
	return syscall.EIO
}

// A node is a file or a folder.
type node struct {
	*fs.LoopbackNode
	disk *disk
}

// WrapChild implements fs.NodeWrapChilder.
func (n *node) WrapChild(_ context.Context, child fs.InodeEmbedder) fs.InodeEmbedder {
	return &node{child.(*fs.LoopbackNode), n.disk}
}

func (n *node) full(name string) string { return filepath.Join(n.Path(nil), name) }

// Open implements fs.NodeOpener.
func (n *node) Open(ctx context.Context, flags uint32) (fs.FileHandle, uint32, syscall.Errno) {
	if errno := n.disk.check(n.full(""), failReads); errno != 0 {
		return nil, 0, errno
	}
	h, f, errno := n.LoopbackNode.Open(ctx, flags)
	return n.wrap(h, n.full("")), f, errno
}

// Create implements fs.NodeCreater.
func (n *node) Create(ctx context.Context, name string, flags, mode uint32, out *fuse.EntryOut) (*fs.Inode, fs.FileHandle, uint32, syscall.Errno) {
	if errno := n.disk.check(n.full(name), failNames); errno != 0 {
		return nil, nil, 0, errno
	}
	inode, h, f, errno := n.LoopbackNode.Create(ctx, name, flags, mode, out)
	return inode, n.wrap(h, n.full(name)), f, errno
}

// Rename implements fs.NodeRenamer.
func (n *node) Rename(ctx context.Context, name string, parent fs.InodeEmbedder, newName string, flags uint32) syscall.Errno {
	if errno := n.disk.check(n.full(name), failNames); errno != 0 {
		return errno
	}
	return n.LoopbackNode.Rename(ctx, name, parent, newName, flags)
}

// Unlink implements fs.NodeUnlinker.
func (n *node) Unlink(ctx context.Context, name string) syscall.Errno {
	if errno := n.disk.check(n.full(name), failNames); errno != 0 {
		return errno
	}
	return n.LoopbackNode.Unlink(ctx, name)
}

func (n *node) wrap(h fs.FileHandle, path string) fs.FileHandle {
	inner, ok := h.(*fs.LoopbackFile)
	if !ok {
		return h
	}
	return &file{inner, n.disk, path}
}

// A file is open.
type file struct {
	*fs.LoopbackFile
	disk *disk
	path string
}

// Read implements fs.FileReader.
func (f *file) Read(ctx context.Context, dest []byte, at int64) (fuse.ReadResult, syscall.Errno) {
	if errno := f.disk.check(f.path, failReads); errno != 0 {
		return nil, errno
	}
	return f.LoopbackFile.Read(ctx, dest, at)
}

// Write implements fs.FileWriter.
func (f *file) Write(ctx context.Context, data []byte, at int64) (uint32, syscall.Errno) {
	if errno := f.disk.check(f.path, failWrites); errno != 0 {
		return 0, errno
	}
	return f.LoopbackFile.Write(ctx, data, at)
}

// Fsync implements fs.FileFsyncer.
func (f *file) Fsync(ctx context.Context, flags uint32) syscall.Errno {
	if errno := f.disk.check(f.path, failSyncs); errno != 0 {
		return errno
	}
	return f.LoopbackFile.Fsync(ctx, flags)
}

// PassthroughFd implements fs.FilePassthroughFder: the kernel must not go around the faults.
func (f *file) PassthroughFd() (int, bool) { return 0, false }
