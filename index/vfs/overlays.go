package vfs

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync"
)

// Why a change to a buffer was not taken.
var (
	ErrNotOpen    = errors.New("buffer is not open")
	ErrOldVersion = errors.New("buffer already has a newer version")
)

// An Overlay is the unsaved text of an open buffer. Its Text must not be modified.
type Overlay struct {
	Path       string // canonical, or an opaque name such as "untitled:Untitled-1"
	LanguageID string // as the editor calls it
	Version    int32
	Text       []byte
}

// Overlays holds the open buffers. Paths may come with or without symbolic links and mean the same file as they do on
// disk. Safe for concurrent use; the zero value is empty.
type Overlays struct {
	mu      sync.RWMutex
	buffers map[string]Overlay // by canonical path
	names   map[string]string  // as opened -> canonical: closing works even if the links changed meanwhile
}

// Open puts a buffer over path, in place of one that is open already, and returns it.
func (o *Overlays) Open(path, languageID string, version int32, text []byte) Overlay {
	key := Canonical(path)
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.buffers == nil {
		o.buffers, o.names = make(map[string]Overlay), make(map[string]string)
	}
	b := Overlay{Path: key, LanguageID: languageID, Version: version, Text: text}
	o.buffers[key], o.names[path] = b, key
	return b
}

// Change replaces the text of an open buffer and returns what it is afterwards. ErrOldVersion leaves it as it is; the
// same version again is taken, because some editors never count.
func (o *Overlays) Change(path string, version int32, text []byte) (Overlay, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	b, ok := o.buffers[o.key(path)]
	if !ok {
		return Overlay{}, fmt.Errorf("change %s: %w", path, ErrNotOpen)
	}
	if version < b.Version {
		return b, fmt.Errorf("change %s from version %d to %d: %w", path, b.Version, version, ErrOldVersion)
	}
	b.Version, b.Text = version, text
	o.buffers[b.Path] = b
	return b, nil
}

// Close drops the buffer and reports whether it was open.
func (o *Overlays) Close(path string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	key := o.key(path)
	_, open := o.buffers[key]
	delete(o.buffers, key)
	for name, k := range o.names {
		if k == key {
			delete(o.names, name)
		}
	}
	return open
}

// Get returns the buffer over path.
func (o *Overlays) Get(path string) (Overlay, bool) {
	o.mu.RLock()
	defer o.mu.RUnlock()
	b, ok := o.buffers[o.key(path)]
	return b, ok
}

// All returns the open buffers by path.
func (o *Overlays) All() []Overlay {
	o.mu.RLock()
	defer o.mu.RUnlock()
	all := make([]Overlay, 0, len(o.buffers))
	for _, b := range o.buffers {
		all = append(all, b)
	}
	slices.SortFunc(all, func(a, b Overlay) int { return cmp.Compare(a.Path, b.Path) })
	return all
}

// key finds the canonical path; it touches the disk only for a name that was never opened.
func (o *Overlays) key(path string) string {
	if key, ok := o.names[path]; ok {
		return key
	}
	if _, ok := o.buffers[path]; ok || len(o.buffers) == 0 {
		return path
	}
	return Canonical(path)
}
