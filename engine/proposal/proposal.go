package proposal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/aymanbagabas/go-udiff"
)

// Of what one question may propose.
const (
	mostFiles = 50
	mostText  = 1 << 20 // bytes of one file
)

// An Edit takes the place of a text of a file.
type Edit struct {
	Path    string // relative to its folder, with slashes
	Folder  string // that folder in its repository, with slashes; "" for the whole of it, or without one
	Find    string // stands in the file once; "" makes a new file
	Replace string
}

// A File is a file with all that is proposed for it.
type File struct {
	Path    string
	Folder  string
	Abs     string
	Before  string // "" of a new file
	After   string // "" of a deleted file
	Created bool
	Deleted bool
	Program bool // the file can be run
}

// A Set collects edits. It serves several goroutines; nil is no set.
type Set struct {
	mu     sync.Mutex
	files  []*File
	passed bool // what was run since the last edit
	edits  int
}

// Add holds an edit against the file as it would be after the edits before. abs is where the file is, or will be; text is what
// it says now, or an error, which is fs.ErrNotExist where there is none. What is wrong with the edit is an error for the model.
func (s *Set) Add(e Edit, abs string, text func() ([]byte, error)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	f, err := s.file(e, abs, text)
	if err != nil {
		return err
	}
	after := e.Replace
	if e.Find != "" {
		if after, err = replaced(f.After, e); err != nil {
			return err
		}
	}
	switch {
	case after == f.After:
		return errors.New("the edit changes nothing")
	case len(after) > mostText:
		return fmt.Errorf("%s would have %d bytes, more than %d", e.Path, len(after), mostText)
	case strings.Contains(e.Replace, "[REDACTED"):
		return errors.New("the text has a secret taken out, which would be lost: edit around it")
	case strings.ContainsRune(after, 0):
		return fmt.Errorf("%s is no text", e.Path)
	}
	f.After, s.passed = after, false
	s.edits++
	if !s.has(f) {
		s.files = append(s.files, f)
	}
	return nil
}

// file is the one that an edit is about.
func (s *Set) file(e Edit, abs string, text func() ([]byte, error)) (*File, error) {
	for _, f := range s.files {
		if f.Abs == abs {
			if f.Deleted {
				return nil, fmt.Errorf("%s is to be deleted", e.Path)
			}
			if e.Find == "" && !f.Created {
				return nil, fmt.Errorf("there is a file %s: give the text that is to be replaced", e.Path)
			}
			return f, nil
		}
	}
	if len(s.files) == mostFiles {
		return nil, fmt.Errorf("more than %d files", mostFiles)
	}
	src, err := text()
	switch {
	case errors.Is(err, fs.ErrNotExist) && e.Find == "":
		return &File{Path: e.Path, Folder: e.Folder, Abs: abs, Created: true}, nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no file %s; to make it, leave find empty", e.Path)
	case err != nil:
		return nil, err
	case e.Find == "":
		return nil, fmt.Errorf("there is a file %s: give the text that is to be replaced", e.Path)
	}
	return &File{Path: e.Path, Folder: e.Folder, Abs: abs, Before: string(src), After: string(src)}, nil
}

// Remove proposes that a file be deleted. What was proposed for it before is void.
func (s *Set) Remove(e Edit, abs string, text func() ([]byte, error)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, err := s.remove(e, abs, text)
	return err
}

// remove takes a file away, and returns it with the text that it would have had.
func (s *Set) remove(e Edit, abs string, text func() ([]byte, error)) (File, error) {
	e.Find = "it" // no new file is meant
	f, err := s.file(e, abs, text)
	if err != nil {
		return File{}, err
	}
	last := *f
	if f.Created {
		s.files = slices.DeleteFunc(s.files, func(known *File) bool { return known == f })
	} else {
		f.After, f.Deleted, f.Program = "", true, runs(abs)
		if !s.has(f) {
			s.files = append(s.files, f)
		}
	}
	s.passed = false
	s.edits++
	return last, nil
}

