package main

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/tools/lspclient"
)

// A bench is one run over one tree.
type bench struct {
	aurora, tree, home string
	lines              int
	c                  *lspclient.Client
	rows               [][2]string
	words              []string // what to search for
	rng                *rand.Rand
}

func (b *bench) row(what, format string, args ...any) {
	b.rows = append(b.rows, [2]string{what, fmt.Sprintf(format, args...)})
}

func (b *bench) print() {
	fmt.Println("| what | measured |\n|---|---|")
	for _, r := range b.rows {
		fmt.Printf("| %s | %s |\n", r[0], r[1])
	}
}

type status struct {
	State string
	Files struct{ Indexed, Total, Failed int }

	Chunks int
}

type searchResult struct {
	Hits []struct {
		Name, Path string
		URI        string
	}
	Total int
	Index struct{ State string }
}

func ms(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000) }

func percentiles(d []time.Duration) string {
	slices.Sort(d)
	at := func(p float64) time.Duration { return d[min(len(d)-1, int(p*float64(len(d))))] }
	return fmt.Sprintf("p50 %s, p95 %s, p99 %s, max %s (%d)", ms(at(0.5)), ms(at(0.95)), ms(at(0.99)), ms(d[len(d)-1]), len(d))
}

func uri(path string) string { return (&url.URL{Scheme: "file", Path: path}).String() }

// open starts the sidecar and initializes it.
func (b *bench) open(label string) (time.Time, error) {
	begin := time.Now()
	cmd := exec.Command(b.aurora, "serve", "--standalone")
	cmd.Env, cmd.Dir = append(os.Environ(), "AURORA_HOME="+b.home), b.tree
	c, err := lspclient.Start(cmd, nil)
	if err != nil {
		return begin, err
	}
	b.c = c
	err = c.Call("initialize", map[string]any{
		"processId": os.Getpid(), "capabilities": map[string]any{},
		"workspaceFolders": []any{map[string]any{"uri": uri(b.tree), "name": "tree"}},
	}, nil)
	if err != nil {
		return begin, err
	}
	b.row(label+"initialize answered, process start included", "%s", ms(time.Since(begin)))
	return begin, c.Notify("initialized", map[string]any{})
}

