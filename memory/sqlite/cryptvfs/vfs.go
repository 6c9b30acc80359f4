package cryptvfs

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// name is what SQLite knows the VFS by, and keyParameter the parameter of a database's URI that says which of the
// unlocked databases of this process it is. It is a number, not the key.
const (
	name         = "aurora-crypt"
	keyParameter = "aurora_unlocked"
)

// vfs is registered with SQLite for as long as the process lives. It does what base does but for opening, and for the
// names of logs and journals.
var (
	vfs  sqlite3.Tsqlite3_vfs
	base *sqlite3.Tsqlite3_vfs
	at   uintptr // of base

	keyParameterC uintptr
)

var register = sync.OnceValue(func() error {
	tls := libc.NewTLS()
	defer tls.Close()
	if at = sqlite3.Xsqlite3_vfs_find(tls, 0); at == 0 {
		return errors.New("SQLite has no VFS for files")
	}
	base = deref[sqlite3.Tsqlite3_vfs](at)
	vfs = *base
	vfs.FpNext = 0
	vfs.FszOsFile = int32(unsafe.Sizeof(cFile{})) + base.FszOsFile
	var err error
	if vfs.FzName, err = libc.CString(name); err != nil {
		return err
	}
	if keyParameterC, err = libc.CString(keyParameter); err != nil {
		return err
	}
	setFunc(&vfs.FxOpen, vfsOpen)
	setFunc(&vfs.FxDelete, vfsDelete)
	setFunc(&vfs.FxAccess, vfsAccess)
	setFunc(&vfs.FxFullPathname, vfsFullPathname)
	initMethods()
	if rc := sqlite3.Xsqlite3_vfs_register(tls, uintptr(unsafe.Pointer(&vfs)), 0); rc != sqlite3.SQLITE_OK {
		return fmt.Errorf("register the encrypting VFS: result %d", rc)
	}
	return nil
})

// deref reads a C structure. Its memory is not Go's, so nothing moves or frees it meanwhile.
func deref[T any](p uintptr) *T { return *(**T)(unsafe.Pointer(&p)) }

// bytesAt are n bytes of C memory.
func bytesAt(p uintptr, n int) []byte { return unsafe.Slice(deref[byte](p), n) }

// setFunc stores a top-level function where C has a function pointer; translated C calls it in this form.
func setFunc[F any](place *uintptr, f F) { *(*F)(unsafe.Pointer(place)) = f }

// fn is the function behind a function pointer of translated C.
func fn[F any](p uintptr) F { return *(*F)(unsafe.Pointer(&p)) }

type (
	openFunc     = func(tls *libc.TLS, vfs, name, file uintptr, flags int32, outFlags uintptr) int32
	deleteFunc   = func(tls *libc.TLS, vfs, name uintptr, sync int32) int32
	accessFunc   = func(tls *libc.TLS, vfs, name uintptr, flags int32, result uintptr) int32
	fullPathFunc = func(tls *libc.TLS, vfs, name uintptr, size int32, result uintptr) int32
)

// vfsOpen opens a file of the VFS below and makes it one whose content is encrypted.
func vfsOpen(tls *libc.TLS, _, zName, pFile uintptr, flags int32, pOutFlags uintptr) int32 {
	c := deref[cFile](pFile)
	*c = cFile{}
	f, rc := newFile(tls, zName, flags)
	if rc != sqlite3.SQLITE_OK {
		return rc
	}
	rc = fn[openFunc](base.FxOpen)(tls, at, f.name, pFile+baseOffset, flags, pOutFlags)
	if rc == sqlite3.SQLITE_OK && flags&sqlite3.SQLITE_OPEN_MAIN_DB != 0 && !f.isUnlocked(tls, pFile+baseOffset) {
		belowOf(pFile).close(tls)
		rc = sqlite3.SQLITE_CANTOPEN
	}
	if rc != sqlite3.SQLITE_OK {
		f.free(tls)
		return rc
	}
	c.id = files.add(f)
	c.methods = uintptr(unsafe.Pointer(methodsFor(pFile + baseOffset)))
	return sqlite3.SQLITE_OK
}

