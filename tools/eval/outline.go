package eval

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/index/syntax"
	"github.com/aurora-sidecar/aurora/internal/text"
)

// maxOutlined is the size of the largest file that is compared, in bytes.
const maxOutlined = 1 << 20

// outlineLanguages are those of ctags whose files are compared.
var outlineLanguages = append([]string{"CUDA", "Elixir", "Elm", "Haskell", "Kotlin", "R"}, nameLanguages...)

// definitionKinds are the kinds of tags for what AURORA calls a function, a method or a type.
var definitionKinds = map[string]bool{
	"func": true, "function": true, "method": true, "singletonMethod": true, "class": true, "struct": true, "interface": true, "enum": true, "union": true,
	"trait": true, "implementation": false, "record": true, "type": true, "typedef": true, "talias": true, "object": true, "prototype": true, "generator": true,
	"subroutine": true, "message": true, "service": true, "rpc": true, "annotation": true, "module": false, "macro": false, "protocol": true, "constructor": true,
}

// An OutlineScore compares the outlines of a language's files with the tags of Universal Ctags.
type OutlineScore struct {
	Language string `json:"language"`
	Files    int    `json:"files"`
	Tags     int    `json:"tags"`    // of all kinds but imports
	Found    int    `json:"found"`   // of these, those that the outline has on the same line
	Core     int    `json:"core"`    // tags of functions, methods and types
	CoreHit  int    `json:"coreHit"` // of these, those that the outline has
	Defined  int    `json:"defined"` // functions, methods and types of the outline
	Tagged   int    `json:"tagged"`  // of these, those that ctags lists
	Missing  []Name `json:"missing,omitempty"`
	Extra    []Name `json:"extra,omitempty"` // definitions that ctags does not list
}

// Outlines compares at most perLanguage files of each language in the folders, drawn at random, the same ones for the same seed; the
// language that has the lowest share of functions, methods and types comes first. It fails when Universal Ctags is not installed.
func Outlines(ctx context.Context, folders []string, perLanguage int, seed uint64) ([]OutlineScore, error) {
	files := map[string][]taggedFile{}
	for _, dir := range folders {
		found, err := taggedFiles(ctx, dir)
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			files[f.language] = append(files[f.language], f)
		}
	}
	rng := rand.New(rand.NewPCG(seed, seed))
	var scores []OutlineScore
	for _, language := range slices.Sorted(maps.Keys(files)) {
		list := files[language]
		rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		score := OutlineScore{Language: language}
		for _, f := range list {
			if score.Files == perLanguage || ctx.Err() != nil {
				break
			}
			score.add(f)
		}
		if score.Tags > 0 {
			scores = append(scores, score)
		}
	}
	slices.SortStableFunc(scores, func(a, b OutlineScore) int { return cmp.Compare(a.recall(), b.recall()) })
	return scores, ctx.Err()
}

func (s *OutlineScore) recall() float64 { return float64(s.CoreHit) / float64(max(1, s.Core)) }

type taggedFile struct {
	dir, path, language string
	tags                []Name
}

// taggedFiles are the files below a folder, each with what ctags lists in it.
func taggedFiles(ctx context.Context, dir string) ([]taggedFile, error) {
	cmd := exec.CommandContext(ctx, "ctags", "--quiet", "--sort=no", "--excmd=number", "--fields=Kl",
		"--languages="+strings.Join(outlineLanguages, ","), "--exclude=.git", "--exclude=node_modules", "-f", "-", "-R", ".")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("ctags in %s: %w", dir, err)
	}
	var files []taggedFile
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		n, ok := parseTag(lines.Text())
		if !ok || slices.Contains(foreignKinds[n.Language], n.Kind) || isMadeUp(n.Name) {
			continue
		}
		n.Repo = dir
		if last := len(files) - 1; last < 0 || files[last].path != n.Path || files[last].language != n.Language {
			files = append(files, taggedFile{dir: dir, path: n.Path, language: n.Language})
		}
		f := &files[len(files)-1]
		f.tags = append(f.tags, n)
	}
	return files, lines.Err()
}

// add compares one file; one that AURORA does not parse, and one that a program wrote, is left out.
func (s *OutlineScore) add(f taggedFile) {
	src, err := os.ReadFile(filepath.Join(f.dir, f.path))
	lang := syntax.Detect(f.path, src)
	if err != nil || lang == nil || len(src) > maxOutlined {
		return
	}
	out, err := syntax.Parse(lang, src)
	if err != nil {
		out = &syntax.Outline{} // what can't be parsed has no outline: all its tags are missing
	}
	lines := text.NewLines(src)
	has := map[place]bool{}
	note := func(name string, at int) { has[place{lastName(name), lines.Position(at).Line + 1}] = true }
	for _, symbol := range out.Symbols {
		note(symbol.Name, symbol.NameSpan.Start)
	}
	for _, d := range out.Definitions {
		note(d.Name, d.NameSpan.Start)
	}
	s.Files++
	tagged := map[place]bool{}
	for _, tag := range f.tags {
		tagged[place{lastName(tag.Name), tag.Line}] = true
		found := has[place{lastName(tag.Name), tag.Line}]
		s.Tags++
		s.Found += count(found)
		if definitionKinds[tag.Kind] {
			s.Core++
			s.CoreHit += count(found)
			if !found {
				s.Missing = append(s.Missing, tag)
			}
		}
	}
	for _, d := range out.Definitions {
		if d.Kind != syntax.Function && d.Kind != syntax.Method && d.Kind != syntax.Class {
			continue
		}
		line := lines.Position(d.NameSpan.Start).Line + 1
		known := tagged[place{lastName(d.Name), line}]
		s.Defined++
		s.Tagged += count(known)
		if !known {
			s.Extra = append(s.Extra, Name{Repo: f.dir, Path: f.path, Line: line, Name: d.Name, Language: f.language})
		}
	}
}

// A place is a name on a line, counted from one.
type place struct {
	name string
	line int
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
