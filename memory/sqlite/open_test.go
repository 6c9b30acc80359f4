package sqlite

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/aurora-sidecar/aurora/memory"
)

func TestMigrations(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	s := create(t, path, Options{Version: "1.2"})
	mustRemember(t, s, "kept")
	if _, err := os.Stat(path + ".bak-v0"); err == nil {
		t.Error("an empty store was backed up")
	}
	all, err := readMigrations(migrations)
	if err != nil {
		t.Fatal(err)
	}
	files, last := fstest.MapFS{}, len(all)
	for _, m := range all {
		files["migration/"+m.name] = &fstest.MapFile{Data: []byte(m.script)}
	}
	next := fmt.Sprintf("%04d_more.sql", last+1)
	files["migration/"+next] = &fstest.MapFile{Data: []byte(`ALTER TABLE records ADD COLUMN more TEXT; SELECT broken`)}
	if err := migrate(t.Context(), s.database, files); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("schema %d: %s", last+1, next)) {
		t.Fatalf("broken migration: %v", err)
	}
	if version, by, err := schemaOf(t.Context(), s.database); version != last || by != "1.2" || err != nil {
		t.Errorf("after a broken migration: schema %d by %s, %v", version, by, err)
	}
	mustRemember(t, s, "kept too")
	files["migration/"+next].Data = []byte(`ALTER TABLE records ADD COLUMN more TEXT`)
	for range 2 { // the second time there is nothing to do
		if err := migrate(t.Context(), s.database, files); err != nil {
			t.Fatal(err)
		}
	}
	if got := found(t, s, "kept"); len(got) != 2 {
		t.Errorf("after migrating: %q", got)
	}
	backup := fmt.Sprintf("%s.bak-v%d", path, last)
	if got := found(t, openAt(t, backup, Options{}), "kept"); len(got) != 2 {
		t.Errorf("in the backup: %q", got)
	}
	if info, err := os.Stat(backup); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("backup: %v, %v", info.Mode(), err)
	}
}

// A store of the first schema, with uses over a weekend, keeps all of it.
func TestMigrationFromSchema1(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	first, err := migrations.ReadFile("migration/0001_records.sql")
	if err != nil {
		t.Fatal(err)
	}
	friday := time.Date(2026, 2, 27, 17, 0, 0, 0, time.UTC).UnixMilli()
	const minute, day = 60_000, 86_400_000
	_, err = db.Exec(string(first)+`;
		CREATE TABLE migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at_ms INTEGER NOT NULL, applied_by TEXT NOT NULL);
		INSERT INTO migrations VALUES (1, '0001_records.sql', 0, '0.1');
		INSERT INTO records (id, type, title, content, tags, content_hash, created_at_ms, updated_at_ms)
			VALUES ('know:old', 'knowledge', 'Old', 'Old wisdom', '["db"]', 'hash', ?1, ?1);
		INSERT INTO access_events (subject, action, weight, at_ms) VALUES
			('know:old', 'created', 1, ?1), ('know:old', 'opened', 0.5, ?2), ('code:a.go:F', 'edited', 1, ?3);
		INSERT INTO activations VALUES ('know:old', 2, 1.5, ?1, ?2), ('code:a.go:F', 1, 1, ?3, ?3)`,
		friday, friday+5*minute, friday+3*day)
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	c := newClock()
	c.now = time.UnixMilli(friday + 3*day + minute)
	s := openAt(t, path, Options{Now: c.Now, ActivityTime: true})
	hit, err := s.Get(t.Context(), "know:old")
	if err != nil || hit.AccessCount != 2 || hit.Parts.Decay <= 0 || hit.Tags[0] != "db" || hit.Pattern || hit.SuccessScore != nil {
		t.Errorf("%+v, %v", hit, err)
	}
	if got := found(t, s, "wisdom"); len(got) != 1 {
		t.Errorf("found %q", got)
	}
	// Of the weekend 15 minutes count: 21 minutes and 16 minutes ago.
	want := math.Log(1/math.Sqrt(21*60) + 0.5/math.Sqrt(16*60))
	if math.Abs(hit.Parts.BaseLevel-want) > 1e-9 {
		t.Errorf("base level in activity time %v, want %v", hit.Parts.BaseLevel, want)
	}
	if _, err := os.Stat(path + ".bak-v1"); err != nil {
		t.Errorf("no backup: %v", err)
	}
}

func TestMigrationNumbers(t *testing.T) {
	for _, names := range [][]string{{"0002_a.sql"}, {"0001_a.sql", "0001_b.sql"}, {"one.sql"}} {
		files := fstest.MapFS{}
		for _, name := range names {
			files["migration/"+name] = &fstest.MapFile{}
		}
		if _, err := readMigrations(files); err == nil {
			t.Errorf("%q gave no error", names)
		}
	}
}

func TestStoreFromTheFutureIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	s := openAt(t, path, Options{})
	mustRemember(t, s, "from the future")
	if _, err := s.db.Exec(`INSERT INTO migrations VALUES (99, '0099_x.sql', 0, '9.1')`); err != nil {
		t.Fatal(err)
	}
	s.Close()
	_, err := Open(t.Context(), path, Options{})
	var future *FutureError
	if !errors.As(err, &future) || future.Schema != 99 || !strings.Contains(err.Error(), "AURORA 9.1") {
		t.Fatalf("error %v", err)
	}
	s = OpenOrMemory(t.Context(), path, Options{})
	defer s.Close()
	if got := found(t, s, "future"); len(got) != 1 || !strings.Contains(s.Warning(), "Update AURORA") {
		t.Errorf("found %q, warning %s", got, s.Warning())
	}
}