// ready polls until the first scan has ended and returns when that was.
func (b *bench) ready() (status, error) {
	for {
		var s status
		if err := b.c.Call("aurora/status", nil, &s); err != nil {
			return s, err
		}
		if (s.State == "ready" || s.State == "degraded") && s.Files.Indexed > 0 {
			return s, nil
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func (b *bench) search(query string) (searchResult, time.Duration, error) {
	var r searchResult
	begin := time.Now()
	err := b.c.Call("aurora/search", map[string]any{"query": query, "limit": 10}, &r)
	return r, time.Since(begin), err
}

// cold indexes the tree from nothing.
func (b *bench) cold() error {
	b.rng = rand.New(rand.NewPCG(1, 2))
	begin, err := b.open("")
	if err != nil {
		return err
	}
	for {
		r, _, err := b.search("parse header line")
		if err != nil {
			return err
		}
		if len(r.Hits) > 0 {
			b.row("first search with hits, from process start", "%s (index.state %s)", ms(time.Since(begin)), r.Index.State)
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	s, err := b.ready()
	if err != nil {
		return err
	}
	took, used := time.Since(begin), b.cpu()
	b.row("cold index", "%.1f s: %d files, %d chunks, %.0fk lines/s", took.Seconds(), s.Files.Indexed, s.Chunks,
		float64(b.lines)/took.Seconds()/1000)
	b.row("cold index, processor time", "%.1f s: %.0fk lines per second of one core", used.Seconds(),
		float64(b.lines)/max(used.Seconds(), 0.01)/1000)
	b.rss("resident memory after indexing")
	return nil
}

// queryWords gathers words that real code uses, so that common ones are among them.
func (b *bench) queryWords() error {
	var words []string
	err := filepath.WalkDir(b.tree, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !isSource(path) || b.rng.IntN(40) != 0 {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		fields := strings.FieldsFunc(string(data), func(r rune) bool {
			return !(r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z')
		})
		for range min(20, len(fields)) {
			if w := fields[b.rng.IntN(len(fields))]; len(w) > 2 {
				words = append(words, w)
			}
		}
		return nil
	})
	if len(words) == 0 && err == nil {
		return fmt.Errorf("no words in %s", b.tree)
	}
	b.words = words
	return err
}

// earlySearches search while the new index is being merged and saved.
func (b *bench) earlySearches() error {
	if err := b.queryWords(); err != nil {
		return err
	}
	return b.searches("search right after indexing")
}

func (b *bench) lateSearches() error { return b.searches("search") }

func (b *bench) searches(label string) error {
	for _, n := range []int{1, 3, 8} {
		var times []time.Duration
		used := b.cpu()
		for range 300 {
			q := make([]string, n)
			for i := range q {
				q[i] = b.words[b.rng.IntN(len(b.words))]
			}
			_, took, err := b.search(strings.Join(q, " "))
			if err != nil {
				return err
			}
			times = append(times, took)
		}
		b.row(fmt.Sprintf("%s, %d words", label, n), "%s; processor time %s each", percentiles(times), ms((b.cpu()-used)/time.Duration(len(times))))
	}
	return nil
}

// anyFile returns the longest source file of about the wanted number of lines.
func (b *bench) anyFile(atLeast int) (path, text string, err error) {
	best := 0
	err = filepath.WalkDir(b.tree, func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(p) != ".go" && filepath.Ext(p) != ".py" && filepath.Ext(p) != ".ts" {
			return err
		}
		data, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		if n := strings.Count(string(data), "\n"); n >= atLeast && (best == 0 || n < best) {
			path, text, best = p, string(data), n
		}
		return nil
	})
	if err == nil && path == "" {
		err = fmt.Errorf("no source file of %d lines in %s", atLeast, b.tree)
	}
	return path, text, err
}

func (b *bench) hovers() error {
	path, text, err := b.anyFile(1500)
	if err != nil {
		return err
	}
	if err := b.didOpen(path, text); err != nil {
		return err
	}
	lines := strings.Split(text, "\n")
	var times []time.Duration
	for len(times) < 300 {
		line := b.rng.IntN(len(lines))
		if len(lines[line]) < 4 {
			continue
		}
		begin := time.Now()
		err := b.c.Call("textDocument/hover", map[string]any{
			"textDocument": map[string]any{"uri": uri(path)},
			"position":     map[string]any{"line": line, "character": b.rng.IntN(len(lines[line]))},
		}, nil)
		if err != nil {
			return err
		}
		times = append(times, time.Since(begin))
	}
	b.row("hover at random places", "%s", percentiles(times))
	return nil
}

func (b *bench) didOpen(path, text string) error {
	return b.c.Notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
		"uri": uri(path), "languageId": strings.TrimPrefix(filepath.Ext(path), "."), "version": 1, "text": text}})
}

// untilFound polls a search for an identifier that only just came to be.
func (b *bench) untilFound(word string, begin time.Time) (time.Duration, error) {
	for time.Since(begin) < 30*time.Second {
		r, _, err := b.search(word)
		if err != nil {
			return 0, err
		}
		for _, h := range r.Hits {
			if h.Name == word {
				return time.Since(begin), nil
			}
		}
		time.Sleep(time.Millisecond)
	}
	return 0, fmt.Errorf("%s was not found within 30 s", word)
}

// keystrokes types new functions into a file of 10,000 lines and asks for each until it is found.
func (b *bench) keystrokes() error {
	path, text, err := b.anyFile(10000)
	if err != nil {
		return err
	}
	if err := b.didOpen(path, text); err != nil {
		return err
	}
	at := strings.Count(text[:strings.LastIndex(text[:len(text)/2], "\nfunc ")], "\n") + 1
	var times []time.Duration
	used := b.cpu()
	for i := range 60 {
		word := fmt.Sprintf("typedJustNow%c%c", 'A'+i/26, 'a'+i%26)
		begin := time.Now()
		err := b.c.Notify("textDocument/didChange", map[string]any{
			"textDocument": map[string]any{"uri": uri(path), "version": i + 2},
			"contentChanges": []any{map[string]any{
				"range": map[string]any{"start": map[string]any{"line": at, "character": 0}, "end": map[string]any{"line": at, "character": 0}},
				"text":  "func " + word + "() {}\n\n"}},
		})
		if err != nil {
			return err
		}
		took, err := b.untilFound(word, begin)
		if err != nil {
			return err
		}
		times = append(times, took)
	}
	b.row(fmt.Sprintf("keystroke to found, file of %d lines", strings.Count(text, "\n")), "%s", percentiles(times))
	b.row("processor time per keystroke, searches included", "%s", ms((b.cpu()-used)/time.Duration(len(times))))
	return nil
}

// saves writes files as another program would.
func (b *bench) saves() error {
	var times []time.Duration
	for i := range 30 {
		word := fmt.Sprintf("SavedByAnother%c%c", 'A'+i/26, 'a'+i%26)
		begin := time.Now()
		path := filepath.Join(b.tree, "strings", "aurora_bench.go")
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte("package strings\n\nfunc "+word+"() {}\n"), 0o644); err != nil {
			return err
		}
		took, err := b.untilFound(word, begin)
		if err != nil {
			return err
		}
		times = append(times, took)
	}
	b.row("save by another program to found", "%s", percentiles(times))
	return nil
}

// cpu returns the processor time that the sidecar and its children have used so far, 0 where that can't be told.
func (b *bench) cpu() time.Duration {
	var ticks int64
	for _, pid := range b.processes() {
		data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			continue
		}
		_, after, _ := strings.Cut(string(data), ") ") // the name in brackets may hold spaces
		fields := strings.Fields(after)
		if len(fields) < 15 {
			continue
		}
		for _, f := range fields[11:15] { // utime and stime, also of children that have ended
			n, _ := strconv.ParseInt(f, 10, 64)
			ticks += n
		}
	}
	const tick = 10 * time.Millisecond
	return time.Duration(ticks) * tick
}

