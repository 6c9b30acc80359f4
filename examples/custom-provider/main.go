// Command custom-provider embeds AURORA in a Go program and adds what only that program knows: here, which code no test
// runs, from a coverage profile. Searches then rank code that is not tested higher, and find it where no word matches.
//
//	go test -coverprofile cover.out ./...
//	go run ./examples/custom-provider -profile cover.out "what is not tested in the parser"
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/index"
)

// untested proposes the code that a coverage profile counts no run of.
type untested struct{ blocks []block }

// A block is some lines that no test ran.
type block struct {
	path       string // absolute
	line       int    // one-based
	statements int
}

// ID is the provider's name in notes and statistics.
func (untested) ID() string { return "untested" }

// Propose returns the untested code when the query is about tests. The more statements, the surer.
func (u untested) Propose(_ context.Context, query string) ([]engine.Proposal, error) {
	if !strings.Contains(strings.ToLower(query), "test") {
		return nil, nil
	}
	proposals := make([]engine.Proposal, 0, len(u.blocks))
	for _, b := range u.blocks {
		proposals = append(proposals, engine.Proposal{Path: b.path, Line: b.line, Score: min(1, 0.6+0.05*float64(b.statements))})
	}
	return proposals, nil
}

// readProfile reads a profile of go test -coverprofile. module is the path of the module in dir.
func readProfile(name, module, dir string) (untested, error) {
	f, err := os.Open(name)
	if err != nil {
		return untested{}, err
	}
	defer f.Close() //nolint:errcheck // read only
	var u untested
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		if n == 1 && strings.HasPrefix(lines.Text(), "mode:") {
			continue
		}
		// module/path.go:line.column,line.column statements count
		where, counts, ok := strings.Cut(lines.Text(), " ")
		colon := strings.LastIndexByte(where, ':')
		statements, runs, ok2 := strings.Cut(counts, " ")
		if !ok || !ok2 || colon < 0 {
			return untested{}, fmt.Errorf("%s:%d: this is no line of a coverage profile", name, n)
		}
		start, _, _ := strings.Cut(where[colon+1:], ".")
		line, err := strconv.Atoi(start)
		if err != nil {
			return untested{}, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		size, err := strconv.Atoi(statements)
		if err != nil {
			return untested{}, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		if path, inside := strings.CutPrefix(where[:colon], module+"/"); inside && runs == "0" {
			u.blocks = append(u.blocks, block{filepath.Join(dir, filepath.FromSlash(path)), line, size})
		}
	}
	return u, lines.Err()
}

// moduleOf is the path of the module whose go.mod lies in dir.
func moduleOf(dir string) (string, error) {
	src, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(src)) {
		if name, ok := strings.CutPrefix(line, "module "); ok {
			return strings.TrimSpace(name), nil
		}
	}
	return "", fmt.Errorf("%s names no module", filepath.Join(dir, "go.mod"))
}

func run(ctx context.Context, profile, query string) error {
	dir, err := filepath.Abs(".")
	if err != nil {
		return err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return err
	}
	module, err := moduleOf(dir)
	if err != nil {
		return err
	}
	provider, err := readProfile(profile, module, dir)
	if err != nil {
		return err
	}
	// Nothing is kept on disk and nothing is watched: a program that stays would set StoreDir and leave NoWatch out.
	ix, err := index.Open(ctx, index.Options{Folders: []string{dir}, NoWatch: true})
	if err != nil {
		return err
	}
	defer ix.Shutdown() //nolint:errcheck // nothing was written
	if err := ix.WaitReady(ctx); err != nil {
		return err
	}
	e := engine.New(engine.Options{
		Index: ix,
		SearchOptions: engine.SearchOptions{
			Context: []engine.ContextProvider{provider},
			// Left out, it would be on with a weight of 0.3. With 0.9 what it is sure of stands above matches by words.
			Providers: map[string]engine.ProviderSettings{provider.ID(): {Enabled: true, Weight: 0.9, Timeout: time.Second}},
		},
	})
	defer e.Close() //nolint:errcheck // as above
	result, err := e.Search(ctx, engine.SearchRequest{Query: query, Limit: 10})
	if err != nil {
		return err
	}
	for _, hit := range result.Hits {
		fmt.Printf("%s:%d %s\n", hit.Path, hit.Range.Start.Line+1, hit.Name)
	}
	for _, note := range result.Notes {
		fmt.Println("Note:", note)
	}
	return nil
}

func main() {
	profile := flag.String("profile", "cover.out", "what go test -coverprofile wrote")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *profile, strings.Join(flag.Args(), " ")); err != nil {
		stop()
		fmt.Fprintln(os.Stderr, "custom-provider:", err)
		os.Exit(1)
	}
}
