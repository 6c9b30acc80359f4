package index

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/index/vfs"
	"github.com/aurora-sidecar/aurora/internal/text"
)

var (
	equalRounds = flag.Int("equal-rounds", 5, "how many rounds TestFollowedEqualsFresh works")
	equalSeed   = flag.Uint64("equal-seed", 0, "with which seed; 0 takes a new one")
)

// actionsPerRound is how much happens between two comparisons.
const actionsPerRound = 20

// TestFollowedEqualsFresh works on a project as a person, an editor, git and other programs would, and compares the index
// that follows all of it with one that is made from what there is in the end. Each run takes another seed, and says which.
func TestFollowedEqualsFresh(t *testing.T) {
	if testing.Short() {
		t.Skip("runs git a few hundred times")
	}
	seed := *equalSeed
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("seed %d; again with -equal-seed %d -equal-rounds %d", seed, seed, *equalRounds)
	p := newPlayground(t, seed)
	for round := 1; round <= *equalRounds; round++ {
		p.log = nil
		for range actionsPerRound {
			p.act()
		}
		p.settle()
		if diffs := p.compare(); len(diffs) > 0 {
			t.Fatalf("seed %d, round %d: the index that followed (-) and a fresh one (+) differ:\n%s\n\nafter\n%s\n\n%s",
				seed, round, strings.Join(telling(diffs, 12), "\n"), strings.Join(p.log, "\n"), p.diagnose())
		}
	}
}

// telling returns at most n differences, those of files and counts before what follows from them.
func telling(diffs []string, n int) []string {
	slices.SortStableFunc(diffs, func(a, b string) int { return cmp.Compare(consequence(a), consequence(b)) })
	return diffs[:min(len(diffs), n)]
}

func consequence(diff string) int {
	for i, kind := range []string{"counts", "folder", "file", "chunk"} {
		if strings.HasPrefix(diff[2:], kind+" ") {
			return i
		}
	}
	return 4
}

// A playground is a project that changes at random, and an index that follows it.
type playground struct {
	t     *testing.T
	rng   *rand.Rand
	home  string // of the person: git's personal settings
	root  string
	store string
	x     *Index // nil while nobody follows
	open  map[string]*openFile
	count int      // of all actions, and of what is named after them
	log   []string // actions of the round
}

// An openFile is a buffer as an editor has it.
type openFile struct {
	text    []byte
	version int32
}

func newPlayground(t *testing.T, seed uint64) *playground {
	p := &playground{t: t, rng: rand.New(rand.NewPCG(seed, 17)), home: workspace(t, nil), store: t.TempDir(), open: map[string]*openFile{}}
	p.root = filepath.Join(p.home, "project")
	for name, value := range map[string]string{
		"HOME": p.home, "XDG_CONFIG_HOME": filepath.Join(p.home, "settings"), "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": filepath.Join(p.home, ".gitconfig"),
	} {
		t.Setenv(name, value)
	}
	write(t, p.home, map[string]string{
		".gitconfig":         "[user]\nname = P\nemail = p@example.org\n[init]\ndefaultBranch = main\n[core]\nautocrlf = false\n",
		"project/.gitignore": "*.log\n/out/\n",
		"project/README.md":  "# Playground\n\nSome text.\n",
	})
	p.git("init", "-q")
	for range 12 {
		p.createFile()
	}
	p.git("add", "-A")
	p.git("commit", "-qm", "first")
	p.follow()
	t.Cleanup(func() { p.unfollow() })
	return p
}

// follow starts an index with the buffers that are open.
func (p *playground) follow() {
	x, err := Open(context.Background(), Options{Folders: []string{p.root}, StoreDir: p.store, Debounce: 2 * time.Millisecond, Workers: 2, Embedder: model(p.t)})
	if err != nil {
		p.t.Fatal(err)
	}
	p.x = x
	p.showBuffers(x)
	if err := x.WaitReady(deadline(p.t)); err != nil {
		p.t.Fatal(err)
	}
}

func (p *playground) unfollow() {
	if p.x == nil {
		return
	}
	if err := p.x.Shutdown(); err != nil {
		p.t.Error(err)
	}
	p.x = nil
}

func (p *playground) showBuffers(x *Index) {
	for path, b := range p.open {
		x.Open(path, "", b.version, b.text)
	}
}

// settle waits until the index has seen everything: events come in the order of what caused them.
func (p *playground) settle() {
	p.count++
	name, word := "settled.txt", fmt.Sprintf("settled%d", p.count)
	abs := filepath.Join(p.root, name)
	write(p.t, p.root, map[string]string{name: word + "\n"})
	p.admit(abs)
	until(p.t, p.x, "the file that was written last: "+strings.Join(p.log, "\n"), func(s *Snapshot) bool {
		e, ok := s.Entry(abs)
		return ok && e.File.Hash == hashOf(word+"\n")
	})
	flush(p.t, p.x)
}

