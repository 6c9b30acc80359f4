// Command aurora-bench measures the sidecar as its users meet it: it starts `aurora serve` on a source tree, talks
// to it like an editor, and prints a table.
//
//	aurora-bench [-aurora bin/aurora] [-dir GOROOT/src] [-json]
//
// Every figure is wall time between a message that is written and the answer that is read, so it includes the
// pipes, the encoding and the search. Nothing is written into the tree: the tree that is edited is a copy.
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
	share := machineShare()
	b := &bench{aurora: aurora, tree: tree, home: filepath.Join(tmp, "home"), lines: lines}
	for _, step := range []func() error{b.cold, b.searches, b.hovers, b.keystrokes, b.saves, b.memory, b.stop, b.warm} {
		if err := step(); err != nil {
			b.print()
			return err
		}
	}
	b.row("share of the processors that this machine gave, before and after", "%.0f %%, %.0f %%", 100*share, 100*machineShare())
	b.print()
	return nil
}

// machineShare keeps all cores busy for two seconds and returns how much of that time was really to be had: less than
// 1 on a machine that has something else to do, or that shares its cores with others.
func machineShare() float64 {
	const spell = 2 * time.Second
	begin := time.Now()
	sums := make(chan float64)
	for range runtime.NumCPU() {
		go func() {
			runtime.LockOSThread()
			got := threadTime()
			for time.Since(begin) < spell {
			}
			sums <- (threadTime() - got).Seconds()
		}()
	}
	var got float64
	for range runtime.NumCPU() {
		got += <-sums
	}
	return got / spell.Seconds() / float64(runtime.NumCPU())
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

func isSource(path string) bool {
	switch filepath.Ext(path) {
	case ".go", ".py", ".ts", ".tsx", ".js", ".jsx", ".md", ".s", ".c", ".h", ".txt":
		return true
	}
	return false
}
