package journal

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine/reason/soar"
)

func record(n int, question string) Record {
	return Record{
		Entry:  Entry{ID: fmt.Sprintf("aurora-20261121-1015%02d-abc%03d", n%60, n), Question: question, Asked: time.Unix(int64(n), 0).UTC()},
		Answer: "It is so.", Request: soar.Request{Query: question},
		Recording: &soar.Recording{Calls: []soar.Call{{Purpose: "direct", Prompt: "00", Reply: "It is so."}}, Lookups: []soar.Lookup{{Question: question, Limit: 10}}},
	}
}

func TestSaveAndLoad(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "history")
	s := Open(dir, 3)
	if list, damaged, err := s.List(context.Background(), Filter{}); err != nil || len(list) != 0 || damaged != 0 {
		t.Fatalf("an empty history: %v, %d, %v", list, damaged, err)
	}
	for n := range 5 {
		if err := s.Save(record(n, fmt.Sprintf("Question %d about Caches", n))); err != nil {
			t.Fatal(err)
		}
	}
	list, _, err := s.List(context.Background(), Filter{})
	if err != nil || len(list) != 3 || list[0].Question != "Question 4 about Caches" || list[2].Question != "Question 2 about Caches" {
		t.Fatalf("%+v, %v", list, err)
	}
	if list, _, _ := s.List(context.Background(), Filter{Search: "caches 3"}); len(list) != 1 || list[0].ID != "aurora-20261121-101503-abc003" {
		t.Errorf("searched: %+v", list)
	}
	for _, id := range []string{"aurora-20261121-101504-abc004", "abc004", "last"} {
		r, err := s.Load(id)
		if err != nil || r.Question != "Question 4 about Caches" || r.Recording.Calls[0].Reply != "It is so." {
			t.Errorf("%s: %+v, %v", id, r, err)
		}
	}
	for _, id := range []string{"", "004", "../../etc/passwd", "aurora-20261121-101500-abc000", "aurora-1-2-3/../x"} {
		if _, err := s.Load(id); !errors.Is(err, ErrNotFound) {
			t.Errorf("%q: %v", id, err)
		}
	}
	info, err := os.Stat(filepath.Join(dir, "aurora-20261121-101504-abc004.json.gz"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if err := s.Save(Record{Entry: Entry{ID: "../x"}}); err == nil {
		t.Error("saved under a path")
	}
}

func TestDamagedRecords(t *testing.T) {
	s := Open(t.TempDir(), 0)
	for n := range 3 {
		if err := s.Save(record(n, "x")); err != nil {
			t.Fatal(err)
		}
	}
	for n, content := range map[int]string{0: "", 1: "\x1f\x8bnothing"} {
		if err := os.WriteFile(filepath.Join(s.dir, record(n, "").ID+suffix), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	list, damaged, err := s.List(context.Background(), Filter{})
	if err != nil || len(list) != 1 || damaged != 2 {
		t.Errorf("%d entries, %d damaged, %v", len(list), damaged, err)
	}
	if _, err := s.Load(record(1, "").ID); !errors.Is(err, ErrDamaged) {
		t.Errorf("%v", err)
	}
}

func TestSecretsAreNotKept(t *testing.T) {
	const key = "AKIA" + "IOSFODNN7EXAMPLQ"
	r := record(1, "what is "+key)
	r.Recording.Calls[0].Reply, r.Recording.Lookups[0].Sources = "it is "+key, []soar.Source{{Key: "a", Text: "key = " + key}}
	s := Open(t.TempDir(), 0)
	if err := s.Save(r); err != nil {
		t.Fatal(err)
	}
	got, err := s.Load(r.ID)
	if err != nil || strings.Contains(fmt.Sprintf("%+v %+v %+v", got, got.Recording.Calls, got.Recording.Lookups), key) {
		t.Errorf("%+v, %v", got, err)
	}
	if r.Recording.Calls[0].Reply != "it is "+key {
		t.Error("saving changed the record")
	}
}

// BenchmarkSave is what a question of 40 calls with long replies costs.
func BenchmarkSave(b *testing.B) {
	r := record(1, "Design a cache")
	text := strings.Repeat("func Checkout(items []string) int { return total(items) } // pays for everything\n", 30)
	for n := range 40 {
		r.Recording.Calls = append(r.Recording.Calls, soar.Call{Purpose: "solve", Prompt: fmt.Sprintf("%064d", n), Reply: text})
		r.Recording.Lookups = append(r.Recording.Lookups, soar.Lookup{Question: text[:80], Limit: 6, Sources: []soar.Source{{Key: "a", Text: text}}})
	}
	s := Open(b.TempDir(), 0)
	for b.Loop() {
		if err := s.Save(r); err != nil {
			b.Fatal(err)
		}
	}
}

func TestSeveralWriters(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	for w := range 4 {
		s := Open(dir, 10)
		wg.Go(func() {
			for n := range 20 {
				if err := s.Save(record(w*20+n, "x")); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if list, damaged, err := Open(dir, 10).List(context.Background(), Filter{Limit: 100}); err != nil || damaged > 0 || len(list) < 10 || len(list) > 13 {
		t.Errorf("%d entries, %d damaged, %v", len(list), damaged, err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".new-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