// Move proposes that a file get another name, with what was proposed for it before: it is deleted, and made again there. The
// other name, of which Find and Replace say nothing, must be free.
func (s *Set) Move(from Edit, abs string, text func() ([]byte, error), to Edit, toAbs string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case slices.ContainsFunc(s.files, func(f *File) bool { return f.Abs == toAbs }):
		return fmt.Errorf("there are edits of %s: choose another name", to.Path)
	case len(s.files)+2 > mostFiles:
		return fmt.Errorf("more than %d files", mostFiles)
	}
	last, err := s.remove(from, abs, text)
	if err != nil {
		return err
	}
	s.files = append(s.files, &File{Path: to.Path, Folder: to.Folder, Abs: toAbs, After: last.After, Created: true, Program: runs(abs)})
	return nil
}

// runs reports whether a file can be run.
func runs(abs string) bool {
	info, err := os.Stat(abs)
	return err == nil && info.Mode()&0o100 != 0
}

func (s *Set) has(f *File) bool {
	for _, known := range s.files {
		if known == f {
			return true
		}
	}
	return false
}

// replaced is a text after an edit. A model writes "\n" where the file has "\r\n", be it in all lines or in some.
func replaced(text string, e Edit) (string, error) {
	find, replace := e.Find, e.Replace
	asWritten := strings.Contains(find, "\r") || strings.Contains(find, "\n") && strings.Contains(text, find)
	if strings.Contains(text, "\r\n") && !asWritten {
		find, replace = strings.ReplaceAll(find, "\n", "\r\n"), strings.ReplaceAll(strings.ReplaceAll(replace, "\r", ""), "\n", "\r\n")
	}
	switch n := strings.Count(text, find); n {
	case 1:
		return strings.Replace(text, find, replace, 1), nil
	case 0:
		return "", fmt.Errorf("the text to replace does not stand in %s: read its lines, and copy them with their indentation", e.Path)
	default:
		return "", fmt.Errorf("the text to replace stands in %s %d times: take more lines", e.Path, n)
	}
}

// Files are those that would change, in the order in which they were first edited.
func (s *Set) Files() []File {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []File
	for _, f := range s.files {
		if f.Before != f.After || f.Created || f.Deleted {
			out = append(out, *f)
		}
	}
	return out
}

// Running returns what is to be told of tests that begin now, and see all edits until now: whether they passed.
func (s *Set) Running() (ended func(passed bool)) {
	if s == nil {
		return func(bool) {}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	seen := s.edits
	return func(passed bool) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.passed = passed && seen == s.edits
	}
}

// Edits counts the edits until now.
func (s *Set) Edits() int {
	if s == nil {
		return 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.edits
}

// Passed reports whether the tests that ran last passed, and saw all edits.
func (s *Set) Passed() bool {
	if s == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.passed
}

// Patch is what would change in a file, in the form of git diff: paths begin at the root of the repository, as git apply takes
// them in any folder.
func (f *File) Patch() string {
	from, to := quoted(path.Join("a", f.Folder, f.Path)), quoted(path.Join("b", f.Folder, f.Path))
	head := fmt.Sprintf("diff --git %s %s\n", from, to)
	mode := "100644"
	if f.Program {
		mode = "100755"
	}
	switch {
	case f.Created:
		head += "new file mode " + mode + "\n"
		from = "/dev/null"
	case f.Deleted:
		head += "deleted file mode " + mode + "\n"
		to = "/dev/null"
	}
	if f.Before == f.After { // an empty file comes or goes: git takes that by the names of its contents only
		const nothing, empty = "0000000000000000000000000000000000000000", "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
		if f.Created {
			return head + "index " + nothing + ".." + empty + "\n"
		}
		return head + "index " + empty + ".." + nothing + "\n"
	}
	return head + udiff.Unified(from, to, f.Before, f.After)
}

// A Change takes the place of bytes of the text before.
type Change struct {
	Start, End int
	New        string
}

// Edits are the changes of whole lines, in their order, that make After of Before.
func (f *File) Edits() []Change {
	edits := udiff.Lines(f.Before, f.After)
	out := make([]Change, len(edits))
	for i, e := range edits {
		out[i] = Change{e.Start, e.End, e.New}
	}
	return out
}

// quoted is a path as git writes it.
func quoted(name string) string {
	if !strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == '"' || r == '\\' || r == 0x7f }) {
		return name
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range []byte(name) {
		switch {
		case c == '"' || c == '\\':
			b.WriteString(`\` + string(c))
		case c < ' ' || c == 0x7f:
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String() + `"`
}
