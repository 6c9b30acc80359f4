package eval

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/aurora-sidecar/aurora/engine"
)

// nameDepth is how many hits of a name are looked at.
const nameDepth = 10

// A Name is something that a repository declares once, by the account of Universal Ctags.
type Name struct {
	Repo, Path     string // folder, and file below it with '/'
	Language, Kind string
	Name           string
	Line           int // from one
}

// A NameResult is what a search for exactly the name found.
type NameResult struct {
	Name
	Rank     int    // of the first hit whose range holds the line, from one; 0 for none in the first ten
	Declared bool   // that hit is the first one, and has the name
	Namesake bool   // the first hit is something else of exactly that name, of which ctags lists one
	First    string // where the first hit is and what it is, when that is not the declaration
}

// foreignKinds are kinds of tags that tell what a file takes from elsewhere, or nothing.
var foreignKinds = map[string][]string{
	"C": {"header"}, "C++": {"header"}, "Go": {"packageName", "unknown"}, "Python": {"module", "namespace", "unknown"},
	"PHP": {"alias"}, "Ruby": {"library"}, "OCaml": {"module"}, // one for each file
}

// nameLanguages are those of ctags in which names are drawn.
var nameLanguages = []string{
	"C", "C#", "C++", "CSS", "Go", "Java", "JavaScript", "Lua", "OCaml", "PHP", "PowerShell", "Protobuf", "Python", "Ruby", "Rust", "Sh", "SQL", "TypeScript",
}

// Names draws names from the folders and looks each of them up: at most perKind of each language and kind, the same ones
// for the same seed. It fails when Universal Ctags is not installed.
func Names(ctx context.Context, folders []string, perKind int, seed uint64, o Options) ([]NameResult, error) {
	all := map[string][]Name{} // by language and kind
	for _, dir := range folders {
		names, err := uniqueNames(ctx, dir)
		if err != nil {
			return nil, err
		}
		for _, n := range names {
			key := n.Language + "\x00" + n.Kind
			all[key] = append(all[key], n)
		}
	}
	rng := rand.New(rand.NewPCG(seed, seed))
	byRepo := map[string][]Name{}
	for _, key := range slices.Sorted(maps.Keys(all)) {
		list := all[key]
		rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		for _, n := range list[:min(perKind, len(list))] {
			byRepo[n.Repo] = append(byRepo[n.Repo], n)
		}
	}
	var results []NameResult
	for _, dir := range folders {
		found, err := lookUp(ctx, dir, byRepo[dir], o)
		if err != nil {
			return nil, err
		}
		results = append(results, found...)
		if o.Progress != nil {
			o.Progress(dir, len(results), 0)
		}
	}
	return results, nil
}

// lookUp searches for names of one repository. Those in files that the index leaves out are left out.
func lookUp(ctx context.Context, dir string, names []Name, o Options) ([]NameResult, error) {
	w, err := openWorkspace(ctx, dir, o)
	if err != nil {
		return nil, err
	}
	defer func() { _ = w.close() }()
	indexed := map[string]bool{}
	for f := range w.index.Snapshot().Listed() {
		indexed[f.Path] = true
	}
	var results []NameResult
	for _, n := range names {
		if !indexed[n.Path] {
			continue
		}
		found, err := w.engine.Search(ctx, engine.SearchRequest{Query: n.Name, Limit: nameDepth})
		if err != nil {
			return nil, err
		}
		results = append(results, resultOf(n, found.Hits))
	}
	return results, nil
}

func resultOf(n Name, hits []engine.Hit) NameResult {
	r := NameResult{Name: n}
	if len(hits) > 0 && hits[0].Range != nil {
		r.Namesake = hits[0].Name != "" && lastName(hits[0].Name) == lastName(n.Name)
		r.First = strings.TrimSpace(fmt.Sprintf("%s:%d %s %s", hits[0].Path, hits[0].Range.Start.Line+1, hits[0].Kind, hits[0].Name))
	}
	for i := range hits {
		h := &hits[i]
		if h.Path != n.Path || h.Range == nil || n.Line-1 < h.Range.Start.Line-h.Above || n.Line-1 > h.Range.End.Line {
			continue
		}
		r.Rank = i + 1
		if r.Declared = i == 0 && lastName(h.Name) == lastName(n.Name); r.Declared {
			r.First = ""
		}
		r.Namesake = r.Namesake && r.Rank > 1
		return r
	}
	return r
}

// lastName is the last part of a qualified name, without the marks of selectors, symbols and private members.
func lastName(name string) string {
	name = strings.TrimLeft(name, ".#@:$")
	return name[strings.LastIndexAny(name, ".:")+1:]
}

// uniqueNames are the names below a folder that ctags lists once.
func uniqueNames(ctx context.Context, dir string) ([]Name, error) {
	cmd := exec.CommandContext(ctx, "ctags", "--quiet", "--sort=no", "--excmd=number", "--fields=Kl",
		"--languages="+strings.Join(nameLanguages, ","), "--exclude=.git", "-f", "-", "-R", ".")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("ctags in %s: %w", dir, err)
	}
	tags := map[string][]Name{}
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if n, ok := parseTag(lines.Text()); ok {
			n.Repo = dir
			tags[n.Name] = append(tags[n.Name], n)
		}
	}
	var names []Name
	for _, list := range tags {
		if n := list[0]; len(list) == 1 && !slices.Contains(foreignKinds[n.Language], n.Kind) && !isMadeUp(n.Name) {
			names = append(names, n)
		}
	}
	slices.SortFunc(names, func(a, b Name) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), a.Line-b.Line, strings.Compare(a.Name, b.Name))
	})
	return names, lines.Err()
}

// parseTag reads a line such as: name, path, 12;", kind, language:Go, with tabs between.
func parseTag(line string) (n Name, ok bool) {
	fields := strings.Split(line, "\t")
	if len(fields) < 5 || strings.HasPrefix(line, "!") {
		return n, false
	}
	n = Name{Name: fields[0], Path: filepath.ToSlash(filepath.Clean(fields[1])), Kind: fields[3]}
	n.Line, _ = strconv.Atoi(strings.TrimSuffix(fields[2], `;"`))
	n.Language, ok = strings.CutPrefix(fields[4], "language:")
	return n, ok && n.Line > 0
}

// isMadeUp reports whether nobody would type the name: ctags invented it, it is a sentence, or hardly a letter.
func isMadeUp(name string) bool {
	return len(name) < 3 || strings.ContainsAny(name, " \t\"'()<>[]{}|=,;*&!?+/\\") || strings.Contains(strings.ToLower(name), "anon")
}
