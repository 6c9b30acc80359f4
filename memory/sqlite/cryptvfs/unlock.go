package cryptvfs

import (
	"bytes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"sync"
	"syscall"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/aurora-sidecar/aurora/internal/atomicfile"
	"github.com/aurora-sidecar/aurora/internal/atrest"
)

// Magic is how the file of an encrypted database begins.
const Magic = "AURORA encrypted database 1\n"

// DefaultPageSize is what SQLite takes for a new database.
const DefaultPageSize = 4096

// A State is what a file is, as far as it can be seen without a key.
type State int

const (
	Missing State = iota // or empty: a database that is still to be made
	Plain                // not encrypted, if it is a database at all
	Sealed
)

// Inspect looks at a file. It takes care not to drop the locks that this process has on it, as opening it would.
func Inspect(path string) (State, error) {
	head, err := readHead(path)
	switch {
	case err != nil:
		return Missing, err
	case len(bytes.TrimRight(head, "\x00")) == 0:
		return Missing, nil
	case bytes.HasPrefix(head, []byte(Magic)):
		return Sealed, nil
	}
	return Plain, nil
}

// Readable reads all of a file and reports whether the disk gives it up. What is in it does not matter, nor does a file that is
// not there. Like Inspect, it drops no locks of a database; a file of shared memory is not for it.
func Readable(path string) error {
	return readBlocks(path, func([]byte) bool { return true })
}

// readHead returns the first 4096 bytes of a file, with zeros behind its end; nothing of a file that is not there.
func readHead(path string) (head []byte, err error) {
	err = readBlocks(path, func(block []byte) bool {
		head = bytes.Clone(block)
		return false
	})
	return head, err
}

// readBlocks calls next with the blocks of 4096 bytes of a file, the last one with zeros behind its end, until it returns false.
func readBlocks(path string, next func(block []byte) bool) error {
	if err := register(); err != nil {
		return err
	}
	if info, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	} else if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a file", path)
	}
	tls := libc.NewTLS()
	defer tls.Close()
	// Zeros behind the name end its parameters.
	memory := libc.Xcalloc(tls, 1, libc.Tsize_t(int(base.FszOsFile)+headerSize+len(path)+16))
	if memory == 0 {
		return errors.New("out of memory")
	}
	defer libc.Xfree(tls, memory)
	buf := memory + uintptr(base.FszOsFile)
	zName := buf + headerSize + 4
	copy(bytesAt(zName, len(path)), path)
	const flags = sqlite3.SQLITE_OPEN_READONLY | sqlite3.SQLITE_OPEN_MAIN_DB
	if rc := fn[openFunc](base.FxOpen)(tls, at, zName, memory, flags, 0); rc != sqlite3.SQLITE_OK {
		return &fs.PathError{Op: "open", Path: path, Err: openCause(path)}
	}
	b := below{memory, deref[sqlite3.Tsqlite3_io_methods](deref[sqlite3.Tsqlite3_file](memory).FpMethods)}
	defer b.close(tls)
	for off := int64(0); ; off += headerSize {
		rc := b.read(tls, buf, headerSize, off)
		if rc != sqlite3.SQLITE_OK && rc != sqlite3.SQLITE_IOERR_SHORT_READ {
			return &fs.PathError{Op: "read", Path: path, Err: syscall.EIO}
		}
		if !next(bytesAt(buf, headerSize)) || rc == sqlite3.SQLITE_IOERR_SHORT_READ {
			return nil
		}
	}
}

// openCause finds out why a file that is there can't be opened, without opening it.
func openCause(path string) error {
	if info, err := os.Stat(path); err == nil && info.Mode().Perm()&0o444 != 0 {
		return errors.New("SQLite can't open it")
	}
	return fs.ErrPermission
}

// An Unlocked database can be opened by this process.
type Unlocked struct {
	Keys *atrest.Keys // that were given

	id                 string
	header             []byte
	pageSize           int
	main, wal, journal cipher.AEAD
}

var (
	unlockedMu sync.Mutex
	unlocked   = map[string]*Unlocked{}
	lastID     uint64
)