// admit sees to it that a file is indexed: what is typed into an ignore file may be "/*", which leaves everything out.
func (p *playground) admit(abs string) {
	for file := p.ignoredBy(abs); file != ""; file = p.ignoredBy(abs) {
		p.note("let %s be indexed by %s", abs, file)
		old, err := os.ReadFile(file)
		rule := "\n!/" + filepath.Base(abs) + "\n"
		if err != nil || strings.HasSuffix(string(old), rule) {
			p.t.Fatalf("%s leaves out what it should let in (%v): %q", file, err, old)
		}
		if err := os.WriteFile(file, append(old, rule...), 0o644); err != nil {
			p.t.Fatal(err)
		}
	}
}

// ignoredBy returns the ignore file at the top that leaves a file out, "" when none does.
func (p *playground) ignoredBy(abs string) string {
	folder, err := vfs.CheckFolder(p.root)
	if err != nil {
		p.t.Fatal(err)
	}
	filter := vfs.NewFilter(p.t.Context(), folder, vfs.FilterOptions{}, nil)
	defer filter.Close()
	switch filter.Explain(p.t.Context(), abs).Reason {
	case vfs.Gitignored:
		return filepath.Join(p.root, ".gitignore")
	case vfs.Contextignored:
		return filepath.Join(p.root, ".contextignore")
	}
	return ""
}

// diagnose tells whether the index has missed something or holds a wrong rule.
func (p *playground) diagnose() string {
	if _, err := p.x.Refresh(context.Background(), nil, false); err != nil {
		return err.Error()
	}
	flush(p.t, p.x)
	diffs := p.compare()
	ignored, _ := os.ReadFile(filepath.Join(p.root, ".gitignore"))
	status, _ := runGit(p.root, "status", "--short", "--ignored", "-unormal")
	return fmt.Sprintf("after another scan: %d differences %s\n.gitignore: %q\n%s", len(diffs), strings.Join(diffs[:min(len(diffs), 3)], "\n"), ignored, status)
}

// note writes down what is done, for the case that it leads to a difference.
func (p *playground) note(format string, args ...any) {
	p.log = append(p.log, fmt.Sprintf("  %d. ", p.count)+strings.ReplaceAll(fmt.Sprintf(format, args...), p.root+"/", ""))
}

// git runs git; what it refuses, such as a checkout over changed files, is no action.
func (p *playground) git(args ...string) {
	out, err := runGit(p.root, args...)
	if err != nil {
		p.note("git %s: %v: %s", strings.Join(args, " "), err, out)
		return
	}
	p.note("git %s", strings.Join(args, " "))
}

// act does one thing at random. Common things are more likely.
func (p *playground) act() {
	p.count++
	n := p.rng.IntN(100)
	for _, a := range playActions {
		if n -= a.share; n < 0 {
			a.do(p)
			return
		}
	}
}

// playActions are what may happen, with their share in hundredths.
var playActions = []struct {
	share int
	do    func(*playground)
}{
	{22, (*playground).typeText},
	{6, (*playground).openBuffer},
	{5, (*playground).saveBuffer},
	{4, (*playground).closeBuffer},
	{8, (*playground).createFile},
	{8, (*playground).rewriteFile},
	{4, (*playground).deletePath},
	{6, (*playground).movePath},
	{5, (*playground).commit},
	{5, (*playground).switchBranch},
	{4, (*playground).stash},
	{2, (*playground).worktree},
	{5, (*playground).trackOrUntrack},
	{7, (*playground).changeIgnored},
	{5, (*playground).goOffline},
	{4, (*playground).many},
}

func (p *playground) pick(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[p.rng.IntN(len(list))]
}

// files are those of the project, git's own left out, in a fixed order.
func (p *playground) files() []string {
	var files []string
	_ = filepath.WalkDir(p.root, func(path string, d os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.Name() == ".git" && d.IsDir():
			return filepath.SkipDir
		case d.Type().IsRegular() && d.Name() != "settled.txt" && d.Name() != ".git":
			files = append(files, path)
		}
		return nil
	})
	return files
}

var playFolders = []string{"", "", "src", "src/deep", "lib", "build", "pkg/build", "dist", "out", "target", ".hidden", "docs", "naïve dir"}

// newPath is that of a file which may be there already.
func (p *playground) newPath() string {
	names := []string{"a.go", "b.go", "main.py", "app.ts", "Shop.java", "notes.md", "text.txt", "run.log", "lib.rs", "wide.cs"}
	return filepath.Join(p.root, filepath.FromSlash(p.pick(playFolders)), fmt.Sprintf("%c_%s", 'a'+p.rng.IntN(4), p.pick(names)))
}

