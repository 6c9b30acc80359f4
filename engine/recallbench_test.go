package engine

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/embed"
	"github.com/aurora-sidecar/aurora/index/embed/sentence"
	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/sqlite"
)

// commentBlock is a comment of at least two lines before a declaration.
var commentBlock = regexp.MustCompile(`(?m)^(?:\s*// [^\n]*\n){2,}`)

// comments are so many comments of Go's own source at most, each another text.
func comments(b *testing.B, most int) (list []string) {
	b.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		b.Skip(err)
	}
	known := map[string]bool{}
	err = filepath.WalkDir(filepath.Join(strings.TrimSpace(string(root)), "src"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || len(list) == most {
			return err
		}
		content, err := os.ReadFile(path)
		for _, block := range commentBlock.FindAllString(string(content), -1) {
			text := strings.Join(strings.Fields(strings.ReplaceAll(block, "//", " ")), " ")
			if !known[text] && len(list) < most {
				known[text], list = true, append(list, text)
			}
		}
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return list
}

// rememberAll fills a store with texts, each with a random vector: how long a search takes does not depend on what they say.
func rememberAll(b *testing.B, store *sqlite.Store, texts []string) {
	b.Helper()
	var lines bytes.Buffer
	for i, text := range texts {
		at := time.Now().Add(-time.Duration(i) * time.Minute).UnixMilli()
		row := map[string]any{"type": "knowledge", "content": text, "importance": 1, "created_at_ms": at, "updated_at_ms": at}
		if err := json.NewEncoder(&lines).Encode(map[string]any{"table": "records", "row": row}); err != nil {
			b.Fatal(err)
		}
	}
	if _, err := store.Import(b.Context(), &lines); err != nil {
		b.Fatal(err)
	}
	model, err := sentence.Default()
	if err != nil {
		b.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 1))
	var vectors []memory.RecordVector
	_, err = store.Texts(b.Context(), memory.TextMark{}, func(t memory.RecordText) {
		vector := make([]int8, model.ID().Dimensions)
		for i := range vector {
			vector[i] = int8(min(127, max(-127, random.NormFloat64()*40)))
		}
		vectors = append(vectors, memory.RecordVector{Of: t, Vector: vector})
	})
	if err == nil {
		err = store.KeepVectors(b.Context(), model.ID().String(), vectors)
	}
	if err != nil {
		b.Fatal(err)
	}
}

// questions are those about decisions that the evaluation of recall asks.
func questions(b *testing.B) (list []string) {
	b.Helper()
	file, err := os.Open("../tools/eval/testdata/recall-independent.tsv")
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if fields := strings.Split(lines.Text(), "\t"); len(fields) > 1 {
			list = append(list, fields[len(fields)-1])
		}
	}
	return list
}

// BenchmarkRecall100k recalls by a question from 100,000 records, in an engine that is open.
func BenchmarkRecall100k(b *testing.B) {
	store, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "memory.db"), sqlite.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer store.Close()
	texts := comments(b, 100_000)
	rememberAll(b, store, texts)
	model, err := embed.Default()
	if err != nil {
		b.Fatal(err)
	}
	idx, err := index.Open(b.Context(), index.Options{Folders: []string{b.TempDir()}, NoWatch: true, Embedder: model})
	if err == nil {
		err = idx.WaitReady(b.Context())
	}
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = idx.Shutdown() }()
	e := New(Options{Index: idx, Memory: store})
	ask := func(question string) time.Duration {
		start := time.Now()
		r := SearchRequest{Query: question, AtLeast: 3, Scope: Scope{Types: []string{"knowledge", "reasoning"}}}
		if found, err := e.Search(context.Background(), r); err != nil || len(found.Hits) == 0 {
			b.Fatal(question, err)
		}
		return time.Since(start)
	}
	b.Logf("%d records, the first recall took %v", len(texts), ask("why is there a first question"))
	asked := questions(b)
	for _, again := range []string{"new", "again"} {
		b.Run(again, func(b *testing.B) {
			var times []time.Duration
			before := cpuTime()
			for b.Loop() {
				times = append(times, ask(asked[len(times)%len(asked)]))
			}
			b.ReportMetric((cpuTime()-before).Seconds()*1000/float64(len(times)), "cpu-ms/op")
			slices.Sort(times)
			b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(times[len(times)*95/100].Microseconds())/1000, "p95-ms")
		})
	}
}