// newFile decides how a file is encrypted: by the key of its database or, when it is a temporary one, by its own.
func newFile(tls *libc.TLS, zName uintptr, flags int32) (*file, int32) {
	const logs = sqlite3.SQLITE_OPEN_WAL | sqlite3.SQLITE_OPEN_MAIN_JOURNAL
	f := &file{name: zName}
	switch {
	case flags&sqlite3.SQLITE_OPEN_SUPER_JOURNAL != 0: // of transactions over several databases, which nobody makes here
		return nil, sqlite3.SQLITE_CANTOPEN
	case flags&(sqlite3.SQLITE_OPEN_MAIN_DB|logs) == 0:
		aead, err := randomAEAD()
		if err != nil {
			return nil, sqlite3.SQLITE_IOERR
		}
		f.aead, f.layout, f.kind = aead, blocks{4096}, temporary
		return f, f.allocate(tls, 4096)
	}
	f.db = unlockedBy(libc.GoString(sqlite3.Xsqlite3_uri_parameter(tls, zName, keyParameterC)))
	if f.db == nil {
		return nil, sqlite3.SQLITE_CANTOPEN
	}
	largest := f.db.pageSize
	switch {
	case flags&sqlite3.SQLITE_OPEN_MAIN_DB != 0:
		f.aead, f.layout, f.kind = f.db.main, pages{int64(f.db.pageSize)}, database
	case flags&sqlite3.SQLITE_OPEN_WAL != 0:
		f.aead, f.layout, f.kind = f.db.wal, frames{int64(f.db.pageSize)}, wal
	default:
		// Blocks as small as a sector: a header of the journal never shares one with what was written before it.
		f.aead, f.layout, f.kind = f.db.journal, blocks{512}, journal
	}
	if flags&logs != 0 {
		if f.name, f.nameSize = renamed(tls, zName); f.name == 0 {
			return nil, sqlite3.SQLITE_NOMEM
		}
	}
	return f, f.allocate(tls, largest)
}

// endings are those of the files beside a database, and what they are called instead.
var endings = map[string]string{"-wal": "-ewal", "-journal": "-ejournal"}

// renamed is the name under which a log or journal is kept: a copy that must be freed when size is not 0.
func renamed(tls *libc.TLS, zName uintptr) (name uintptr, size int) {
	path := libc.GoString(zName)
	for old, other := range endings {
		if stem, is := strings.CutSuffix(path, old); is {
			path = stem + other
			break
		}
	}
	// SQLite looks for parameters behind the end of a name.
	size = len(path) + 8
	if name = libc.Xcalloc(tls, 1, libc.Tsize_t(size)); name != 0 {
		copy(bytesAt(name, size), path)
	}
	return name, size
}

func vfsDelete(tls *libc.TLS, _, zName uintptr, sync int32) int32 {
	own, _ := renamed(tls, zName)
	if own == 0 {
		return sqlite3.SQLITE_NOMEM
	}
	defer libc.Xfree(tls, own)
	return fn[deleteFunc](base.FxDelete)(tls, at, own, sync)
}

func vfsAccess(tls *libc.TLS, _, zName uintptr, flags int32, pResult uintptr) int32 {
	own, _ := renamed(tls, zName)
	if own == 0 {
		return sqlite3.SQLITE_NOMEM
	}
	defer libc.Xfree(tls, own)
	return fn[accessFunc](base.FxAccess)(tls, at, own, flags, pResult)
}

func vfsFullPathname(tls *libc.TLS, _, zName uintptr, size int32, pResult uintptr) int32 {
	return fn[fullPathFunc](base.FxFullPathname)(tls, at, zName, size, pResult)
}

// A table hands out numbers for Go values, which C memory may hold.
type table struct {
	next sync.Mutex
	last uintptr
	all  sync.Map
}

var files table

func (t *table) add(f *file) uintptr {
	t.next.Lock()
	t.last++
	id := t.last
	t.next.Unlock()
	t.all.Store(id, f)
	return id
}

func (t *table) get(id uintptr) *file {
	f, _ := t.all.Load(id)
	return f.(*file)
}

func (t *table) remove(id uintptr) { t.all.Delete(id) }
