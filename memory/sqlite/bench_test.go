//go:build unix

package sqlite

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/memory"
)

// filled is a store in a file with n records, each used a few times.
func filled(b *testing.B, n int) (*Store, []string) {
	b.Helper()
	s := openAt(b, filepath.Join(b.TempDir(), "memory.db"), Options{})
	var ids []string
	err := s.write(b.Context(), func(tx tx) error {
		for i := range n {
			r, err := memory.Prepare(memory.Record{
				Content:   fmt.Sprintf("Decision %d: handler%d retries the %dth request with backoff because of timeout%d", i, i%97, i%13, i%7),
				SourceRef: fmt.Sprintf("pkg%d/file%d.go:%d", i%20, i%300, i),
			})
			if err != nil {
				return err
			}
			r, _, err = remember(b.Context(), tx, r)
			if err != nil {
				return err
			}
			ids = append(ids, r.ID)
			for range i % 5 {
				if err := recordUse(b.Context(), tx, pendingUse{r.ID, memory.Opened, 0.5, tx.now}); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	return s, ids
}

func BenchmarkSearch(b *testing.B) {
	s, _ := filled(b, 10_000)
	for name, q := range map[string]memory.Query{
		"words":      {Text: "handler42 timeout"},
		"everything": {Text: "decision request"},
		"refs":       {Refs: []string{"pkg1/file1.go", "code:pkg1/file1.go:F"}},
		"active":     {},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if hits, err := s.Search(b.Context(), q); err != nil || len(hits) == 0 {
					b.Fatal(len(hits), err)
				}
			}
		})
	}
}

func BenchmarkActivation(b *testing.B) {
	s, ids := filled(b, 1000)
	for b.Loop() {
		if _, err := s.Activation(b.Context(), ids); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRemember(b *testing.B) {
	s, _ := filled(b, 1000)
	i := 0
	for b.Loop() {
		mustRemember(b, s, fmt.Sprintf("new record number %d", i))
		i++
	}
}

func BenchmarkOpen(b *testing.B) {
	s, _ := filled(b, 10_000)
	path := s.path
	s.Close()
	for b.Loop() {
		openAt(b, path, Options{}).Close()
	}
}

// cpuTime is what the process has computed so far, which a busy machine does not change.
func cpuTime() time.Duration {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// BenchmarkRecall100k asks a store of 100,000 records; p95-ms is the time below which 19 of 20 answers came.
func BenchmarkRecall100k(b *testing.B) {
	s, ids := filled(b, 100_000)
	for name, q := range map[string]memory.Query{
		"rare":   {Text: "handler42 1047"},
		"usual":  {Text: "handler42 timeout3"},
		"common": {Text: "decision request backoff"},
		"filter": {Text: "handler42 timeout3", Tags: []string{"none"}, Metadata: memory.Metadata{Domain: "reliability"}},
		"refs":   {Refs: []string{"pkg1/file1.go", "code:pkg1/file1.go:F"}},
		"active": {},
		"spread": {Text: "handler42 1047", Active: ids[:3]},
	} {
		b.Run(name, func(b *testing.B) {
			if _, err := s.Search(b.Context(), q); err != nil { // reads what the file system has not cached
				b.Fatal(err)
			}
			var times []time.Duration
			before := cpuTime()
			for b.Loop() {
				start := time.Now()
				if hits, err := s.Search(b.Context(), q); err != nil || len(hits) == 0 && len(q.Tags) == 0 {
					b.Fatal(len(hits), err)
				}
				times = append(times, time.Since(start))
			}
			b.ReportMetric(float64((cpuTime()-before).Microseconds())/1000/float64(len(times)), "cpu-ms/op")
			slices.Sort(times)
			b.ReportMetric(float64(times[len(times)*95/100].Microseconds())/1000, "p95-ms")
		})
	}
}

func BenchmarkUse(b *testing.B) {
	s, ids := filled(b, 1000)
	i := 0
	for b.Loop() {
		if err := s.Use(b.Context(), ids[i%len(ids):i%len(ids)+1], memory.Opened, 0); err != nil {
			b.Fatal(err)
		}
		if i++; i%fullBatch == 0 {
			if err := s.uses.flush(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkMillionEvents opens a store with a million uses of 20,000 chunks of code.
func BenchmarkMillionEvents(b *testing.B) {
	path := filepath.Join(b.TempDir(), "memory.db")
	s := openAt(b, path, Options{})
	err := s.write(b.Context(), func(tx tx) error {
		_, err := tx.ExecContext(b.Context(), `INSERT INTO access_events (subject, action, weight, at_ms, active_ms)
			WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 999999)
			SELECT format('code:internal/package%d/file%d.go:Receiver.Method%d', i % 100, i % 1000, i % 20000), 'opened', 0.5,
				1700000000000 + i * 1000, i * 1000 FROM n`)
		if err != nil {
			return err
		}
		return rebuildUses(b.Context(), tx)
	})
	if err != nil {
		b.Fatal(err)
	}
	s.Close()
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		openAt(b, path, Options{}).Close()
	}
	b.ReportMetric(float64(info.Size())/1e6, "MB")
}

// BenchmarkOpen500k opens a store of 500,000 records, each used three times.
func BenchmarkOpen500k(b *testing.B) {
	path := filepath.Join(b.TempDir(), "memory.db")
	s := openAt(b, path, Options{})
	err := s.write(b.Context(), func(tx tx) error {
		_, err := tx.ExecContext(b.Context(), `INSERT INTO records (id, type, title, content, content_hash, created_at_ms, updated_at_ms)
				WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 499999)
				SELECT 'know:' || i, 'knowledge', 'decision ' || i, 'handler ' || (i % 97) || ' retries the request with backoff because of ' || i,
					'hash' || i, 1700000000000 + i * 1000, 1700000000000 + i * 1000 FROM n;
			INSERT INTO records_fts (rowid, title, content) SELECT seq, title, content FROM records;
			INSERT INTO access_events (subject, action, weight, at_ms)
				SELECT id, 'opened', 0.5, created_at_ms + column1 FROM records, (VALUES (1), (60000), (86400000))`)
		if err != nil {
			return err
		}
		return rebuildUses(b.Context(), tx)
	})
	if err != nil {
		b.Fatal(err)
	}
	s.Close()
	before, n := cpuTime(), 0
	for b.Loop() {
		openAt(b, path, Options{}).Close()
		n++
	}
	b.ReportMetric((cpuTime()-before).Seconds()*1000/float64(n), "cpu-ms/op")
}

// BenchmarkMigrate100k migrates a store of the first schema with 100,000 records and 300,000 uses.
func BenchmarkMigrate100k(b *testing.B) {
	first, err := migrations.ReadFile("migration/0001_records.sql")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		b.StopTimer()
		path := filepath.Join(b.TempDir(), "memory.db")
		db, err := sql.Open("sqlite", path)
		if err != nil {
			b.Fatal(err)
		}
		_, err = db.Exec(string(first) + `;
			CREATE TABLE migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at_ms INTEGER NOT NULL, applied_by TEXT NOT NULL);
			INSERT INTO migrations VALUES (1, '0001_records.sql', 0, '0.1');
			INSERT INTO records (id, type, title, content, content_hash, created_at_ms, updated_at_ms)
				WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 99999)
				SELECT 'know:' || i, 'knowledge', 'Decision ' || i, 'Handler ' || (i % 97) || ' retries the request with backoff because of ' || i,
					'hash' || i, i * 1000, i * 1000 FROM n;
			INSERT INTO access_events (subject, action, weight, at_ms)
				SELECT id, 'opened', 0.5, created_at_ms + column1 FROM records, (VALUES (1), (60000), (86400000));
			INSERT INTO activations SELECT subject, count(*), sum(weight), min(at_ms), max(at_ms) FROM access_events GROUP BY subject`)
		if err != nil {
			b.Fatal(err)
		}
		db.Close()
		before := cpuTime()
		b.StartTimer()
		openAt(b, path, Options{}).Close()
		b.ReportMetric((cpuTime() - before).Seconds(), "cpu-s")
	}
}

// BenchmarkTeamApply takes records of a team's server, so many in a transaction.
func BenchmarkTeamApply(b *testing.B) {
	const repository = "repo:example.org/a"
	for _, batch := range []int{5, 100} {
		b.Run(fmt.Sprint(batch), func(b *testing.B) {
			s := openAt(b, filepath.Join(b.TempDir(), "memory.db"), Options{})
			if err := s.SetTeamProperty(b.Context(), "replica", "r"); err != nil {
				b.Fatal(err)
			}
			if err := s.TeamRestart(b.Context(), repository, "e", "r"); err != nil {
				b.Fatal(err)
			}
			from := memory.TeamCursor{Epoch: "e"}
			var before, after syscall.Rusage
			_ = syscall.Getrusage(syscall.RUSAGE_SELF, &before)
			rows := 0
			for b.Loop() {
				list := make([]memory.TeamRow, batch)
				for i := range list {
					seq := from.Seq + int64(i) + 1
					r, _, err := memory.ParseTeamBody(fmt.Sprintf("know:r-%d", seq), repository, fmt.Appendf(nil, `{"title": "Decision %d", "importance": 1,
						"content": "Decision %d: retries of the gateway use jitter since the outage of line %d"}`, seq, seq, seq%97))
					if err != nil {
						b.Fatal(err)
					}
					list[i] = memory.TeamRow{ID: r.ID, Record: r, Version: 1, Seq: seq, Author: "alice", EditedBy: "alice", At: time.UnixMilli(seq)}
				}
				to := memory.TeamCursor{Epoch: "e", Seq: from.Seq + int64(batch)}
				if _, err := s.TeamApply(b.Context(), repository, "bob", list, from, to); err != nil {
					b.Fatal(err)
				}
				from, rows = to, rows+batch
			}
			_ = syscall.Getrusage(syscall.RUSAGE_SELF, &after)
			b.ReportMetric(float64(after.Utime.Nano()+after.Stime.Nano()-before.Utime.Nano()-before.Stime.Nano())/1e3/float64(rows), "cpu-µs/row")
		})
	}
}