func (p *playground) createFile() {
	path := p.newPath()
	p.writeFile(path, p.content(path))
}

// writeFile writes as a program does: into the file, or into another one that takes its place.
func (p *playground) writeFile(path string, content []byte) {
	if os.MkdirAll(filepath.Dir(path), 0o755) != nil {
		return // a file is in the way
	}
	target := path
	if p.rng.IntN(2) == 0 {
		target = path + ".tmp"
	}
	p.note("write %s, %d bytes", path, len(content))
	if err := os.WriteFile(target, content, 0o644); err != nil {
		return
	}
	if target != path && os.Rename(target, path) != nil {
		_ = os.Remove(target)
	}
}

func (p *playground) rewriteFile() {
	path := p.pick(p.files())
	if path == "" {
		return
	}
	old, err := os.ReadFile(path)
	if err != nil || strings.HasPrefix(filepath.Base(path), ".git") {
		return
	}
	switch p.rng.IntN(3) {
	case 0:
		p.writeFile(path, append(old, p.declaration(path)...))
	case 1:
		p.writeFile(path, old[:len(old)/2])
	default:
		p.writeFile(path, p.content(path))
	}
}

func (p *playground) deletePath() {
	path := p.pick(p.files())
	if path == "" {
		return
	}
	if dir := filepath.Dir(path); dir != p.root && p.rng.IntN(4) == 0 {
		path = dir
	}
	p.note("remove %s", path)
	_ = os.RemoveAll(path)
}

// movePath moves a file or a folder, sometimes into the place of another file.
func (p *playground) movePath() {
	from := p.pick(p.files())
	if from == "" {
		return
	}
	to := p.newPath()
	if dir := filepath.Dir(from); dir != p.root && p.rng.IntN(2) == 0 {
		from, to = dir, filepath.Join(p.root, fmt.Sprintf("moved%d", p.rng.IntN(3)))
		if p.rng.IntN(3) == 0 {
			to = filepath.Join(to, "build")
		}
	}
	_ = os.MkdirAll(filepath.Dir(to), 0o755)
	p.note("move %s to %s: %v", from, to, os.Rename(from, to))
}

func (p *playground) many() {
	for range 3 + p.rng.IntN(8) {
		p.createFile()
	}
}

func (p *playground) openBuffer() {
	path := p.pick(p.files())
	if p.rng.IntN(5) == 0 {
		path = p.newPath() // may be of a file that is not there yet
	}
	if path == "" || p.open[path] != nil {
		return
	}
	content, err := os.ReadFile(path)
	if err != nil {
		content = p.content(path)
	}
	p.note("open %s", path)
	p.open[path] = &openFile{text: []byte(strings.ToValidUTF8(string(content), "")), version: 1}
	p.x.Open(path, "", 1, p.open[path].text)
}

func (p *playground) buffer() (string, *openFile) {
	path := p.pick(sortedKeys(p.open))
	return path, p.open[path]
}

// typeText changes a buffer at one or more places, each given as an editor gives it: line and column in UTF-16.
func (p *playground) typeText() {
	path, b := p.buffer()
	if b == nil {
		p.openBuffer()
		return
	}
	p.note("type into %s", path)
	now := b.text
	var edits []Edit
	for range 1 + p.rng.IntN(3) {
		e := p.edit(path, now)
		edits = append(edits, e)
		now = []byte(string(now[:e.Start]) + string(e.New) + string(now[e.OldEnd:]))
	}
	if p.rng.IntN(10) == 0 {
		edits = nil // the whole text is sent
	}
	b.version++
	b.text = now
	p.x.Change(path, b.version, now, edits)
}

func (p *playground) edit(path string, in []byte) Edit {
	lines := text.NewLines(in)
	at := func() int {
		line := p.rng.IntN(lines.Count())
		offset, _ := lines.Offset(line, p.rng.IntN(40), text.UTF16)
		return offset
	}
	start := at()
	end := start
	switch p.rng.IntN(4) {
	case 0:
		end = max(start, min(len(in), start+p.rng.IntN(12)))
		place := lines.Position(end)
		end, _ = lines.Offset(place.Line, place.UTF16, text.UTF16)
		end = max(start, end)
	case 1:
		if end = at(); end < start {
			start, end = end, start
		}
	}
	inserted := p.pick([]string{"x", "é", "😀", "\r\n", "\n", "", "}", "{", "/*", "grün", p.declaration(path)})
	return Edit{Start: start, OldEnd: end, New: []byte(inserted)}
}

func (p *playground) saveBuffer() {
	path, b := p.buffer()
	if b == nil {
		return
	}
	p.writeFile(path, b.text)
	p.x.Saved(path)
}

