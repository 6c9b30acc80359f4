package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"time"
)

// flood is how many searches are sent at once.
const flood = 1000

// load asks hovers and types, one after the other, while as many searches as nobody would send are being answered.
func (b *bench) load() error {
	path, text, err := b.anyFile(1500)
	if err != nil {
		return err
	}
	if err := b.didOpen(path, text); err != nil {
		return err
	}
	answers, begin := b.flood(), time.Now()
	var hovers, fair []time.Duration
	for version := 2; !answers.done() && err == nil; version++ {
		var took time.Duration
		used := b.ran()
		if took, err = b.hoverAfterKey(path, text, version); err == nil {
			hovers, fair = append(hovers, took), append(fair, (b.ran()-used)/time.Duration(runtime.NumCPU()))
		}
	}
	if err != nil {
		return err
	}
	b.row(fmt.Sprintf("%d searches at once", flood), "all answered after %.1f s, %d refused as too many", time.Since(begin).Seconds(), answers.refused.Load())
	if len(hovers) > 0 {
		b.row("hover right after a keystroke, meanwhile", "%s", percentiles(hovers))
		b.row("the same in processor time of the sidecar, by cores", "%s", percentiles(fair))
	}
	return nil
}

// ran is the processor time that the sidecar's threads have had, to the nanosecond; 0 where that can't be told. Under load,
// and divided by the number of cores, it is what would have passed had the sidecar had the machine for itself.
func (b *bench) ran() time.Duration {
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", b.c.cmd.Process.Pid)) // the pattern is sound
	var sum int64
	for _, task := range tasks {
		var ns int64
		data, _ := os.ReadFile(task) // a thread that has ended counts nothing
		if _, err := fmt.Sscan(string(data), &ns); err == nil {
			sum += ns
		}
	}
	return time.Duration(sum)
}

// floodAnswers counts what came back.
type floodAnswers struct{ came, refused atomic.Int64 }

func (f *floodAnswers) done() bool { return f.came.Load() == flood }

// flood sends searches without waiting for their answers.
func (b *bench) flood() *floodAnswers {
	var answers floodAnswers
	for range flood {
		words := []string{b.words[b.rng.IntN(len(b.words))], b.words[b.rng.IntN(len(b.words))], b.words[b.rng.IntN(len(b.words))]}
		go func() {
			defer answers.came.Add(1)
			if _, _, err := b.search(strings.Join(words, " ")); err != nil {
				answers.refused.Add(1)
			}
		}()
	}
	return &answers
}

// hoverAfterKey types a character at the end of the file and hovers over a place in it.
func (b *bench) hoverAfterKey(path, text string, version int) (time.Duration, error) {
	document, lines := map[string]any{"uri": uri(path), "version": version}, strings.Split(text, "\n")
	last := map[string]any{"line": len(lines) - 1, "character": 0}
	err := b.c.notify("textDocument/didChange", map[string]any{"textDocument": document, "contentChanges": []any{
		map[string]any{"range": map[string]any{"start": last, "end": last}, "text": "\n"},
	}})
	if err != nil {
		return 0, err
	}
	line := b.rng.IntN(len(lines))
	begin := time.Now()
	err = b.c.call("textDocument/hover", map[string]any{
		"textDocument": document, "position": map[string]any{"line": line, "character": len(lines[line]) / 2},
	}, nil)
	return time.Since(begin), err
}
