package arch

import (
	"fmt"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A term is a line of testdata/glossary.txt.
type term struct {
	phrase  string // lower case
	instead string
	names   bool     // forbidden in identifiers only
	except  []string // paths
}

// TestGlossary looks for words that testdata/glossary.txt forbids. testdata/known_words.txt says how often each may still
// stand in the tree; that list only shrinks.
func TestGlossary(t *testing.T) {
	terms, known := readGlossary(t), readKnownWords(t)
	places := map[string][]string{}
	files := 0
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if slices.Contains(notLookedAt, d.Name()) {
				return filepath.SkipDir
			}
			return nil
		}
		rel, err := filepath.Rel("../..", path)
		rel = filepath.ToSlash(rel)
		if err != nil || !inGlossary(rel) {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files++
		for _, word := range wordsOf(rel, text) {
			for i := range terms {
				for range terms[i].count(rel, &word) {
					places[terms[i].phrase] = append(places[terms[i].phrase], fmt.Sprintf("%s:%d", rel, word.line))
				}
			}
		}
		return nil
	})
	if err != nil || files < 500 {
		t.Fatalf("%d files read: %v", files, err)
	}
	for _, term := range terms {
		found, most := places[term.phrase], known[term.phrase]
		delete(known, term.phrase)
		switch {
		case len(found) > most:
			t.Errorf("%q stands in %d places, %d are known; write %s:\n\t%s", term.phrase, len(found), most, term.instead, strings.Join(found, "\n\t"))
		case len(found) == 0 && most > 0:
			t.Errorf("%q is gone: delete its line in internal/arch/testdata/known_words.txt", term.phrase)
		}
	}
	for phrase := range known {
		t.Errorf("known_words.txt lists %q, which is not in the glossary", phrase)
	}
}

// notLookedAt are folders of what others wrote, and of what tests feed in.
var notLookedAt = []string{".git", "node_modules", "testdata", "dist", "out"}

// inGlossary reports whether the words of a file are looked at: the program, its documentation, its editors.
func inGlossary(rel string) bool {
	switch filepath.Ext(rel) {
	case ".go":
		return !strings.HasSuffix(rel, "_test.go")
	case ".md":
		return !strings.Contains(rel, "/") && rel != "CHANGELOG.md" || strings.HasPrefix(rel, "docs/")
	case ".lua", ".ts":
		return strings.HasPrefix(rel, "editors/") && !strings.Contains(rel, "/test/") && !strings.Contains(rel, "/tests/") && !strings.HasSuffix(rel, ".test.ts")
	}
	return rel == "editors/vscode/package.json"
}

// A stretch is what words follow each other in: an identifier, a comment, a string, a file.
type stretch struct {
	line  int
	words string // in lower case, one blank around each
	name  bool   // an identifier of Go
}

func wordsOf(rel string, text []byte) (all []stretch) {
	if !strings.HasSuffix(rel, ".go") {
		return []stretch{{1, normal(string(text)), false}}
	}
	fset := token.NewFileSet()
	file := fset.AddFile(rel, -1, len(text))
	var s scanner.Scanner
	s.Init(file, text, nil, scanner.ScanComments)
	for {
		pos, tok, literal := s.Scan()
		switch tok {
		case token.EOF:
			return all
		case token.IDENT, token.COMMENT, token.STRING:
			all = append(all, stretch{fset.Position(pos).Line, normal(literal), tok == token.IDENT})
		}
	}
}

var (
	wordPattern = regexp.MustCompile(`[A-Z]?[a-z]+|[A-Z]+`)
	initials    = regexp.MustCompile(`([A-Z])([A-Z][a-z])`) // HTTPServer
)

// normal cuts a text into its words, those of camelCase, too.
func normal(text string) string {
	return " " + strings.ToLower(strings.Join(wordPattern.FindAllString(initials.ReplaceAllString(text, "$1 $2"), -1), " ")) + " "
}

func (term *term) count(rel string, in *stretch) int {
	if term.names && !in.name {
		return 0
	}
	for _, path := range term.except {
		if strings.HasPrefix(rel, path) {
			return 0
		}
	}
	return strings.Count(in.words, " "+term.phrase+" ") + strings.Count(in.words, " "+term.phrase+"s ")
}

func readGlossary(t *testing.T) (terms []term) {
	for _, line := range listLines(t, "testdata/glossary.txt") {
		columns := strings.Split(line, "|")
		for i := range columns {
			columns[i] = strings.TrimSpace(columns[i])
		}
		if len(columns) < 3 || columns[2] != "names" && columns[2] != "all" {
			t.Fatalf("glossary.txt: %q", line)
		}
		next := term{phrase: columns[0], instead: columns[1], names: columns[2] == "names"}
		if len(columns) > 3 {
			next.except = strings.Fields(columns[3])
		}
		terms = append(terms, next)
	}
	return terms
}

func readKnownWords(t *testing.T) map[string]int {
	known := map[string]int{}
	for _, line := range listLines(t, "testdata/known_words.txt") {
		i := strings.LastIndexByte(line, ' ')
		n, err := strconv.Atoi(line[i+1:])
		if err != nil {
			t.Fatalf("known_words.txt: %q", line)
		}
		known[line[:i]] = n
	}
	return known
}

// listLines returns the lines of a file but for empty ones and comments.
func listLines(t *testing.T, path string) (lines []string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	return lines
}
