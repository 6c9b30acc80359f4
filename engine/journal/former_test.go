package journal

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine/budget"
	"github.com/aurora-sidecar/aurora/internal/atrest"
	"github.com/aurora-sidecar/aurora/memory/convlog"
	"github.com/aurora-sidecar/aurora/memory/sqlite"
)

// formerHome has what an earlier version kept: questions, some of them encrypted, an account of costs and a conversation.
func formerHome(t *testing.T, policy atrest.Policy) (Former, *convlog.Book) {
	t.Helper()
	home := t.TempDir()
	f := Former{HistoryDirs: []string{filepath.Join(home, "history")}, BudgetFiles: []string{filepath.Join(home, "budget_tracker.json")}, Policy: policy}
	if err := os.Mkdir(f.HistoryDirs[0], 0o700); err != nil {
		t.Fatal(err)
	}
	for n := range 3 {
		q := question(n, fmt.Sprintf("Question %d", n))
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		for _, line := range []any{q.Entry, q.Record} {
			if err := json.NewEncoder(z).Encode(line); err != nil {
				t.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		content, name := b.Bytes(), q.Entry.ID+suffix
		if policy.Enabled && n == 1 {
			sealed, err := policy.Seal(content)
			if err != nil {
				t.Fatal(err)
			}
			content, name = sealed, q.Entry.ID+sealedSuffix
		}
		if err := os.WriteFile(filepath.Join(f.HistoryDirs[0], name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	account := `{"period_start": "2026-11-01T00:00:00Z", "period_end": "2026-11-30T23:59:59Z", "limit_usd": 100, "consumed_usd": 12.5, "remaining_usd": 87.5,
		"query_count": 7, "last_updated": "2026-11-20T10:00:00Z", "history": [
		{"period_start": "2026-10-01T00:00:00Z", "period_end": "2026-10-31T23:59:59Z", "limit_usd": 50, "consumed_usd": 40, "query_count": 9},
		{"period_start": "2026-11-01T00:00:00Z", "period_end": "2026-11-30T23:59:59Z", "limit_usd": 100, "consumed_usd": 3, "query_count": 1}]}`
	if err := os.WriteFile(f.BudgetFiles[0], []byte(account), 0o600); err != nil {
		t.Fatal(err)
	}
	book := convlog.New(convlog.Options{Dir: filepath.Join(home, "logs")})
	if _, err := book.Write(*logEntry(1)); err != nil {
		t.Fatal(err)
	}
	return f, book
}

func keys(t *testing.T) *atrest.Keys {
	t.Helper()
	k, err := atrest.Generate()
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// TestTakeOver takes over what an earlier version kept, again and again, as if each process had ended before it could
// remove or rename a file.
func TestTakeOver(t *testing.T) {
	for name, policy := range map[string]atrest.Policy{"plain": {}, "encrypted": {Enabled: true, Keys: keys(t)}} {
		t.Run(name, func(t *testing.T) {
			f, book := formerHome(t, policy)
			account, err := os.ReadFile(f.BudgetFiles[0])
			if err != nil {
				t.Fatal(err)
			}
			copied := t.TempDir()
			if err := os.CopyFS(copied, os.DirFS(f.HistoryDirs[0])); err != nil {
				t.Fatal(err)
			}
			store := openStore(t, filepath.Join(t.TempDir(), "memory.db"))
			j := Open(store, Options{Logs: book})
			for range 3 {
				if err := j.TakeOver(t.Context(), f); err != nil {
					t.Fatal(err)
				}
				if left, _ := os.ReadDir(f.HistoryDirs[0]); len(left) > 0 {
					t.Errorf("%d files are left of the history", len(left))
				}
				if _, err := os.Stat(f.BudgetFiles[0]); !errors.Is(err, os.ErrNotExist) {
					t.Errorf("the account of costs: %v", err)
				}
				// What a process would leave that ended before the files went.
				if err := errors.Join(os.MkdirAll(f.HistoryDirs[0], 0o700), os.WriteFile(f.BudgetFiles[0], account, 0o600), copyInto(f.HistoryDirs[0], copied)); err != nil {
					t.Fatal(err)
				}
			}
			checkTakenOver(t, j)
			if ids, err := store.Unlogged(t.Context()); err != nil || len(ids) > 0 {
				t.Errorf("conversations would be written again: %q, %v", ids, err)
			}
		})
	}
}

func copyInto(dir, from string) error {
	files, err := os.ReadDir(from)
	for _, file := range files {
		content, readErr := os.ReadFile(filepath.Join(from, file.Name()))
		err = errors.Join(err, readErr, os.WriteFile(filepath.Join(dir, file.Name()), content, 0o600))
	}
	return err
}

func checkTakenOver(t *testing.T, j *Journal) {
	t.Helper()
	list, damaged, err := j.List(t.Context(), Filter{})
	if err != nil || damaged > 0 || len(list) != 3 || list[0].Question != "Question 2" {
		t.Fatalf("%+v, %d damaged, %v", list, damaged, err)
	}
	var r replayed
	if _, err := j.Load(t.Context(), idOf(1), &r); err != nil || r.Reply != "It is so." {
		t.Errorf("%+v, %v", r, err)
	}
	limits := budget.Limits{Enabled: true, SoftUSD: 100, HardUSD: 100, Period: "monthly"}
	tracker := budget.New(j.store, limits, func() time.Time { return time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC) })
	p, err := tracker.Status(t.Context())
	if err != nil || p.Consumed != 12.5 || p.Queries != 7 || p.Remaining != 87.5 {
		t.Errorf("the present period is %+v, %v", p, err)
	}
	past, err := tracker.History(t.Context(), time.Time{})
	if err != nil || len(past) != 3 || past[0].Consumed != 40 || past[0].Queries != 9 || past[0].LimitUSD != 50 || past[1].Consumed != 3 || past[2].Consumed != 12.5 {
		t.Errorf("the periods are %+v, %v", past, err)
	}
}

// TestLateTakeOver takes over an account when the journal has charges of the same periods, and once more what an earlier
// version spent since: all of it counts, once.
func TestLateTakeOver(t *testing.T) {
	f, _ := formerHome(t, atrest.Policy{})
	now := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	store, err := sqlite.OpenMemory(t.Context(), sqlite.Options{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	limits := budget.Limits{Enabled: true, SoftUSD: 100, HardUSD: 100, Period: "monthly"}
	tracker := budget.New(store, limits, func() time.Time { return now })
	spend := func(usd float64) {
		if err := tracker.Reserve(t.Context(), usd, false); err != nil {
			t.Fatal(err)
		}
	}
	takeOver := func() {
		if err := Open(store, Options{}).TakeOver(t.Context(), f); err != nil {
			t.Fatal(err)
		}
	}
	spend(2)
	takeOver()
	spend(1)
	// An earlier version runs once more, and a process that takes over ends before the journal is written.
	account := `{"period_start": "2026-11-01T00:00:00Z", "limit_usd": 100, "consumed_usd": 4, "query_count": 1}`
	if err := os.WriteFile(f.BudgetFiles[0]+".taking-over", []byte(account), 0o600); err != nil {
		t.Fatal(err)
	}
	takeOver()
	p, err := tracker.Status(t.Context())
	if err != nil || p.Consumed != 2+12.5+1+4 || p.Queries != 7+1 {
		t.Errorf("the present period is %+v, %v", p, err)
	}
	past, err := tracker.History(t.Context(), time.Time{})
	if err != nil || len(past) != 3 || past[0].Consumed != 40 || past[1].Consumed != 3 || past[2].Consumed != p.Consumed {
		t.Errorf("the periods are %+v, %v", past, err)
	}
}

func TestTakeOverLeavesWhatItCannotRead(t *testing.T) {
	f, book := formerHome(t, atrest.Policy{Enabled: true, Keys: keys(t)})
	f.Policy = atrest.Policy{Enabled: true, Keys: keys(t)}
	if err := os.WriteFile(filepath.Join(f.HistoryDirs[0], idOf(0)+suffix), []byte("\x1f\x8bnothing"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(f.BudgetFiles[0], []byte(`{"period_start": "2025-`), 0o600); err != nil {
		t.Fatal(err)
	}
	j := Open(openStore(t, filepath.Join(t.TempDir(), "memory.db")), Options{Logs: book})
	err := j.TakeOver(t.Context(), f)
	if err == nil || !strings.Contains(err.Error(), idOf(0)) || !strings.Contains(err.Error(), idOf(1)) {
		t.Errorf("%v", err)
	}
	if left, _ := os.ReadDir(f.HistoryDirs[0]); len(left) != 2 {
		t.Errorf("%d files are left", len(left))
	}
	if list, _, err := j.List(t.Context(), Filter{}); err != nil || len(list) != 1 {
		t.Errorf("%+v, %v", list, err)
	}
	if aside, _ := filepath.Glob(f.BudgetFiles[0] + ".damaged-*"); len(aside) != 1 {
		t.Errorf("the damaged account is at %q", aside)
	}
}
