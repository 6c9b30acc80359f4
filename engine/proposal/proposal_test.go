package proposal

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const cart = "package cart\n\n// Total sums up.\nfunc Total(cents ...int) int {\n\treturn len(cents)\n}\n"

func given(text string) func() ([]byte, error) {
	return func() ([]byte, error) { return []byte(text), nil }
}

func missing() ([]byte, error) { return nil, fs.ErrNotExist }

func TestAdd(t *testing.T) {
	for name, test := range map[string]struct {
		edits []Edit
		text  func() ([]byte, error)
		after string
		fails string // of the last edit
	}{
		"one":                {[]Edit{{"a.go", "", "len(cents)", "0"}}, given(cart), strings.Replace(cart, "len(cents)", "0", 1), ""},
		"one after another":  {[]Edit{{"a.go", "", "len(cents)", "sum"}, {"a.go", "", "return sum", "return 0"}}, given(cart), strings.Replace(cart, "len(cents)", "0", 1), ""},
		"that never was":     {[]Edit{{"a.go", "", "length", "0"}}, given(cart), "", "does not stand in a.go"},
		"not clear":          {[]Edit{{"a.go", "", "Total", "Sum"}}, given(cart), "", "stands in a.go 2 times"},
		"nothing":            {[]Edit{{"a.go", "", "Total sums", "Total sums"}}, given(cart), "", "changes nothing"},
		"Windows":            {[]Edit{{"a.go", "", "{\n\treturn len(cents)\n", "{\n\tn := 0\n\treturn n\n"}}, given(strings.ReplaceAll(cart, "\n", "\r\n")), strings.ReplaceAll(strings.Replace(cart, "\treturn len(cents)", "\tn := 0\n\treturn n", 1), "\n", "\r\n"), ""},
		"both ends of lines": {[]Edit{{"a.go", "", "a\nb\nc\n", "x\n"}}, given("a\r\nb\nc\nd\r\n"), "", "does not stand"},
		"lines of Unix":      {[]Edit{{"a.go", "", "b\nc\n", "x\n"}}, given("a\r\nb\nc\nd\r\n"), "a\r\nx\nd\r\n", ""},
		"lines of Windows":   {[]Edit{{"a.go", "", "c\nd\n", "x\n"}}, given("a\nb\nc\r\nd\r\n"), "a\nb\nx\r\n", ""},
		"four bytes":         {[]Edit{{"a.go", "", "\"🦀\"", "\"𝄞 ü\""}}, given("s := \"🦀\""), "s := \"𝄞 ü\"", ""},
		"a new file":         {[]Edit{{"a.go", "", "", "package cart\n"}}, missing, "package cart\n", ""},
		"a new file, twice":  {[]Edit{{"a.go", "", "", "package cart\n"}, {"a.go", "", "", "package shop\n"}}, missing, "package shop\n", ""},
		"a new file, edited": {[]Edit{{"a.go", "", "", "package cart\n"}, {"a.go", "", "cart", "shop"}}, missing, "package shop\n", ""},
		"over a file":        {[]Edit{{"a.go", "", "", "package cart\n"}}, given(cart), "", "there is a file a.go"},
		"over an edited one": {[]Edit{{"a.go", "", "len(cents)", "0"}, {"a.go", "", "", "package cart\n"}}, given(cart), strings.Replace(cart, "len(cents)", "0", 1), "there is a file a.go"},
		"of no file":         {[]Edit{{"a.go", "", "x", "y"}}, missing, "", "no file a.go"},
		"unreadable":         {[]Edit{{"a.go", "", "x", "y"}}, func() ([]byte, error) { return nil, fs.ErrPermission }, "", "permission"},
		"a secret":           {[]Edit{{"a.go", "", "len(cents)", "\"[REDACTED:github-token]\""}}, given(cart), "", "secret"},
		"too long":           {[]Edit{{"a.go", "", "", strings.Repeat("a", mostText+1)}}, missing, "", "more than"},
		"no text":            {[]Edit{{"a.go", "", "", "a\x00b"}}, missing, "", "no text"},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := &Set{}, error(nil)
			for i, e := range test.edits {
				if err = s.Add(e, "/w/a.go", test.text); err != nil && i < len(test.edits)-1 {
					t.Fatal(err)
				}
			}
			if (err == nil) != (test.fails == "") || err != nil && !strings.Contains(err.Error(), test.fails) {
				t.Errorf("error %v", err)
			}
			files := s.Files()
			if test.after == "" && len(files) != 0 || test.after != "" && (len(files) != 1 || files[0].After != test.after) {
				t.Errorf("%+v", files)
			}
		})
	}
	var none *Set
	none.Running()(true)
	if none.Files() != nil || none.Passed() {
		t.Error("no set has files, or passes")
	}
	tested := &Set{}
	for i, passes := range []bool{false, true} {
		tested.Running()(passes)
		if tested.Passed() != passes {
			t.Errorf("tests that end with %v", passes)
		}
		before := tested.Running()
		if err := tested.Add(Edit{fmt.Sprint(i), "", "", "x"}, fmt.Sprint(i), missing); err != nil || tested.Passed() {
			t.Errorf("an edit after the tests: %v", err)
		}
		if before(true); tested.Passed() {
			t.Error("tests that began before an edit count for it")
		}
	}
	s := &Set{}
	for i := range mostFiles + 1 {
		path := strings.Repeat("a", i+1)
		if err := s.Add(Edit{path, "", "", "x"}, path, missing); (err == nil) != (i < mostFiles) {
			t.Errorf("file %d: %v", i, err)
		}
	}
}

