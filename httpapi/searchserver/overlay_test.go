package searchserver_test

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/search"
	"github.com/aurora-sidecar/aurora/engine/search/shared"
	"github.com/aurora-sidecar/aurora/httpapi/searchserver"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/embed"
)

var (
	overlayEdits = flag.Int("overlay-edits", 60, "how many random edits TestOverlayEqualsLocal makes in each mode")
	overlaySeed  = flag.Uint64("overlay-seed", 0, "with which seed; 0 takes a new one")
)

const token = "0123456789abcdef0123456789abcdef"

// TestOverlayEqualsLocal edits a checkout at random, on disk and unsaved, and compares what a search finds that asks a server for the
// rest of the repository, and for another one, with what one index of the same state finds.
func TestOverlayEqualsLocal(t *testing.T) {
	if testing.Short() {
		t.Skip("indexes three trees")
	}
	for _, mode := range []string{"sparse checkout", "only what is opened", "whole folder"} {
		t.Run(mode, func(t *testing.T) {
			seed := *overlaySeed
			if seed == 0 {
				seed = rand.Uint64()
			}
			t.Logf("seed %d", seed)
			w := newTeamwork(t, mode, seed)
			queries, same, moved, border := 0, 0, 0, 0
			for done := 0; done < *overlayEdits; {
				for range 10 {
					w.edit()
					done++
				}
				w.settle()
				for range 8 {
					query := w.query()
					got, want := w.places(w.mine, query), w.places(w.all, query)
					queries++
					switch {
					case slices.Equal(got, want):
						same++
					case slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))):
						moved++ // ties
					case sameButScores(got, want):
						border++ // of chunks that are as good as each other, others are the last to be proposed: a chunk beside them moves a little
					default:
						t.Errorf("seed %d, after %d edits, %q:\n%s\nwith a server:\n\t%s\none index:\n\t%s", seed, done, query, strings.Join(w.log, "\n"), strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
						return
					}
				}
			}
			t.Logf("%d edits, %d queries: %d with the same hits in the same order, %d in another order, %d with other scores", *overlayEdits, queries, same, moved, border)
			if border > 1+queries/100 {
				t.Errorf("%d of %d queries have other scores", border, queries)
			}
		})
	}
}

// sameButScores reports whether two lists have the same places, with scores that differ by 3 % at most; where a list ends, of two places
// whose scores differ no more, either may be left out. Of equal scores the keyword index keeps what it has earlier, and it skips all that
// cannot be above the worst kept: an order by content would have to read every tie.
func sameButScores(got, want []string) bool {
	scores, least := map[string]float64{}, math.Inf(1)
	for _, line := range want {
		place, score := cutScore(line)
		scores[place], least = score, min(least, score)
	}
	return len(got) == len(want) && !slices.ContainsFunc(got, func(line string) bool {
		place, score := cutScore(line)
		other, ok := scores[place]
		if !ok {
			other = least
		}
		return math.Abs(score-other) > 0.03*other
	})
}

func cutScore(line string) (place string, score float64) {
	at := strings.LastIndexByte(line, ' ')
	score, _ = strconv.ParseFloat(line[at+1:], 64)
	return line[:at], score
}

// A teamwork is a checkout whose searches ask a server, and an index that has everything by itself.
type teamwork struct {
	t         *testing.T
	rng       *rand.Rand
	mode      string
	mine, all *engine.Engine
	dirs      [2]string // of mine and all
	indexes   [2]*index.Index
	team      *shared.Team
	files     []string // that may be edited, of the checkout
	open      map[string]int32
	touched   []string
	log       []string
}

var vocabulary = strings.Fields(`retry backoff invoice payment gateway cart total price discount tax parse render template header request response session
	cookie token cache evict entry index shard merge segment vector score rank query filter scope path folder watch event queue worker lock lease clock
	timer schedule report export import record schema column table row cursor page buffer stream socket packet frame codec encode decode compress digest`)

func (w *teamwork) word() string { return vocabulary[w.rng.IntN(len(vocabulary))] }

func (w *teamwork) words(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = w.word()
	}
	return strings.Join(list, " ")
}