func TestOtherPrograms(t *testing.T) {
	path := filepath.Join(t.TempDir(), "theirs.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(`CREATE TABLE theirs (x)`); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), path, Options{}); err == nil || !strings.Contains(err.Error(), "another program") {
		t.Errorf("error %v", err)
	}
	var tables int
	if err := db.QueryRow(`SELECT count(*) FROM sqlite_schema`).Scan(&tables); err != nil || tables != 1 {
		t.Errorf("their database has %d tables, %v", tables, err)
	}
}

func TestDamagedFiles(t *testing.T) {
	const records = 200
	path := filepath.Join(t.TempDir(), "memory.db")
	s := openAt(t, path, Options{})
	err := s.write(t.Context(), func(tx tx) error {
		for i := range records {
			r, err := memory.Prepare(memory.Record{Content: strings.Repeat("word ", 40) + string(rune('a'+i%26)) + strings.Repeat("x", i)})
			if err != nil {
				return err
			}
			if _, _, err := remember(t.Context(), tx, r); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		damage func([]byte) []byte
		atMost int // records lost
	}{
		"a broken page": {func(b []byte) []byte {
			page := len(b) / 4096 / 2 * 4096
			copy(b[page:page+4096], bytes.Repeat([]byte("garbage!"), 512))
			return b
		}, 40},
		"cut off":        {func(b []byte) []byte { return b[:len(b)*2/3] }, records},
		"another header": {func(b []byte) []byte { copy(b, "not a database at all"); return b }, records},
		"text":           {func([]byte) []byte { return []byte(strings.Repeat("notes of mine\n", 1000)) }, records},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "memory.db")
			damaged := test.damage(slices.Clone(content))
			if err := os.WriteFile(path, damaged, 0o600); err != nil {
				t.Fatal(err)
			}

			s := openAt(t, path, Options{Now: newClock().Now})
			if got := len(found(t, s, "word")); got < records-test.atMost {
				t.Errorf("%d of %d records were saved", got, records)
			}
			aside := path + ".damaged-20260301-120000"
			if !strings.Contains(s.Warning(), aside) {
				t.Errorf("warning %q", s.Warning())
			}
			if kept, err := os.ReadFile(aside); err != nil || !bytes.Equal(kept, damaged) {
				t.Errorf("the damaged file was not kept as it was: %v", err)
			}
			mustRemember(t, s, "life goes on")
			s.Close()
			s = openAt(t, path, Options{})
			if got := found(t, s, "life"); len(got) != 1 || s.Warning() != "" {
				t.Errorf("opened again: found %q, warning %q", got, s.Warning())
			}
		})
	}
}

func TestCrashAfterSalvage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	s := openAt(t, path, Options{})
	mustRemember(t, s, "salvaged")
	s.Close()
	// As if the process had ended between moving the damaged file aside and putting the new one in its place.
	if err := os.Rename(path, replacement(path)); err != nil {
		t.Fatal(err)
	}
	if got := found(t, openAt(t, path, Options{}), "salvaged"); len(got) != 1 {
		t.Errorf("found %q", got)
	}
}

func TestManyOpenAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	var group sync.WaitGroup
	for range 6 {
		group.Go(func() {
			s, err := Open(t.Context(), path, Options{})
			if err != nil {
				t.Error(err)
				return
			}
			defer s.Close()
			if _, _, err := s.Remember(t.Context(), memory.Record{Content: "the same for all"}); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if got := found(t, openAt(t, path, Options{}), "same"); len(got) != 1 {
		t.Errorf("found %q", got)
	}
}

func TestFallsBackToMemory(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, path := range map[string]string{"below a file": filepath.Join(file, "memory.db"), "a folder": t.TempDir(), "empty": ""} {
		t.Run(name, func(t *testing.T) {
			if _, err := Open(t.Context(), path, Options{}); err == nil {
				t.Fatal("Open gave no error")
			}
			s := OpenOrMemory(t.Context(), path, Options{})
			defer s.Close()
			mustRemember(t, s, "for now")
			if got := found(t, s, "now"); len(got) != 1 {
				t.Errorf("found %q", got)
			}
			if w := s.Warning(); !strings.HasPrefix(w, "Memory is kept only until AURORA exits") || !strings.Contains(w, "memory.database_path") {
				t.Errorf("warning %q", w)
			}
		})
	}
}

func TestFullDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	s := openAt(t, path, Options{})
	mustRemember(t, s, "before the disk was full")
	// SQLite's own limit fails the way a full disk does.
	s.db.SetMaxOpenConns(1)
	limit := func(pages string) {
		if _, err := s.db.Exec(`PRAGMA max_page_count = ` + pages); err != nil {
			t.Fatal(err)
		}
	}
	limit("1")
	large := memory.Record{Content: strings.Repeat("large ", 100_000)}
	if _, _, err := s.Remember(t.Context(), large); err == nil {
		t.Fatal("a full disk gave no error")
	}
	if !strings.Contains(s.Warning(), "free some disk space") {
		t.Errorf("warning %q", s.Warning())
	}
	if got := found(t, s, "before large"); len(got) != 1 {
		t.Errorf("found %d records", len(got))
	}
	limit("1000000")
	if _, _, err := s.Remember(t.Context(), large); err != nil || s.Warning() != "" {
		t.Errorf("with space again: %v, warning %q", err, s.Warning())
	}
}

func TestUnusableStoreFailsPolitely(t *testing.T) {
	s := unusable(Options{}, errors.New("no luck"))
	if _, _, err := s.Remember(t.Context(), memory.Record{Content: "x"}); err == nil || !strings.Contains(s.Warning(), "no luck") {
		t.Errorf("error %v, warning %q", err, s.Warning())
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