// TestPatchesApply has git apply patches of random edits, and makes the same by their changes.
func TestPatchesApply(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	lines := []string{"a\n", "b\n", "ü\n", "🦀 𝄞\n", "\n", "c\r\n", "a\tb\n", "-- x\n", "+++ b\n"}
	write := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteString(lines[r.IntN(len(lines))])
		}
		return b.String()
	}
	for range 60 {
		dir := t.TempDir()
		before := write(1 + r.IntN(30))
		if r.IntN(4) == 0 {
			before = strings.TrimRight(before, "\r\n") + "end"
		}
		cut := r.IntN(len(before))
		f := File{Path: []string{"a.txt", "sub/ü b.txt", `quo"te.txt`}[r.IntN(3)], Before: before, After: before[:cut] + write(1+r.IntN(3)) + before[min(len(before), cut+r.IntN(9)):]}
		if f.Created = r.IntN(5) == 0; f.Created {
			f.Before = ""
		}
		if f.After == f.Before || !strings.ContainsAny(f.After, "abc") {
			continue
		}
		path := filepath.Join(dir, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if !f.Created {
			if err := os.WriteFile(path, []byte(f.Before), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.Command("git", "apply", "--whitespace=nowarn", "-")
		cmd.Dir, cmd.Stdin = dir, strings.NewReader(f.Patch())
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s\n%q\n%s", err, out, f.Before, f.Patch())
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != f.After {
			t.Errorf("git makes %q, %v, want %q", got, err, f.After)
		}
		got, at := "", 0
		for _, c := range f.Edits() {
			got, at = got+f.Before[at:c.Start]+c.New, c.End
		}
		if got += f.Before[at:]; got != f.After {
			t.Errorf("the changes make %q, want %q", got, f.After)
		}
	}
}

// TestPatchOfAFolder has git apply a patch in the folder of a repository that is the workspace.
func TestPatchOfAFolder(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "services", "shop")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "a.go"), []byte(cart), 0o600); err != nil {
		t.Fatal(err)
	}
	s := &Set{}
	if err := s.Add(Edit{"a.go", "services/shop", "len(cents)", "0"}, filepath.Join(folder, "a.go"), given(cart)); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"init", "-q", "../.."}, {"apply", "-"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Stdin = folder, strings.NewReader(s.Files()[0].Patch())
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v: %s", args, err, out)
		}
	}
	if text, err := os.ReadFile(filepath.Join(folder, "a.go")); err != nil || string(text) != s.Files()[0].After {
		t.Errorf("git makes %q, %v", text, err)
	}
}