func title(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// source is the text of a file of Go or Markdown.
func (w *teamwork) source(path string) string {
	var b strings.Builder
	if strings.HasSuffix(path, ".md") {
		for range 1 + w.rng.IntN(3) {
			fmt.Fprintf(&b, "# %s\n\n%s.\n\n", title(w.words(2)), title(w.words(12)))
		}
		return b.String()
	}
	fmt.Fprintf(&b, "package %s\n\n", filepath.Base(filepath.Dir(path)))
	for range 1 + w.rng.IntN(5) {
		name := title(w.word()) + title(w.word())
		fmt.Fprintf(&b, "// %s does %s.\nfunc %s(%s int) int {\n", name, w.words(6), name, w.word())
		for range 1 + w.rng.IntN(4) {
			fmt.Fprintf(&b, "\t%s%s(%q) // %s\n", w.word(), title(w.word()), w.words(2), w.words(3))
		}
		fmt.Fprintf(&b, "\treturn %d\n}\n\n", w.rng.IntN(100))
	}
	return b.String()
}

func newTeamwork(t *testing.T, mode string, seed uint64) *teamwork {
	w := &teamwork{t: t, rng: rand.New(rand.NewPCG(seed, 5)), mode: mode, open: map[string]int32{}}
	home := canonical(t)
	for name, value := range map[string]string{"HOME": home, "XDG_CONFIG_HOME": home, "AURORA_HOME": home, "GIT_CONFIG_NOSYSTEM": "1"} {
		t.Setenv(name, value)
	}
	write(t, home, ".gitconfig", "[user]\nname = A\nemail = a@example.org\n[init]\ndefaultBranch = main\n")
	project, other := filepath.Join(home, "srv", "project"), filepath.Join(home, "srv", "other")
	for _, dir := range []string{project, other} {
		for _, folder := range []string{"mine", "mine/deep", "rest", "rest/far", "more"} {
			for i := range 6 {
				name := fmt.Sprintf("%s/%s%d.go", folder, w.word(), i)
				if i == 5 {
					name = fmt.Sprintf("%s/%s.md", folder, w.word())
				}
				write(t, dir, name, w.source(name))
			}
		}
		write(t, dir, "README.md", w.source("README.md"))
		git(t, dir, "init", "-q")
		git(t, dir, "add", "-A")
		git(t, dir, "commit", "-qm", "first")
		git(t, dir, "remote", "add", "origin", "https://git.example.org/team/"+filepath.Base(dir))
	}
	w.dirs = [2]string{filepath.Join(home, "me"), filepath.Join(home, "reference", "project")}
	for i, dir := range w.dirs {
		git(t, home, "clone", "-q", "--no-checkout", project, dir)
		if i == 0 && mode == "sparse checkout" {
			git(t, dir, "sparse-checkout", "set", "mine")
		}
		git(t, dir, "checkout", "-q", "main")
		git(t, dir, "remote", "set-url", "origin", "git@git.example.org:team/project.git")
	}
	err := filepath.WalkDir(w.dirs[0], func(path string, d os.DirEntry, err error) error {
		if err != nil || d.Name() == ".git" {
			return filepath.SkipDir
		}
		if rel, _ := filepath.Rel(w.dirs[0], path); !d.IsDir() {
			w.files = append(w.files, filepath.ToSlash(rel))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	rules := func(string) index.Rules { return index.Rules{} }
	mineRules := rules
	if mode == "only what is opened" {
		mineRules = func(string) index.Rules { return index.Rules{NoFirstScan: true} }
	}
	srv := openIndex(t, rules, project, other)
	server := engineOf(t, srv, nil).SearchServer([]search.Hosted{{Name: "project", Folder: project}, {Name: "other", Folder: other}})
	address := serve(t, searchserver.Options{Source: server, Repositories: server.Repositories, Label: server.Label, AtOnce: 4})
	w.indexes = [2]*index.Index{openIndex(t, mineRules, w.dirs[0]), openIndex(t, rules, w.dirs[1], other)}
	client, err := shared.NewClient(address, token)
	if err != nil {
		t.Fatal(err)
	}
	w.team = shared.NewTeam(shared.Options{Client: client, Index: w.indexes[0], Wait: time.Minute, Whole: mode == "whole folder"})
	w.mine, w.all = engineOf(t, w.indexes[0], w.team), engineOf(t, w.indexes[1], nil)
	return w
}

// edit changes the checkout and the reference alike.
func (w *teamwork) edit() {
	path := w.files[w.rng.IntN(len(w.files))]
	switch w.rng.IntN(6) {
	case 0: // a new file
		path = fmt.Sprintf("mine/%s%d.go", w.word(), w.rng.IntN(1000))
		if !slices.Contains(w.files, path) {
			w.files = append(w.files, path)
		}
		w.save(path, w.source(path))
	case 1: // deleted
		if len(w.files) < 5 {
			return
		}
		w.close(path)
		for _, dir := range w.dirs {
			_ = os.Remove(filepath.Join(dir, path)) // it may be gone
		}
		w.touch("delete", path)
	case 2, 3: // unsaved
		text := []byte(w.source(path))
		version := w.open[path] + 1
		w.open[path] = version
		for i, x := range w.indexes {
			x.Open(filepath.Join(w.dirs[i], path), languageOf(path), version, text)
		}
		w.log = append(w.log, "unsaved "+path)
	case 4: // closed without saving
		w.close(path)
		w.log = append(w.log, "close "+path)
	default:
		w.save(path, w.source(path))
	}
}

func languageOf(path string) string {
	if strings.HasSuffix(path, ".md") {
		return "markdown"
	}
	return "go"
}

func (w *teamwork) save(path, text string) {
	w.close(path)
	for _, dir := range w.dirs {
		write(w.t, dir, path, text)
	}
	w.touch("write", path)
}

func (w *teamwork) close(path string) {
	if w.open[path] == 0 {
		return
	}
	delete(w.open, path)
	for i, x := range w.indexes {
		x.Close(filepath.Join(w.dirs[i], path))
	}
}

func (w *teamwork) touch(what, path string) {
	w.touched = append(w.touched, path)
	w.log = append(w.log, what+" "+path)
}

// settle waits until both indexes, and the checkout's comparison with the server, have all edits.
func (w *teamwork) settle() {
	ctx := w.t.Context()
	for i, x := range w.indexes {
		if i == 1 || w.mode != "only what is opened" { // there nobody tells: git does
			var paths []string
			for _, p := range w.touched {
				paths = append(paths, filepath.Join(w.dirs[i], p))
			}
			if len(paths) > 0 {
				if _, err := x.Refresh(ctx, paths, true); err != nil {
					w.t.Fatal(err)
				}
			}
		} else { // what the index has already it follows
			for _, p := range w.touched {
				abs := filepath.Join(w.dirs[i], p)
				if _, has := x.Snapshot().Entry(abs); has {
					if _, err := x.Refresh(ctx, []string{abs}, true); err != nil {
						w.t.Fatal(err)
					}
				}
			}
		}
		if err := x.Flush(ctx); err != nil {
			w.t.Fatal(err)
		}
	}
	w.touched = nil
	if err := w.team.Look(ctx); err != nil {
		w.t.Fatal(err)
	}
}

func (w *teamwork) query() string {
	switch w.rng.IntN(4) {
	case 0:
		return title(w.word()) + title(w.word())
	case 1:
		return w.word()
	}
	return w.words(2 + w.rng.IntN(4))
}

func (w *teamwork) places(e *engine.Engine, query string) []string {
	result, err := e.Search(w.t.Context(), engine.SearchRequest{Query: query, Scope: engine.Scope{Team: true}, Unjudged: true})
	if err != nil {
		w.t.Fatal(err)
	}
	for _, note := range result.Notes {
		if strings.Contains(note, "server") {
			w.t.Fatal(note)
		}
	}
	var list []string
	for _, h := range result.Hits {
		repository := h.Repository
		if repository == "" {
			repository = "project"
			if strings.Contains(h.Abs, "/srv/other/") {
				repository = "other"
			}
		}
		list = append(list, fmt.Sprintf("%s:%s:%d %s %.6f", repository, h.Path, h.Line(), h.Name, h.Score))
	}
	return list
}

// engineOf is an engine without memory.
func engineOf(t *testing.T, x *index.Index, team *shared.Team) *engine.Engine {
	t.Helper()
	e := engine.New(engine.Options{Index: x, SearchOptions: engine.SearchOptions{Team: team}})
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

func openIndex(t *testing.T, rules func(string) index.Rules, folders ...string) *index.Index {
	t.Helper()
	model, err := embed.Default()
	if err != nil {
		t.Fatal(err)
	}
	x, err := index.Open(t.Context(), index.Options{Folders: folders, NoWatch: true, Rules: rules, Embedder: model})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := x.Shutdown(); err != nil {
			t.Error(err)
		}
	})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := x.WaitReady(ctx); err != nil {
		t.Fatal(err)
	}
	if err := x.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	return x
}

// serve serves at an address of this machine.
func serve(t *testing.T, o searchserver.Options) string {
	t.Helper()
	if o.Tokens == nil {
		path := filepath.Join(t.TempDir(), "tokens")
		write(t, filepath.Dir(path), "tokens", "# people\nalice "+token+"\n")
		var err error
		if o.Tokens, err = searchserver.OpenTokens(path); err != nil {
			t.Fatal(err)
		}
	}
	srv := httptest.NewServer(searchserver.Handler(o))
	t.Cleanup(srv.Close)
	return srv.URL
}

func canonical(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}
