package corpus

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/embed"
	"github.com/aurora-sidecar/aurora/index/syntax"
)

// minCode is the number of tokens below which code could be anything; minCopy that from which equal code is a copy.
const (
	minCode = 6
	minCopy = 16
)

// Extract reads the repositories in the folders, workers at a time, and returns their pairs in the order of their names.
// Functions that occur in one of the excluded folders are left out. It refuses held-out repositories. done is told of
// each repository that was read.
func Extract(folders, excluded []string, workers int, done func(name string, pairs int)) ([]Repository, error) {
	for _, folder := range folders {
		if why := HeldOut(folder); why != "" {
			return nil, fmt.Errorf("read %s: %s: leave it out", folder, why)
		}
	}
	copies, err := functionSums(excluded, workers)
	if err != nil {
		return nil, err
	}
	repositories, err := parallel(folders, workers, func(folder string) (Repository, error) {
		pairs, err := extractFolder(folder, copies)
		name := filepath.Base(folder)
		if err == nil {
			done(name, len(pairs))
		}
		return Repository{Name: name, Pairs: pairs}, err
	})
	slices.SortFunc(repositories, byName)
	return repositories, err
}

// functionSums returns the sums of all functions in the folders.
func functionSums(folders []string, workers int) (map[uint64]bool, error) {
	all := map[uint64]bool{}
	lists, err := parallel(folders, workers, func(folder string) ([]uint64, error) {
		var sums []uint64
		x := extractor{found: func(sum uint64) bool { sums = append(sums, sum); return false }}
		err := x.folder(folder)
		return sums, err
	})
	for _, list := range lists {
		for _, sum := range list {
			all[sum] = true
		}
	}
	return all, err
}

// parallel calls work with each folder, some at a time, and returns the results in the order of the folders.
func parallel[T any](folders []string, workers int, work func(string) (T, error)) ([]T, error) {
	results, failures := make([]T, len(folders)), make([]error, len(folders))
	next := make(chan int)
	var group sync.WaitGroup
	for range max(1, workers) {
		group.Go(func() {
			for i := range next {
				results[i], failures[i] = work(folders[i])
			}
		})
	}
	for i := range folders {
		next <- i
	}
	close(next)
	group.Wait()
	for i, err := range failures {
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", folders[i], err)
		}
	}
	return results, nil
}

func extractFolder(folder string, copies map[uint64]bool) ([]Pair, error) {
	x := extractor{found: func(sum uint64) bool { return !copies[sum] }}
	if err := x.folder(folder); err != nil {
		return nil, err
	}
	if err := x.commits(folder); err != nil {
		return nil, err
	}
	return unique(x.pairs), nil
}

// An extractor gathers the pairs of one repository.
type extractor struct {
	tokens tokeniser
	found  func(sum uint64) bool // whether a function may be used
	pairs  []Pair
}

// folder reads all files of a folder.
func (x *extractor) folder(root string) error {
	list, err := files(root)
	if err != nil {
		return err
	}
	for _, name := range list {
		src, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		x.file(name, src)
	}
	return nil
}

// file adds the pairs of one file.
func (x *extractor) file(name string, src []byte) {
	lang := syntax.Detect(name, src)
	if lang == nil || bytes.IndexByte(src, 0) >= 0 {
		return
	}
	if lang.Name == "markdown" {
		for _, p := range sections(src) {
			x.add(Markdown, x.tokens.bag(maxQuery, p.prose), x.tokens.bag(maxCode, p.about))
		}
		return
	}
	f, _ := chunk.Analyze(lang, src) // what can't be parsed has no functions
	if f.Generated {
		return
	}
	test := isTest(name)
	for i := range f.Chunks {
		if fn, ok := functionOf(f, i, src); ok && x.usable(fn) {
			x.function(fn, test, draw(name, fn.name, i))
		}
	}
}

// A function is a definition to learn from.
type function struct {
	name    string
	doc     []byte // its first paragraph, nil for none
	code    []byte // without the documentation
	isClass bool
}

// functionOf returns chunk i when it is a function, a method or a class.
func functionOf(f *chunk.File, i int, src []byte) (function, bool) {
	c := &f.Chunks[i]
	if c.Name == "" || c.Type != chunk.Function && c.Type != chunk.Method && c.Type != chunk.Class {
		return function{}, false
	}
	code := embed.Code(f, i, src)
	return function{name: c.Name, doc: docText(c.Doc.In(src)), code: code, isClass: c.Type == chunk.Class}, true
}

// usable reports whether the function says enough and is no copy of a held-out one.
func (x *extractor) usable(fn function) bool {
	code := x.tokens.bag(maxCode, fn.code)
	if n := code.tokens(); n < minCopy {
		return n >= minCode
	}
	return x.found(code.Sum())
}

// function adds the pairs of a function. What is drawn by lot is decided by the bits of lot, so that it is the same in
// every run.
func (x *extractor) function(fn function, test bool, lot uint64) {
	nameless := withoutName(fn.code, fn.name)
	if fn.doc != nil {
		query := x.tokens.bag(maxQuery, withoutName(fn.doc, fn.name))
		name := []byte(fn.name)
		if lot%10 < 3 {
			x.add(Doc, query, x.tokens.bag(maxCode, nameless))
		} else {
			x.add(Doc, query, x.tokens.bag(maxCode, name, name, fn.code))
		}
	}
	lot /= 10
	if fn.isClass {
		return
	}
	if (fn.doc == nil || lot%2 == 0) && (!test || lot/2%4 == 0) {
		x.add(Name, x.tokens.bag(maxQuery, []byte(fn.name)), x.tokens.bag(maxCode, nameless))
	}
	for _, p := range comments(fn.code) {
		x.add(Comment, x.tokens.bag(maxQuery, p.prose), x.tokens.bag(maxCode, p.about))
	}
}

// add keeps a pair of which both sides say something.
func (x *extractor) add(kind Kind, query, code Bag) {
	if len(query) > 0 && code.tokens() >= minCode {
		x.pairs = append(x.pairs, Pair{kind, query, code})
	}
}

// draw returns a number that looks random and depends on the place only.
func draw(file, name string, i int) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s\x00%s\x00%d", file, name, i)
	sum := h.Sum64()
	sum ^= sum >> 29 // the low bits of FNV are poor
	return sum * 0xbf58476d1ce4e5b9 >> 8
}