func (p *playground) closeBuffer() {
	path, b := p.buffer()
	if b == nil {
		return
	}
	p.note("close %s", path)
	delete(p.open, path)
	p.x.Close(path)
}

func (p *playground) commit() {
	if p.rng.IntN(2) == 0 {
		p.git("add", "-A")
	}
	p.git("commit", "-qam", "more")
}

func (p *playground) switchBranch() {
	branch := p.pick([]string{"main", "one", "two"})
	switch p.rng.IntN(4) {
	case 0:
		p.git("checkout", "-q", "-B", branch)
	case 1:
		p.git("checkout", "-q", "-f", branch)
	case 2:
		p.git("reset", "-q", "--hard")
	default:
		p.git("checkout", "-q", branch)
	}
}

func (p *playground) stash() {
	switch p.rng.IntN(3) {
	case 0:
		p.git("stash", "-q", "-u")
	case 1:
		p.git("stash", "-q")
	default:
		p.git("stash", "pop", "-q")
	}
}

// worktree makes another work tree inside the project, or removes it.
func (p *playground) worktree() {
	if _, err := os.Stat(filepath.Join(p.root, "tree")); err == nil {
		p.git("worktree", "remove", "--force", "tree")
		p.note("remove tree: %v", os.RemoveAll(filepath.Join(p.root, "tree")))
		return
	}
	if p.rng.IntN(3) == 0 {
		p.git("clone", "-q", ".", "tree")
		return
	}
	p.git("worktree", "add", "-q", "--detach", "tree")
}

// trackOrUntrack makes git track files that are ignored or lie where builds leave theirs, or forget some that it tracks.
func (p *playground) trackOrUntrack() {
	path := p.pick(p.files())
	if path == "" {
		return
	}
	if p.rng.IntN(2) == 0 {
		p.git("rm", "-rq", "--cached", path)
		return
	}
	if dir := p.pick(playFolders); dir != "" && p.rng.IntN(2) == 0 {
		path = dir
	}
	p.git("add", "-f", path)
}

// changeIgnored changes what git or the person leaves out, in any of the places where that can stand.
func (p *playground) changeIgnored() {
	pattern := p.pick([]string{"*.log", "*.md", "/out/", "build/", "dist", "a_*", "!a_a.go", "docs/", "moved*", "*.rs", ".hidden", "target/", ""}) + "\n"
	if p.rng.IntN(3) == 0 {
		pattern += p.pick([]string{"b_*", "!*.log", "src/deep", "/lib"}) + "\n"
	}
	personal := filepath.Join(p.home, "my-ignores")
	places := []string{
		filepath.Join(p.root, ".gitignore"), filepath.Join(p.root, "src", ".gitignore"), filepath.Join(p.root, ".contextignore"),
		filepath.Join(p.root, ".git", "info", "exclude"), personal, filepath.Join(p.home, "settings", "git", "ignore"),
	}
	switch n := p.rng.IntN(len(places) + 2); n {
	case len(places):
		p.git("config", "--global", "core.excludesFile", personal)
	case len(places) + 1:
		p.git("config", "--global", "--unset", "core.excludesFile")
	default:
		p.note("ignore %q", pattern)
		p.writeFile(places[n], []byte(pattern))
	}
}

// goOffline ends the index, in order or as a power failure would, and follows the project again after things have happened.
func (p *playground) goOffline() {
	image := ""
	if p.rng.IntN(2) == 0 {
		image = filepath.Join(p.t.TempDir(), "image")
		if err := os.CopyFS(image, os.DirFS(p.store)); err != nil {
			image = "" // a file went while it was copied
		}
	}
	p.note("the index ends; as a crash: %v", image != "")
	p.unfollow()
	if image != "" {
		p.store = image
	}
	for range p.rng.IntN(4) {
		offline := []func(){p.createFile, p.rewriteFile, p.deletePath, p.movePath, p.commit, p.switchBranch, p.stash, p.trackOrUntrack, p.changeIgnored, p.keepStamp, p.keepStamp}
		offline[p.rng.IntN(len(offline))]()
	}
	p.note("the index begins again")
	p.follow()
}

// keepStamp changes a file without changing its size or its time.
func (p *playground) keepStamp() {
	path := p.pick(p.files())
	info, err := os.Stat(path)
	if err != nil || strings.HasPrefix(filepath.Base(path), ".git") {
		return
	}
	content, err := os.ReadFile(path)
	if err != nil || len(content) == 0 {
		return
	}
	for i, c := range content {
		if c >= 'a' && c < 'z' {
			content[i] = c + 1
			break
		}
	}
	p.note("change %s, with the same size and time", path)
	p.writeFile(path, content)
	if err := os.Chtimes(path, info.ModTime(), info.ModTime()); err != nil {
		p.t.Fatal(err)
	}
}
