package sqlite

import (
	"fmt"

	"github.com/aurora-sidecar/aurora/internal/atrest"
	"github.com/aurora-sidecar/aurora/memory/sqlite/cryptvfs"
)

// Encryption says how a store's files are encrypted.
type Encryption atrest.Policy

// A KeyError says that a file is encrypted, or should be, and can't be opened with the keys at hand. Nothing was changed.
type KeyError struct {
	Path string
	New  bool // it does not exist yet
	Err  error
}

func (e *KeyError) Error() string {
	if e.New {
		return fmt.Sprintf("%s is to be encrypted: %v", e.Path, e.Err)
	}
	return fmt.Sprintf("%s is encrypted: %v", e.Path, e.Err)
}

// Unwrap returns why: mostly atrest.ErrNoKey or atrest.ErrWrongKey.
func (e *KeyError) Unwrap() error { return e.Err }

func (e Encryption) keyError(path string, isNew bool, err error) error {
	return &KeyError{path, isNew, atrest.Policy(e).Explain(err)}
}

// reach finds out how the database at path is opened: with the parameters of the result, or plainly when it is nil.
func (e Encryption) reach(path string) (*cryptvfs.Unlocked, error) {
	state, err := cryptvfs.Inspect(path)
	if err != nil || state != cryptvfs.Sealed {
		return nil, err
	}
	u, err := cryptvfs.Unlock(path, e.Keys)
	if err != nil {
		return nil, e.keyError(path, false, err)
	}
	return u, nil
}

// create makes an encrypted database at path when there is none and encryption is on.
func (e Encryption) create(path string) error {
	if !e.Enabled {
		return nil
	}
	state, err := cryptvfs.Inspect(path)
	if err != nil || state != cryptvfs.Missing {
		return err
	}
	if err := cryptvfs.Create(path, e.Keys); err != nil {
		return e.keyError(path, true, err)
	}
	return nil
}

// like returns options under which a new file is encrypted as the one that u stands for is.
func (o Options) like(u *cryptvfs.Unlocked) Options {
	o.Encryption.Enabled = u != nil
	return o
}

// parametersOf are those of the URI of a database, none when it is plain.
func parametersOf(u *cryptvfs.Unlocked) []string {
	if u == nil {
		return nil
	}
	return u.Parameters()
}

// release ends the use of a database that reach found.
func release(u *cryptvfs.Unlocked) {
	if u != nil {
		u.Lock()
	}
}

// Locked is why the file can't be decrypted and the store lives in memory only: a *KeyError, wrapped, or nil.
func (d *database) Locked() error { return d.locked }

// Volatile reports whether the store has a file that it could not open: what is written is gone when it is closed.
func (d *database) Volatile() bool { return d.volatile }

// KeyOf tells which key opens the store's file, nil for a plain one and for a store in memory.
func (d *database) KeyOf() *atrest.Keys {
	if d.unlocked == nil {
		return nil
	}
	return d.unlocked.Keys
}
