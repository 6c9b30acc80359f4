package index

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/remotecache"
	"github.com/aurora-sidecar/aurora/index/snapshot"
	"github.com/aurora-sidecar/aurora/index/store"
)

var (
	teamKey     = ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize))
	strangerKey = ed25519.NewKeyFromSeed(bytes.Repeat([]byte{8}, ed25519.SeedSize))
)

// remoteAt returns the cache at an address whose entries the key signs. Its clock stands still, so that nothing is ever faster
// than an entry.
func remoteAt(t testing.TB, address string, key ed25519.PrivateKey) *remotecache.Cache {
	t.Helper()
	c, err := remotecache.New(remotecache.Options{
		Address: address, PublicKey: key.Public().(ed25519.PublicKey), Patience: time.Minute, Now: func() time.Time { return time.Unix(0, 0) },
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func writerAt(t testing.TB, address string, key ed25519.PrivateKey) *remotecache.Writer {
	t.Helper()
	w, err := remoteAt(t, address, key).Writer(key)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// pushTo indexes a folder and pushes it.
func pushTo(t testing.TB, root, address string, key ed25519.PrivateKey) Pushed {
	t.Helper()
	x := open(t, Options{Folders: []string{root}, NoWatch: true})
	pushed, err := Push(t.Context(), x, writerAt(t, address, key))
	if err != nil || len(pushed) != 1 {
		t.Fatalf("%+v, %v", pushed, err)
	}
	return pushed[0]
}

// A keeper is a server that keeps what is put under a name.
type keeper struct {
	mu     sync.Mutex
	values map[string][]byte
}

// ServeHTTP implements http.Handler.
func (k *keeper) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if r.Method == http.MethodPut {
		value, err := io.ReadAll(r.Body)
		if err != nil {
			panic(err)
		}
		k.values[r.URL.Path] = value
		return
	}
	value, ok := k.values[r.URL.Path]
	if !ok {
		http.NotFound(w, r)
		return
	}
	_, _ = w.Write(value)
}

// equalToParsed compares an index with one that is made now without any cache.
func equalToParsed(t *testing.T, x *Index, root string) {
	t.Helper()
	flush(t, x)
	fresh := open(t, Options{Folders: []string{root}, NoWatch: true, Embedder: x.opts.Embedder})
	flush(t, fresh)
	if diffs := compareLists(describe(x), describe(fresh)); len(diffs) > 0 {
		t.Errorf("the index from the shared cache (-) and a parsed one (+) differ in %d lines:\n%s", len(diffs), strings.Join(telling(diffs, 12), "\n"))
	}
}

// TestFetchedEqualsParsed: what comes from a shared cache is what would have been parsed, after a restart, too, for the commit
// that was pushed and for later ones with changes in the work tree.
func TestFetchedEqualsParsed(t *testing.T) {
	if testing.Short() {
		t.Skip("runs git a few hundred times")
	}
	server := httptest.NewServer(&keeper{values: map[string][]byte{}})
	t.Cleanup(server.Close)
	for name, address := range map[string]string{"folder": t.TempDir(), "server": server.URL} {
		t.Run(name, func(t *testing.T) {
			p := newPlayground(t, rand.Uint64())
			p.unfollow()
			for i := range 40 {
				path := fmt.Sprintf("made/%d%s", i, p.pick([]string{".go", ".py", ".ts", ".java", ".rs", ".md", ".cs", ".txt"}))
				write(t, p.root, map[string]string{path: string(p.content(path))})
			}
			write(t, p.root, map[string]string{
				"made/package.json": `{"name": "made", "version": "1.0.0", "main": "barrel.ts"}`, "made/barrel.ts": "export { parse as order } from './41'\nexport * from './42'\n",
			})
			p.git("add", "-A")
			p.git("commit", "-qm", "second")
			pushed := pushTo(t, p.root, address, teamKey)
			if pushed.Files < 20 || pushed.Bytes == 0 {
				t.Fatalf("%+v", pushed)
			}
			opts := Options{Folders: []string{p.root}, NoWatch: true, Embedder: model(t), StoreDir: t.TempDir(), Remote: remoteAt(t, address, teamKey)}
			x := open(t, opts)
			equalToParsed(t, x, p.root)
			if got, want := x.Status().SharedCache.Detail, fmt.Sprintf("%d of %d files from the pack", pushed.Files, pushed.Files); !strings.HasPrefix(got, want) {
				t.Errorf("%q, want %q", got, want)
			}
			if n := int(x.queue.parses.Load()); n != len(slices.Collect(x.Snapshot().Files()))-pushed.Files {
				t.Errorf("%d files parsed, %+v", n, pushed)
			}
			if err := x.Shutdown(); err != nil {
				t.Fatal(err)
			}
			x = open(t, opts)
			equalToParsed(t, x, p.root)
			if x.queue.parses.Load() != 0 || x.Status().SharedCache.Detail == "" {
				t.Errorf("after a restart: %d files parsed, %+v", x.queue.parses.Load(), x.Status().SharedCache)
			}

			write(t, p.root, map[string]string{"made/new.go": "package made\n\nfunc OrderParse() {}\n", "made/1.md": "# invoice\n"})
			p.git("add", "-A")
			p.git("commit", "-qm", "third")
			write(t, p.root, map[string]string{"made/2.txt": "customer header\n", "made/untracked.go": "package made\n\nfunc Kernel() {}\n"})
			opts.StoreDir = t.TempDir()
			x = open(t, opts)
			equalToParsed(t, x, p.root)
			if got := x.Status().SharedCache.Detail; !strings.Contains(got, fmt.Sprintf(" of %d files from the pack of commit %.10s", pushed.Files, pushed.Commit)) {
				t.Errorf("%q", got)
			}
		})
	}
}

// repository makes a repository with one commit, and returns its canonical path.
func repository(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := workspace(t, files)
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"-c", "user.name=P", "-c", "user.email=p@example.org", "commit", "-qm", "first"}} {
		if out, err := runGit(dir, args...); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	return dir
}

// longFunction is code that is long enough to be an entry of its own.
func longFunction(name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "package p\n\n// %s is long.\nfunc %s() {\n", name, name)
	for i := range leastShared / 20 {
		fmt.Fprintf(&b, "\tprintln(%q, %d)\n", name, i)
	}
	b.WriteString("}\n")
	return b.String()
}

// TestSingleEntries: without a pack for its tree, an index takes the entries of larger files.
func TestSingleEntries(t *testing.T) {
	root, place := repository(t, map[string]string{"a/long.go": longFunction("Alpha"), "a/other.go": longFunction("Beta"), "a/short.go": "package p\n\nfunc Gamma() {}\n"}), t.TempDir()
	if p := pushTo(t, root, place, teamKey); p.Entries != 2 || p.Files != 3 {
		t.Fatalf("%+v", p)
	}
	x := open(t, Options{Folders: []string{filepath.Join(root, "a")}, NoWatch: true, StoreDir: t.TempDir(), Remote: remoteAt(t, place, teamKey)})
	if n := x.queue.parses.Load(); n != 1 || x.Status().SharedCache.Detail != "no pack for the last 50 commits" || x.Status().SharedCache.Problem {
		t.Errorf("%d files parsed, %+v", n, x.Status().SharedCache)
	}
	equalToParsed(t, x, filepath.Join(root, "a"))
	if _, err := x.Refresh(t.Context(), nil, true); err != nil {
		t.Fatal(err)
	}
	flush(t, x)
	if n := x.queue.parses.Load(); n != 4 {
		t.Errorf("%d files parsed after all were to be parsed", n)
	}

	write(t, root, map[string]string{"a/other.go": longFunction("Delta")})
	for _, args := range [][]string{{"add", "-A"}, {"-c", "user.name=P", "-c", "user.email=p@example.org", "commit", "-qm", "second"}} {
		if out, err := runGit(root, args...); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	if p := pushTo(t, root, place, teamKey); p.Entries != 1 || p.Files != 3 || p.Bytes == 0 {
		t.Errorf("after one file changed: %+v", p)
	}
	if p := pushTo(t, root, place, teamKey); p.Entries != 0 || p.Bytes != 0 || p.Files != 3 {
		t.Errorf("pushed again: %+v", p)
	}
}

// TestOnlyWhatIsInHeadIsPushed: neither work in progress nor secrets leave the machine.
func TestOnlyWhatIsInHeadIsPushed(t *testing.T) {
	secret := "const Key = \"AKIA" + "Z7QX3MPLNR5TWVYB\"\n"
	root, place := repository(t, map[string]string{
		"clean.go": longFunction("CleanName"), "changed.go": longFunction("Committed"), "assumed.go": longFunction("Assumed"), "skipped.go": longFunction("Skipped"),
		"secret.go": longFunction("SecretName") + secret, ".gitignore": "ignored.go\n", "broken.go": longFunction("BrokenName") + "func (\n",
	}), t.TempDir()
	for _, args := range [][]string{{"update-index", "--assume-unchanged", "assumed.go"}, {"update-index", "--skip-worktree", "skipped.go"}} {
		if out, err := runGit(root, args...); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	write(t, root, map[string]string{
		"changed.go": longFunction("InProgress"), "assumed.go": longFunction("AssumedInProgress"), "skipped.go": longFunction("SkippedInProgress"),
		"untracked.go": longFunction("Untracked"), "ignored.go": longFunction("Ignored"), "staged.go": longFunction("Staged"),
	})
	if out, err := runGit(root, "add", "staged.go"); err != nil {
		t.Fatal(out)
	}
	x := open(t, Options{Folders: []string{root}, NoWatch: true, Rules: func(string) Rules { return Rules{KeepSecrets: true} }})
	x.Open(filepath.Join(root, "clean2.go"), "go", 1, []byte(longFunction("Unsaved")))
	flush(t, x)
	if len(x.Snapshot().Named("SecretName", false)) == 0 || len(x.Snapshot().Named("InProgress", false)) == 0 {
		t.Fatal("the index lacks what must not leave it")
	}
	pushed, err := Push(t.Context(), x, writerAt(t, place, teamKey))
	if err != nil || pushed[0].Entries != 1 {
		t.Fatalf("%+v, %v", pushed, err)
	}
	pack := thePack(t, place)
	opened, err := snapshot.OpenPack(pack)
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, f := range opened.Files {
		paths = append(paths, f.Path)
	}
	slices.Sort(paths)
	if !slices.Equal(paths, []string{".gitignore", "clean.go"}) {
		t.Errorf("pushed %q", paths)
	}
	for _, section := range unpackSections(t, pack) {
		for _, name := range []string{"Progress", "Untracked", "Ignored", "Staged", "SecretName", "AKIA", "Unsaved", "BrokenName", "inprogress", "secretname", "z7qx3mplnr5twvyb"} {
			if bytes.Contains(section, []byte(name)) {
				t.Errorf("%q was pushed", name)
			}
		}
	}
}

// thePack returns the only blob of a place.
func thePack(t *testing.T, place string) []byte {
	t.Helper()
	blobs, err := filepath.Glob(filepath.Join(place, "cas", "*"))
	if err != nil || len(blobs) != 1 {
		t.Fatalf("%d packs, %v", len(blobs), err)
	}
	data, err := os.ReadFile(blobs[0])
	if err != nil {
		t.Fatal(err)
	}
	return data
}

const packHead = 9 // magic and versions

// unpackSections returns what is in a pack.
func unpackSections(t *testing.T, pack []byte) (sections [][]byte) {
	t.Helper()
	rest := pack[packHead+48:]
	for i := range 3 {
		n := binary.LittleEndian.Uint64(pack[packHead+16*i+8:])
		section, err := store.Unpack(rest[:n])
		if err != nil {
			t.Fatal(err)
		}
		sections, rest = append(sections, section), rest[n:]
	}
	return sections
}

// packOf is the reverse of unpackSections.
func packOf(head []byte, sections [][]byte) []byte {
	out := slices.Clone(head[:packHead])
	var packed []byte
	for _, s := range sections {
		p := store.PackWell(s)
		out = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(out, uint64(len(s))), uint64(len(p)))
		packed = append(packed, p...)
	}
	return append(out, packed...)
}

// TestPoisonedPacks: whatever lies there, the index is the one that is parsed, and Status tells.
func TestPoisonedPacks(t *testing.T) {
	files := map[string]string{"one.go": longFunction("First"), "two/two.go": "package p\n\nfunc Second() {}\n", "three.md": "# Third\n\nSome words.\n"}
	root := repository(t, files)
	other := repository(t, map[string]string{"one.go": "package p\n\nfunc Wrong() {}\n"})
	if err := os.WriteFile(filepath.Join(filepath.Dir(root), "secret.go"), []byte(files["two/two.go"]), 0o600); err != nil {
		t.Fatal(err)
	}
	good, elsewhere := t.TempDir(), t.TempDir()
	pushTo(t, root, good, teamKey)
	pushTo(t, other, elsewhere, teamKey)
	pack := thePack(t, good)
	sections := unpackSections(t, pack)
	trees := treesIn(t, root)
	// signed puts a pack in the place of the right one, under the signature of the team.
	signed := func(data []byte) func(*testing.T, string) {
		return func(t *testing.T, place string) {
			if err := writerAt(t, place, teamKey).StorePack(t.Context(), packKey(trees[0]), data); err != nil {
				t.Fatal(err)
			}
		}
	}
	with := func(section int, data []byte) []byte {
		changed := slices.Clone(sections)
		changed[section] = data
		return packOf(pack, changed)
	}
	otherVersion := slices.Clone(pack)
	otherVersion[8]++
	newer := slices.Clone(pack)
	newer[7]++
	claims := slices.Clone(pack)
	binary.LittleEndian.PutUint64(claims[packHead:], 1<<40)
	bomb := slices.Clone(pack[:packHead])
	for range 3 {
		bomb = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(bomb, 1<<20), 1<<16)
	}
	bomb = append(bomb, store.PackWell(make([]byte, 1<<30))...)
	bomb = append(bomb, make([]byte, 3<<16)...)
	many := binary.AppendUvarint(nil, 1<<50)
	hashes := slices.Clone(sections[0]) // the chunks of the long file for the hash of the short one
	one, two := hashOf(files["one.go"]), hashOf(files["two/two.go"])
	swapHashes(hashes, one[:], two[:])

	for name, tt := range map[string]struct {
		spoil func(t *testing.T, place string)
		want  string // in Status
		fine  bool   // no problem: what does not fit is left out
	}{
		"no key": {spoil: func(t *testing.T, place string) {
			if err := os.RemoveAll(filepath.Join(place, "ac")); err != nil {
				t.Fatal(err)
			}
			stranger := writerAt(t, place, strangerKey)
			if err := stranger.StorePack(t.Context(), packKey(trees[0]), pack); err != nil {
				t.Fatal(err)
			}
		}, want: "its signature is not that of the public key"},
		"swapped": {spoil: func(t *testing.T, place string) {
			replace(t, packPath(elsewhere, treesIn(t, other)[0]), packPath(place, trees[0]))
		}, want: "its signature is not that of the public key"},
		"flipped bit": {spoil: func(t *testing.T, place string) {
			spoilBlob(t, place, func(b []byte) []byte { b[len(b)/2] ^= 4; return b })
		}, want: "its checksum differs"},
		"cut":  {spoil: func(t *testing.T, place string) { spoilBlob(t, place, func(b []byte) []byte { return b[:len(b)-9] }) }, want: "its checksum differs"},
		"gone": {spoil: func(t *testing.T, place string) { removeAll(t, filepath.Join(place, "cas")) }, want: "the pack's bytes are gone"},

		"other chunker": {spoil: signed(otherVersion), want: "another version of AURORA has written it"},
		"newer form":    {spoil: signed(newer), want: "another version of AURORA has written it"},
		"claims":        {spoil: signed(claims), want: "the pack is damaged"},
		"bomb":          {spoil: signed(bomb), want: "the pack is damaged"},
		"many files":    {spoil: signed(with(0, many)), want: "the pack is damaged"},
		"no directory":  {spoil: signed(with(0, nil)), want: "the pack is damaged"},
		"cut table":     {spoil: signed(with(1, sections[1][:len(sections[1])-1])), want: "the pack is damaged"},
		"no words":      {spoil: signed(with(2, nil)), want: "the pack is damaged"},
		"cut words":     {spoil: signed(with(2, sections[2][:len(sections[2])-1])), want: "the pack is damaged"},
		"no pack":       {spoil: signed([]byte("#!/bin/sh\n")), want: "the pack is damaged"},

		"another project": {spoil: signed(thePack(t, elsewhere)), want: "0 of 1 files", fine: true},
		"swapped hashes":  {spoil: signed(with(0, hashes)), want: "1 of 3 files", fine: true},
		"noise as chunks": {spoil: signed(with(1, noise(len(sections[1])))), want: "0 of 3 files", fine: true},
		"path upward":     {spoil: signed(with(0, bytes.Replace(sections[0], []byte("\x0atwo/two.go"), []byte("\x0c../secret.go"), 1))), want: "2 of 3 files", fine: true},
		"absolute path":   {spoil: signed(with(0, bytes.Replace(sections[0], []byte("\x0atwo/two.go"), []byte("\x0b/etc/passwd"), 1))), want: "2 of 3 files", fine: true},
		"git's own path":  {spoil: signed(with(0, bytes.Replace(sections[0], []byte("\x0atwo/two.go"), []byte("\x0b.git/config"), 1))), want: "2 of 3 files", fine: true},
	} {
		t.Run(name, func(t *testing.T) {
			place := t.TempDir()
			if err := os.CopyFS(place, os.DirFS(good)); err != nil {
				t.Fatal(err)
			}
			removeEntries(t, place, trees[0])
			tt.spoil(t, place)
			x := open(t, Options{Folders: []string{root}, NoWatch: true, Embedder: model(t), StoreDir: t.TempDir(), Remote: remoteAt(t, place, teamKey)})
			equalToParsed(t, x, root)
			if got := x.Status().SharedCache; !strings.Contains(got.Detail, tt.want) || got.Problem == tt.fine {
				t.Errorf("%+v, want %q", got, tt.want)
			}
		})
	}
}

func noise(n int) []byte {
	b, rng := make([]byte, n), rand.New(rand.NewPCG(1, 2))
	for i := range b {
		b[i] = byte(rng.Uint32())
	}
	return b
}

func packPath(place, tree string) string {
	key := packKey(tree)
	return filepath.Join(place, "ac", fmt.Sprintf("%x", key[:]))
}

func treesIn(t *testing.T, root string) []string {
	t.Helper()
	trees, err := treesOf(&folder{path: root, ctx: t.Context()})
	if err != nil || len(trees) == 0 {
		t.Fatal(err)
	}
	return []string{trees[0].Tree}
}

func replace(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func removeAll(t *testing.T, path string) {
	t.Helper()
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
}

// removeEntries leaves the pack of a tree only.
func removeEntries(t *testing.T, place, tree string) {
	t.Helper()
	entries, err := filepath.Glob(filepath.Join(place, "ac", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e != packPath(place, tree) {
			removeAll(t, e)
		}
	}
}

func spoilBlob(t *testing.T, place string, spoil func([]byte) []byte) {
	t.Helper()
	blobs, err := filepath.Glob(filepath.Join(place, "cas", "*"))
	if err != nil || len(blobs) != 1 {
		t.Fatal(blobs, err)
	}
	if err := os.WriteFile(blobs[0], spoil(thePack(t, place)), 0o600); err != nil {
		t.Fatal(err)
	}
}

func swapHashes(in, a, b []byte) {
	i, j := bytes.Index(in, a), bytes.Index(in, b)
	copy(in[i:], b)
	copy(in[j:], a)
}

// TestPoisonedEntries: an entry counts for the text and the language that it was made of, as it was signed.
func TestPoisonedEntries(t *testing.T) {
	text := longFunction("Alpha")
	root := repository(t, map[string]string{"a.go": text})
	key := entryKey(store.ContentKey(hashOf(text), "go", chunk.Version))
	analyzed := func(lang, src string) []byte {
		f := chunk.BuildText([]byte(src))
		f.Language = lang
		return chunk.Encode(f)
	}
	for name, content := range map[string][]byte{
		"of a longer text":    store.PackWell(analyzed("go", text+strings.Repeat("\n// more\n", 9000))),
		"of another language": store.PackWell(analyzed("python", text)),
		"of another chunker":  store.PackWell(append([]byte{chunk.Version + 1}, analyzed("go", text)[1:]...)),
		"cut":                 store.PackWell(analyzed("go", text)[:20]),
		"a bomb":              store.PackWell(make([]byte, maxSharedChunks+1)),
		"noise":               []byte("noise"),
		"empty":               nil,
	} {
		t.Run(name, func(t *testing.T) {
			place := t.TempDir()
			if err := writerAt(t, place, teamKey).Store(t.Context(), key, content); err != nil {
				t.Fatal(err)
			}
			x := open(t, Options{Folders: []string{root}, NoWatch: true, Remote: remoteAt(t, place, teamKey)})
			if x.queue.parses.Load() != 1 {
				t.Error("the entry was taken")
			}
			equalToParsed(t, x, root)
		})
	}
}

// TestSecretsOfThisMachine: a file in which the rules here find a secret is never taken from a pack, whatever those of its maker were.
func TestSecretsOfThisMachine(t *testing.T) {
	root, place := repository(t, map[string]string{"a.go": "package p\n\nfunc Alpha() {}\n", "b.go": "package p\n\n// ticket-4711\nfunc Beta() {}\n"}), t.TempDir()
	if p := pushTo(t, root, place, teamKey); p.Files != 2 {
		t.Fatalf("%+v", p)
	}
	rules := func(string) Rules { return Rules{SecretPatterns: []string{`ticket-\d+`}} }
	x := open(t, Options{Folders: []string{root}, NoWatch: true, Rules: rules, Remote: remoteAt(t, place, teamKey)})
	if hits, _ := x.Snapshot().Search(Query{Text: "4711"}); len(hits) > 0 || x.queue.parses.Load() != 1 {
		t.Errorf("%d hits, %d files parsed", len(hits), x.queue.parses.Load())
	}
	ignoring := func(string) Rules { r := Rules{}; r.Files.Ignore = []string{"a.go"}; return r }
	x = open(t, Options{Folders: []string{root}, NoWatch: true, Rules: ignoring, Remote: remoteAt(t, place, teamKey)})
	if n, _ := flush(t, x).Counts(); n != 1 || len(x.Snapshot().Named("Alpha", false)) > 0 {
		t.Errorf("%d files, although one is left out", n)
	}
}

// TestUselessServers: an index does without a server that can't be used, and says why.
func TestUselessServers(t *testing.T) {
	root := repository(t, map[string]string{"a.go": "package p\n\nfunc Alpha() {}\n"})
	end := make(chan struct{})
	for name, tt := range map[string]struct {
		handle   http.HandlerFunc
		patience time.Duration
		want     string
	}{
		"hangs":   {func(http.ResponseWriter, *http.Request) { <-end }, 20 * time.Millisecond, "not used: it did not answer within 20ms"},
		"refuses": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(401) }, time.Minute, "not used: the server refuses the token"},
		"fails":   {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) }, time.Minute, "not used: the server answers 500"},
		"lies":    {func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("welcome")) }, time.Minute, "not used: it is no entry of AURORA"},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(tt.handle)
			t.Cleanup(func() {
				if name == "hangs" {
					close(end)
				}
				server.Close()
			})
			c, err := remotecache.New(remotecache.Options{Address: server.URL, PublicKey: teamKey.Public().(ed25519.PublicKey), Patience: tt.patience})
			if err != nil {
				t.Fatal(err)
			}
			store := t.TempDir()
			x := open(t, Options{Folders: []string{root}, NoWatch: true, StoreDir: store, Remote: c})
			if got := x.Status().SharedCache; !strings.HasPrefix(got.Detail, tt.want) || !got.Problem {
				t.Errorf("%+v", got)
			}
			if flush(t, x); x.Status().State != Ready || len(x.Snapshot().Named("Alpha", false)) != 1 {
				t.Errorf("%+v", x.Status())
			}
			if _, err := CheckShared(context.Background(), c, root); err == nil {
				t.Error("the check finds nothing wrong")
			}
		})
	}
	place := t.TempDir()
	c := remoteAt(t, place, teamKey)
	if detail, err := CheckShared(t.Context(), c, root); err != nil || !strings.HasPrefix(detail, "it answers") {
		t.Errorf("%q, %v", detail, err)
	}
	pushTo(t, root, place, teamKey)
	if detail, err := CheckShared(t.Context(), c, root); err != nil || !strings.HasPrefix(detail, "a pack of ") {
		t.Errorf("%q, %v", detail, err)
	}
}