// processes are the sidecar and the children in which it parses; none where that can't be told.
func (b *bench) processes() []int {
	pid := b.c.Cmd.Process.Pid
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil || len(tasks) == 0 {
		return nil
	}
	all := []int{pid}
	for _, task := range tasks {
		data, _ := os.ReadFile(task)
		for _, f := range strings.Fields(string(data)) {
			if child, err := strconv.Atoi(f); err == nil {
				all = append(all, child)
			}
		}
	}
	return all
}

func (b *bench) memory() error { b.rss("resident memory at the end"); return nil }

// rss notes the resident memory of the sidecar, now and at its peak, and of the children in which it parses. These end
// when they have been idle for ten seconds.
func (b *bench) rss(what string) {
	var now, peak, children []int
	for i, pid := range b.processes() {
		data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if err != nil {
			continue
		}
		var rss, most int
		for line := range strings.Lines(string(data)) {
			fmt.Sscanf(line, "VmRSS: %d kB", &rss)
			fmt.Sscanf(line, "VmHWM: %d kB", &most)
		}
		if i == 0 {
			now, peak = append(now, rss/1024), append(peak, most/1024)
		} else {
			children = append(children, rss/1024)
		}
	}
	if len(now) == 0 {
		return // not Linux
	}
	text := fmt.Sprintf("%d MB (peak %d MB)", now[0], peak[0])
	if len(children) > 0 {
		text += fmt.Sprintf(", and %v MB in processes that parse", children)
	}
	b.row(what, "%s", text)
}

func (b *bench) stop() error {
	if err := b.c.Call("shutdown", nil, nil); err != nil {
		return err
	}
	if err := b.c.Notify("exit", nil); err != nil {
		return err
	}
	begin := time.Now()
	err := b.c.Cmd.Wait()
	b.row("exit", "%s", ms(time.Since(begin)))
	return err
}

// warm starts again on the tree that was indexed before.
func (b *bench) warm() error {
	begin, err := b.open("warm: ")
	if err != nil {
		return err
	}
	if _, err := b.ready(); err != nil {
		return err
	}
	b.row("warm: start to ready", "%s, processor time %s", ms(time.Since(begin)), ms(b.cpu()))
	b.rss("warm: resident memory")
	time.Sleep(15 * time.Second) // by then, what the start has left behind is given back, and idle processes have ended
	b.rss("warm: resident memory, 15 s later")
	return b.stop()
}