// TestRemoveAndMove proposes that files go or get another name, has git apply it, and only over the text that was read.
func TestRemoveAndMove(t *testing.T) {
	gone := func(s *Set, name, text string) error { return s.Remove(Edit{Path: name}, name, given(text)) }
	moved := func(s *Set, name, to, text string) error {
		return s.Move(Edit{Path: name}, name, given(text), Edit{Path: to}, to)
	}
	for name, test := range map[string]struct {
		before string
		do     func(s *Set) error
		after  map[string]string
		fails  string // of the last step
	}{
		"deleted":        {cart, func(s *Set) error { return gone(s, "a.go", cart) }, map[string]string{}, ""},
		"empty, deleted": {"", func(s *Set) error { return gone(s, "a.go", "") }, map[string]string{}, ""},
		"moved":          {cart, func(s *Set) error { return moved(s, "a.go", "sub/b.go", cart) }, map[string]string{"sub/b.go": cart}, ""},
		"empty, moved":   {"", func(s *Set) error { return moved(s, "a.go", "b.go", "") }, map[string]string{"b.go": ""}, ""},
		"edited and moved": {cart, func(s *Set) error {
			return errors.Join(s.Add(Edit{"a.go", "", "len(cents)", "0"}, "a.go", given(cart)), moved(s, "a.go", "b.go", cart))
		}, map[string]string{"b.go": strings.Replace(cart, "len(cents)", "0", 1)}, ""},
		"moved and edited": {cart, func(s *Set) error {
			return errors.Join(moved(s, "a.go", "b.go", cart), s.Add(Edit{"b.go", "", "len(cents)", "0"}, "b.go", missing))
		}, map[string]string{"b.go": strings.Replace(cart, "len(cents)", "0", 1)}, ""},
		"moved, deleted": {cart, func(s *Set) error {
			return errors.Join(moved(s, "a.go", "b.go", cart), s.Remove(Edit{Path: "b.go"}, "b.go", missing))
		}, map[string]string{}, ""},
		"deleted, edited": {cart, func(s *Set) error {
			return errors.Join(gone(s, "a.go", cart), s.Add(Edit{"a.go", "", "len(cents)", "0"}, "a.go", given(cart)))
		}, map[string]string{}, "to be deleted"},
		"deleted twice": {cart, func(s *Set) error { return errors.Join(gone(s, "a.go", cart), gone(s, "a.go", cart)) }, map[string]string{}, "to be deleted"},
		"over an edited": {cart, func(s *Set) error {
			return errors.Join(s.Add(Edit{"b.go", "", "", "x\n"}, "b.go", missing), moved(s, "a.go", "b.go", cart))
		}, map[string]string{"a.go": cart, "b.go": "x\n"}, "choose another name"},
		"a new one deleted": {cart, func(s *Set) error {
			return errors.Join(s.Add(Edit{"b.go", "", "", "x\n"}, "b.go", missing), s.Remove(Edit{Path: "b.go"}, "b.go", missing))
		}, map[string]string{"a.go": cart}, ""},
		"that never was": {cart, func(s *Set) error { return s.Remove(Edit{Path: "b.go"}, "b.go", missing) }, map[string]string{"a.go": cart}, "no file b.go"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write := func(text string) {
				if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			write(test.before)
			s := &Set{}
			if err := test.do(s); (err == nil) != (test.fails == "") || err != nil && !strings.Contains(err.Error(), test.fails) {
				t.Errorf("error %v", err)
			}
			var patch strings.Builder
			for _, f := range s.Files() {
				patch.WriteString(f.Patch())
				if len(f.Edits()) > 1 {
					t.Errorf("%s: %d edits", f.Path, len(f.Edits()))
				}
			}
			apply := func() error {
				cmd := exec.Command("git", "apply", "--allow-empty", "-")
				cmd.Dir, cmd.Stdin = dir, strings.NewReader(patch.String())
				out, err := cmd.CombinedOutput()
				if err != nil {
					return fmt.Errorf("%w: %s\n%s", err, out, patch.String())
				}
				return nil
			}
			if _, stays := test.after["a.go"]; !stays {
				if write(test.before + "// changed since\n"); apply() == nil {
					t.Error("git deletes a file that has changed since")
				}
				write(test.before)
			}
			if err := apply(); err != nil {
				t.Fatal(err)
			}
			for _, path := range []string{"a.go", "b.go", "sub/b.go"} {
				got, err := os.ReadFile(filepath.Join(dir, path))
				if want, there := test.after[path]; there != (err == nil) || string(got) != want {
					t.Errorf("%s is %q, %v", path, got, err)
				}
			}
		})
	}
}