func unlockedBy(id string) *Unlocked {
	unlockedMu.Lock()
	defer unlockedMu.Unlock()
	return unlocked[id]
}

// Unlock makes an encrypted database ready to be opened with Parameters, until Lock. It changes nothing, and fails with
// atrest.ErrNoKey, atrest.ErrWrongKey or atrest.ErrDamaged.
func Unlock(path string, keys *atrest.Keys) (*Unlocked, error) {
	head, err := readHead(path)
	if err != nil {
		return nil, err
	}
	return unlockHead(head, keys)
}

func unlockHead(head []byte, keys *atrest.Keys) (*Unlocked, error) {
	wrapped, err := wrappedKey(head)
	if err != nil {
		return nil, err
	}
	secret, err := keys.Open(wrapped)
	if err != nil {
		return nil, err
	}
	defer clear(secret)
	if len(secret) != keySize+4 {
		return nil, fmt.Errorf("%w: its header holds no key", atrest.ErrDamaged)
	}
	u := &Unlocked{Keys: keys, header: bytes.Clone(head), pageSize: int(binary.BigEndian.Uint32(secret[keySize:]))}
	if !isPageSize(u.pageSize) {
		return nil, fmt.Errorf("%w: pages of %d bytes", atrest.ErrDamaged, u.pageSize)
	}
	for label, place := range map[string]*cipher.AEAD{"pages": &u.main, "log": &u.wal, "journal": &u.journal} {
		if *place, err = newAEAD(secret[:keySize], label); err != nil {
			return nil, err
		}
	}
	unlockedMu.Lock()
	defer unlockedMu.Unlock()
	lastID++
	u.id = strconv.FormatUint(lastID, 10)
	unlocked[u.id] = u
	return u, nil
}

func isPageSize(n int) bool { return n >= 512 && n <= 65536 && n&(n-1) == 0 }

// wrappedKey is the age file in a header.
func wrappedKey(head []byte) ([]byte, error) {
	rest, is := bytes.CutPrefix(head, []byte(Magic))
	if !is || len(head) != headerSize {
		return nil, errors.New("it is not an encrypted database")
	}
	size := binary.BigEndian.Uint32(rest)
	if rest = rest[4:]; int64(size) > int64(len(rest)) {
		return nil, fmt.Errorf("%w: its header", atrest.ErrDamaged)
	}
	return rest[:size], nil
}

// newHeader makes the header of a new database with a key of its own.
func newHeader(keys *atrest.Keys, pageSize int) ([]byte, error) {
	if keys.Count() == 0 {
		return nil, atrest.ErrNoKey
	}
	secret := make([]byte, keySize+4)
	defer clear(secret)
	rand.Read(secret[:keySize]) // never fails
	binary.BigEndian.PutUint32(secret[keySize:], uint32(pageSize))
	wrapped, err := keys.Seal(secret)
	if err != nil {
		return nil, err
	}
	head := binary.BigEndian.AppendUint32([]byte(Magic), uint32(len(wrapped)))
	head = append(head, wrapped...)
	return append(head, make([]byte, headerSize-len(head))...), nil
}

// Create puts an empty encrypted database at path, where there is none or an empty file.
func Create(path string, keys *atrest.Keys) error {
	head, err := newHeader(keys, DefaultPageSize)
	if err != nil {
		return err
	}
	return atomicfile.Write(path, head, atomicfile.Private)
}

// Parameters are those of the URI with which SQLite opens the database.
func (u *Unlocked) Parameters() []string { return []string{"vfs=" + name, keyParameter + "=" + u.id} }

// Current reports whether the key that encrypts now is the one that opens the database.
func (u *Unlocked) Current() bool {
	wrapped, err := wrappedKey(u.header)
	return err == nil && u.Keys.OpenedByFirst(wrapped)
}

// Lock ends what Unlock began: the database can't be opened any more. Connections that are open go on.
func (u *Unlocked) Lock() {
	unlockedMu.Lock()
	defer unlockedMu.Unlock()
	delete(unlocked, u.id)
}
