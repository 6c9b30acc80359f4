package diskfaults

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // memory is written and damaged without AURORA
)

// A change writes the whole of memory anew.
type change struct {
	prepare func(w *world) // a memory with notes for it
	command []string
}

var changes = map[string]change{
	"migration": {(*world).ofFirstSchema, []string{"mem", "export"}},
	"salvage":   {(*world).damage, []string{"mem", "export"}},
	"encrypt":   {(*world).current, []string{"mem", "encryption", "--enable", "--key-source", "env"}},
	"decrypt":   {(*world).encrypted, []string{"mem", "encryption", "--disable"}},
	"restore":   {(*world).current, []string{"mem", "restore-backup", "memory.db.bak-v1"}},
}

func (w *world) memoryFile() string { return filepath.Join(w.disk.path, "home", "memory.db") }

// ofFirstSchema makes a memory of 200 notes as the first AURORA wrote it.
func (w *world) ofFirstSchema() {
	w.Helper()
	script, err := os.ReadFile("../../memory/sqlite/migration/0001_records.sql")
	if err := errors.Join(err, os.MkdirAll(filepath.Dir(w.memoryFile()), 0o700)); err != nil {
		w.Fatal(err)
	}
	db, err := sql.Open("sqlite", w.memoryFile())
	if err != nil {
		w.Fatal(err)
	}
	_, err = db.Exec(string(script) + `;
		CREATE TABLE migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at_ms INTEGER NOT NULL, applied_by TEXT NOT NULL);
		INSERT INTO migrations VALUES (1, '0001_records.sql', 0, '0.1')`)
	w.acknowledged = nil
	for i := range 200 {
		note := fmt.Sprintf("parcelnote%d of the warehouse %s.", i, strings.Repeat("and its gate ", i%40))
		w.acknowledged = append(w.acknowledged, note)
		_, insertErr := db.Exec(`INSERT INTO records (id, type, title, content, tags, content_hash, created_at_ms, updated_at_ms) VALUES (?1, 'knowledge', '', ?2, '[]', ?1, 1, 1)`, fmt.Sprintf("know:%d", i), note)
		err = errors.Join(err, insertErr)
	}
	if err = errors.Join(err, db.Close()); err != nil {
		w.Fatal(err)
	}
}

// current is ofFirstSchema, migrated, so that a backup lies beside it.
func (w *world) current() {
	w.Helper()
	w.ofFirstSchema()
	w.mustKeep("migrated")
}

func (w *world) encrypted() {
	w.Helper()
	w.current()
	if o := w.run("mem", "encryption", "--enable", "--key-source", "env"); o.code != 0 {
		w.Fatal(o)
	}
}

// damage loses the page that the table of records begins with; all records lie on other pages. There is no backup.
func (w *world) damage() {
	w.Helper()
	w.current()
	db, err := sql.Open("sqlite", w.memoryFile())
	if err != nil {
		w.Fatal(err)
	}
	var root, size int64
	_, err = db.Exec(`PRAGMA wal_checkpoint(TRUNCATE)`)
	err = errors.Join(err, db.QueryRow(`SELECT rootpage, (SELECT page_size FROM pragma_page_size()) FROM sqlite_schema WHERE name = 'records'`).Scan(&root, &size), db.Close())
	if err != nil {
		w.Fatal(err)
	}
	f, err := os.OpenFile(w.memoryFile(), os.O_WRONLY, 0)
	if err != nil {
		w.Fatal(err)
	}
	_, err = f.WriteAt(make([]byte, size), (root-1)*size)
	if err = errors.Join(err, f.Close(), os.Remove(w.memoryFile()+".bak-v1")); err != nil {
		w.Fatal(err)
	}
}

// mustKeep asserts that memory can be read, and holds every note.
func (w *world) mustKeep(when string) {
	w.Helper()
	o := w.run("mem", "export")
	lost := 0
	for _, note := range w.acknowledged {
		if !strings.Contains(o.out, note) {
			lost++
		}
	}
	if o.code != 0 || lost > 0 {
		w.Errorf("%s: %d of %d notes are lost: exit %d: %s", when, lost, len(w.acknowledged), o.code, o.err)
	}
}

// copyFolder copies a folder of files and folders.
func copyFolder(t *testing.T, from, to string) {
	t.Helper()
	if err := errors.Join(os.RemoveAll(to), os.CopyFS(to, os.DirFS(from))); err != nil {
		t.Fatal(err)
	}
}

// TestChangesOfMemoryOnAFailingDisk has operations fail at moments from the beginning of a change to its end. When the disk works again, the
// same command ends it, and no note is lost.
func TestChangesOfMemoryOnAFailingDisk(t *testing.T) {
	for name, change := range changes {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			key := w.run("mem", "encryption", "--new-key")
			t.Setenv("AURORA_MEMORY_KEY", strings.TrimSpace(key.out))
			change.prepare(w)
			home, before := filepath.Join(w.disk.path, "home"), filepath.Join(t.TempDir(), "before")
			copyFolder(t, home, before)
			if o := w.run(change.command...); o.code != 0 {
				t.Fatalf("on a disk that works: %v", o)
			}
			w.mustKeep("on a disk that works")
			if aside, err := filepath.Glob(w.memoryFile() + ".damaged*"); err != nil || (len(aside) > 0) != (name == "salvage") {
				t.Fatalf("moved aside: %v, %v", aside, err)
			}
			for operation, most := range map[uint32]int64{failReads: 60, failWrites: 200, failSyncs: 12, failNames: 12} {
				moments := 0
				for first := int64(0); first < most; first += 1 + first/2 {
					copyFolder(t, before, home)
					w.disk.failSome("memory.db", operation, first, 2) // the kernel tries a read twice
					o := w.run(change.command...)
					hit := w.disk.works()
					when := fmt.Sprintf("fault %04b after %d operations (exit %d)", operation, first, o.code)
					if hit == 0 {
						break // the change was over before
					}
					moments++
					if o.code != 0 && !strings.Contains(o.out+o.err, "rror") {
						t.Errorf("%s: nothing says what is wrong: %v", when, o)
					}
					if o := w.run(change.command...); o.code != 0 && !strings.Contains(o.err, "already") {
						t.Errorf("%s: again: %v", when, o)
					}
					w.mustKeep(when)
				}
				t.Logf("fault %04b at %d moments", operation, moments)
			}
		})
	}
}
