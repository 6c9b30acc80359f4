package vfs

import (
	"errors"
	"fmt"
	"sync"
	"testing"
)

func TestOverlays(t *testing.T) {
	w := newTree(t)
	w.write("real/a.go", "disk")
	w.link(w.path("real"), "link")
	var o Overlays
	if _, ok := o.Get(w.path("real/a.go")); ok || o.Close("x") || len(o.All()) != 0 {
		t.Error("the zero value is not empty")
	}
	if b := o.Open(w.path("link/a.go"), "go", 1, []byte("one")); b.Path != w.path("real/a.go") {
		t.Errorf("opened as %q", b.Path)
	}
	for _, name := range []string{"link/a.go", "real/a.go"} {
		if b, ok := o.Get(w.path(name)); !ok || string(b.Text) != "one" || b.LanguageID != "go" {
			t.Errorf("%s: %+v, %v", name, b, ok)
		}
	}
	if _, err := o.Change(w.path("real/a.go"), 3, []byte("three")); err != nil {
		t.Error(err)
	}
	if b, err := o.Change(w.path("link/a.go"), 2, []byte("two")); !errors.Is(err, ErrOldVersion) || string(b.Text) != "three" {
		t.Errorf("old version: %+v, %v", b, err)
	}
	if _, err := o.Change(w.path("other.go"), 1, nil); !errors.Is(err, ErrNotOpen) {
		t.Errorf("not open: %v", err)
	}
	o.Open("untitled:Untitled-1", "python", 1, []byte("x"))
	if all := o.All(); len(all) != 2 || all[1].Path != "untitled:Untitled-1" {
		t.Errorf("all: %+v", all)
	}
	if !o.Close(w.path("link/a.go")) || o.Close(w.path("real/a.go")) || !o.Close("untitled:Untitled-1") {
		t.Error("Close does not know what is open")
	}
}

func TestOverlaysConcurrently(t *testing.T) {
	var o Overlays
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			name := fmt.Sprintf("untitled:%d", i%4)
			for v := range int32(200) {
				o.Open(name, "go", v, nil)
				_, _ = o.Change(name, v+1, []byte("x"))
				o.Get(name)
				o.All()
				o.Close(name)
			}
		})
	}
	all.Wait()
}
