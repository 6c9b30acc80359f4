package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

func main() {
	aurora := flag.String("aurora", "bin/aurora", "the binary to measure")
	dir := flag.String("dir", "", "source tree; the Go standard library when empty")
	flag.Parse()
	if err := run(*aurora, *dir); err != nil {
		fmt.Fprintln(os.Stderr, "aurora-bench:", err)
		os.Exit(1)
	}
}

func run(aurora, dir string) error {
	if dir == "" {
		out, err := exec.Command("go", "env", "GOROOT").Output()
		if err != nil {
			return fmt.Errorf("find the Go standard library: %w", err)
		}
		dir = filepath.Join(strings.TrimSpace(string(out)), "src")
	}
	aurora, err := filepath.Abs(aurora)
	if err != nil {
		return err
	}
	tmp, err := os.MkdirTemp("", "aurora-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	tree := filepath.Join(tmp, "tree")
	lines, files, err := copyTree(dir, tree)
	if err != nil {
		return fmt.Errorf("copy %s: %w", dir, err)
	}
	fmt.Printf("%s: %d files, %d lines; %s, %d cores\n\n", dir, files, lines, runtime.Version(), runtime.NumCPU())
	before := tryMachine()
	b := &bench{aurora: aurora, tree: tree, home: filepath.Join(tmp, "home"), lines: lines}
	for _, step := range []func() error{b.cold, b.earlySearches, b.hovers, b.keystrokes, b.saves, b.lateSearches, b.load, b.memory, b.stop, b.warm, b.disk} {
		if err := step(); err != nil {
			b.print()
			return err
		}
	}
	b.row("busy loops before: what this machine gave", "%s", before)
	b.row("busy loops after", "%s", tryMachine())
	b.print()
	return nil
}

// A machine is what busy loops on all cores learnt about the machine under them.
type machine struct {
	share float64       // of the time that was really to be had: less than 1 where others use the cores, too
	gap   time.Duration // the longest one in which a loop did not run
}

func (m machine) String() string {
	return fmt.Sprintf("%.0f %%, longest pause %s", 100*m.share, ms(m.gap))
}

// tryMachine keeps all cores busy for two seconds.
func tryMachine() machine {
	const spell = 2 * time.Second
	cores := runtime.NumCPU()
	results := make(chan machine)
	for range cores {
		go func() {
			runtime.LockOSThread()
			var m machine
			begin, used := time.Now(), threadTime()
			for last := begin; last.Sub(begin) < spell; {
				now := time.Now()
				m.gap = max(m.gap, now.Sub(last))
				last = now
			}
			m.share = (threadTime() - used).Seconds() / spell.Seconds() / float64(cores)
			results <- m
		}()
	}
	var sum machine
	for range cores {
		m := <-results
		sum.share += m.share
		sum.gap = max(sum.gap, m.gap)
	}
	return sum
}

// copyTree copies the regular files of a tree and counts the lines of those with a known ending.
func copyTree(from, to string) (lines, files int, err error) {
	err = filepath.WalkDir(from, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		if d.IsDir() {
			return os.MkdirAll(target, 0o755)
		}
		if !d.Type().IsRegular() {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files++
		if isSource(path) {
			lines += strings.Count(string(data), "\n")
		}
		return os.WriteFile(target, data, 0o644)
	})
	return lines, files, err
}

// disk compares what AURORA has written with what it was made from.
func (b *bench) disk() error {
	store, err := sizeOf(filepath.Join(b.home, "index"))
	if err != nil {
		return err
	}
	source, err := sizeOf(b.tree)
	if err != nil {
		return err
	}
	b.row("index and cache on disk, after the exit", "%.1f MB: %.2f times the tree's %.1f MB", float64(store)/1e6, float64(store)/float64(source), float64(source)/1e6)
	return nil
}

// sizeOf adds up the sizes of all files below a folder.
func sizeOf(dir string) (bytes int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			bytes += info.Size()
		}
		return err
	})
	return bytes, err
}

func isSource(path string) bool {
	switch filepath.Ext(path) {
	case ".go", ".py", ".ts", ".tsx", ".js", ".jsx", ".md", ".s", ".c", ".h", ".txt":
		return true
	}
	return false
}
