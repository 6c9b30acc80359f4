package cryptvfs

import (
	"bytes"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite"

	"github.com/aurora-sidecar/aurora/internal/atrest"
)

func newKeys(t testing.TB) *atrest.Keys {
	t.Helper()
	k, err := atrest.Generate()
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// connect opens an encrypted database, which it makes when there is none.
func connect(t testing.TB, path string, keys *atrest.Keys, parameters ...string) *sql.DB {
	t.Helper()
	if state, err := Inspect(path); err != nil {
		t.Fatal(err)
	} else if state == Missing {
		if err := Create(path, keys); err != nil {
			t.Fatal(err)
		}
	}
	u, err := Unlock(path, keys)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(u.Lock)
	parameters = append(u.Parameters(), append(parameters, "_pragma=synchronous(OFF)")...)
	db, err := sql.Open("sqlite", "file:"+path+"?"+strings.Join(parameters, "&"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func do(t testing.TB, db *sql.DB, statement string, args ...any) {
	t.Helper()
	if _, err := db.Exec(statement, args...); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

func one[T any](t testing.TB, db *sql.DB, query string, args ...any) (v T) {
	t.Helper()
	if err := db.QueryRow(query, args...).Scan(&v); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return v
}

const needle = "the-secret-that-nobody-may-read"

// noText fails when a file in the folder shows the text.
func noText(t *testing.T, folder string) (files int) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		content, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(content, []byte(needle)) || bytes.Contains(content, []byte("CREATE TABLE")) {
			t.Errorf("%s can be read", e.Name())
		}
		files++
	}
	return files
}

func TestEverythingIsEncrypted(t *testing.T) {
	for _, mode := range []string{"WAL", "DELETE", "TRUNCATE", "PERSIST"} {
		t.Run(mode, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.db")
			keys := newKeys(t)
			db := connect(t, path, keys, "_pragma=journal_mode("+mode+")")
			db.SetMaxOpenConns(1)
			if got := one[string](t, db, `PRAGMA journal_mode`); !strings.EqualFold(got, mode) {
				t.Fatalf("journal mode %s", got)
			}
			do(t, db, `CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT)`)
			do(t, db, `CREATE VIRTUAL TABLE f USING fts5(text)`)
			for i := range 300 {
				do(t, db, `INSERT INTO t (text) VALUES (?)`, strings.Repeat(needle, 1+i%100))
				do(t, db, `INSERT INTO f (text) VALUES (?)`, fmt.Sprint(needle, " item", i))
			}
			if n := noText(t, filepath.Dir(path)); mode == "WAL" && n != 3 {
				t.Errorf("%d files beside each other, not database, log and shared memory", n)
			}
			// Half of a transaction that is rolled back has been in a journal.
			tx, err := db.Begin()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := tx.Exec(`UPDATE t SET text = text || 'x'`); err != nil {
				t.Fatal(err)
			}
			noText(t, filepath.Dir(path))
			if err := tx.Rollback(); err != nil {
				t.Fatal(err)
			}
			do(t, db, `VACUUM`)
			db.Close()

			db = connect(t, path, keys)
			if n := one[int](t, db, `SELECT count(*) FROM f WHERE f MATCH 'item77'`); n != 1 {
				t.Errorf("%d rows have the word", n)
			}
			if got := one[string](t, db, `SELECT text FROM t WHERE id = 50`); got != strings.Repeat(needle, 50) {
				t.Errorf("row 50 is %q", got)
			}
			if got := one[string](t, db, `PRAGMA integrity_check`); got != "ok" {
				t.Error(got)
			}
			db.Close()
			noText(t, filepath.Dir(path))
		})
	}
}

// What SQLite makes of the same statements must be the same, byte by byte, with and without encryption.
func TestSameAsPlain(t *testing.T) {
	folder := t.TempDir()
	keys := newKeys(t)
	sealed := connect(t, filepath.Join(folder, "sealed.db"), keys, "_pragma=journal_mode(WAL)")
	plain, err := sql.Open("sqlite", "file:"+filepath.Join(folder, "plain.db")+"?_pragma=journal_mode(WAL)&_pragma=synchronous(OFF)")
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	for _, db := range []*sql.DB{sealed, plain} {
		db.SetMaxOpenConns(1)
		random := rand.New(rand.NewPCG(1, 2))
		do(t, db, `CREATE TABLE t (id INTEGER PRIMARY KEY, v BLOB)`)
		do(t, db, `CREATE INDEX i ON t (v)`)
		for range 400 {
			switch random.IntN(5) {
			case 0:
				do(t, db, `DELETE FROM t WHERE id % 7 = ?`, random.IntN(7))
			case 1:
				do(t, db, `UPDATE t SET v = zeroblob(?) WHERE id % 5 = ?`, random.IntN(9000), random.IntN(5))
			default:
				do(t, db, `INSERT INTO t (v) VALUES (zeroblob(?))`, random.IntN(20000))
			}
		}
		do(t, db, `PRAGMA wal_checkpoint(TRUNCATE)`)
		do(t, db, `PRAGMA incremental_vacuum`)
		do(t, db, `VACUUM`)
		do(t, db, `PRAGMA wal_checkpoint(TRUNCATE)`)
		db.Close()
	}
	want, err := os.ReadFile(filepath.Join(folder, "plain.db"))
	if err != nil {
		t.Fatal(err)
	}
	u, err := Unlock(filepath.Join(folder, "sealed.db"), keys)
	if err != nil {
		t.Fatal(err)
	}
	defer u.Lock()
	file, err := os.Open(filepath.Join(folder, "sealed.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var got bytes.Buffer
	buf, plainPage := make([]byte, 4096+overhead), make([]byte, 4096)
	for off := int64(0); off < int64(len(want)); off += 4096 {
		place := pages{4096}.at(off)
		if _, err := file.ReadAt(buf, place.physical); err != nil {
			t.Fatal(err)
		}
		if !unseal(u.main, plainPage, buf, place.index) {
			t.Fatalf("page %d", place.index)
		}
		got.Write(plainPage)
	}
	if !bytes.Equal(got.Bytes(), want) {
		t.Errorf("they differ: %d and %d bytes", got.Len(), len(want))
	}
}

func TestKeys(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	keys, other := newKeys(t), newKeys(t)
	db := connect(t, path, keys, "_pragma=journal_mode(WAL)")
	do(t, db, `CREATE TABLE t (text TEXT)`)
	db.Close()
	before := digest(t, path)
	for _, c := range []struct {
		keys *atrest.Keys
		want error
	}{{nil, atrest.ErrNoKey}, {other, atrest.ErrWrongKey}, {keys, nil}, {other.With(keys), nil}} {
		u, err := Unlock(path, c.keys)
		if !errors.Is(err, c.want) {
			t.Errorf("with %v: %v, not %v", c.keys, err, c.want)
		}
		if u != nil {
			if want := c.keys.Count() == 1; u.Current() != want {
				t.Errorf("current is %v", !want)
			}
			u.Lock()
		}
	}
	if digest(t, path) != before {
		t.Error("the file has changed")
	}
	head, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []int{len(Magic), len(Magic) + 10, len(Magic) + 150, len(Magic) + 200} {
		broken := bytes.Clone(head)
		broken[at] ^= 0x55
		if err := os.WriteFile(path, broken, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Unlock(path, keys); !errors.Is(err, atrest.ErrDamaged) && !errors.Is(err, atrest.ErrWrongKey) {
			t.Errorf("byte %d of the header changed: %v", at, err)
		}
	}
}

func digest(t *testing.T, path string) [32]byte {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return sha256.Sum256(content)
}

func TestInspect(t *testing.T) {
	folder := t.TempDir()
	for name, c := range map[string]struct {
		content string
		want    State
	}{"empty": {"", Missing}, "plain": {"SQLite format 3\x00...", Plain}, "other": {"hello", Plain}, "sealed": {Magic + "xyz", Sealed}, "zeros": {"\x00\x00", Missing}} {
		path := filepath.Join(folder, name+" ä?&#%20.db")
		if err := os.WriteFile(path, []byte(c.content), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := Inspect(path); got != c.want || err != nil {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	if got, err := Inspect(filepath.Join(folder, "nothing")); got != Missing || err != nil {
		t.Error(got, err)
	}
	if _, err := Inspect(folder); err == nil {
		t.Error("a folder is no file")
	}
}

// One changed bit anywhere in a page is found, and costs that page only.
func TestDamagedPage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	keys := newKeys(t)
	db := connect(t, path, keys)
	do(t, db, `CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT)`)
	for i := range 50 {
		do(t, db, `INSERT INTO t VALUES (?, ?)`, i, strings.Repeat("x", 3000))
	}
	db.Close()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	content[pages{4096}.physical(20)+rand.Int64N(4096+overhead)] ^= 1
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	db = connect(t, path, keys)
	if got := one[int](t, db, `SELECT id FROM t WHERE id = 3`); got != 3 {
		t.Error(got)
	}
	var n int
	if err := db.QueryRow(`SELECT count(text) FROM t`).Scan(&n); err == nil || !strings.Contains(err.Error(), "malformed") {
		t.Errorf("%d rows counted, %v", n, err)
	}
}

// Pages that change places, or come from another database, are not believed.
func TestMovedPages(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	keys := newKeys(t)
	db := connect(t, path, keys)
	do(t, db, `CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT)`)
	for i := range 20 {
		do(t, db, `INSERT INTO t VALUES (?, ?)`, i, strings.Repeat("x", 3000))
	}
	db.Close()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	size := int64(4096 + overhead)
	a, b := pages{4096}.physical(5), pages{4096}.physical(6)
	copy(content[a:a+size], bytes.Clone(content[b:b+size]))
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	db = connect(t, path, keys)
	var n int
	if err := db.QueryRow(`SELECT count(text) FROM t`).Scan(&n); err == nil {
		t.Errorf("%d rows counted", n)
	}
}

// A program that does not know of the encryption must not delete the log.
func TestForeignProgramLeavesTheLog(t *testing.T) {
	folder := t.TempDir()
	path, copied := filepath.Join(folder, "a.db"), filepath.Join(t.TempDir(), "a.db")
	keys := newKeys(t)
	db := connect(t, path, keys, "_pragma=journal_mode(WAL)")
	do(t, db, `CREATE TABLE t (text TEXT)`)
	do(t, db, `INSERT INTO t VALUES ('in the log')`)
	for _, ending := range []string{"", "-ewal"} { // as a killed process leaves it
		content, err := os.ReadFile(path + ending)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(copied+ending, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	foreign, err := sql.Open("sqlite", "file:"+copied+"?_pragma=journal_mode(WAL)")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := foreign.Exec(`CREATE TABLE u (x)`); err == nil {
		t.Error("a plain connection wrote")
	}
	foreign.Close()
	if got := one[string](t, connect(t, copied, keys), `SELECT text FROM t`); got != "in the log" {
		t.Error(got)
	}
}

// The file is another one by now: connections that a pool opens later must not touch it.
func TestReplacedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	keys := newKeys(t)
	db := connect(t, path, keys)
	db.SetMaxIdleConns(0)
	do(t, db, `CREATE TABLE t (text TEXT)`)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := Create(path, keys); err != nil {
		t.Fatal(err)
	}
	before := digest(t, path)
	if _, err := db.Exec(`CREATE TABLE u (text TEXT)`); err == nil {
		t.Error("it wrote into another database")
	}
	if digest(t, path) != before {
		t.Error("the file has changed")
	}
}

// A power cut may leave a log whose end, or a first page, was written in part.
func TestTornWrites(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a.db")
	keys := newKeys(t)
	db := connect(t, path, keys, "_pragma=journal_mode(WAL)", "_pragma=wal_autocheckpoint(0)")
	do(t, db, `CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT)`)
	do(t, db, `PRAGMA wal_checkpoint(TRUNCATE)`)
	var sizes []int64
	for i := range 20 {
		// Setting the version puts the first page into the log.
		do(t, db, fmt.Sprintf(`BEGIN; INSERT INTO t VALUES (%d, '%s'); PRAGMA user_version = %d; COMMIT`, i, strings.Repeat("x", 2000), i+1))
		info, err := os.Stat(path + "-ewal")
		if err != nil {
			t.Fatal(err)
		}
		sizes = append(sizes, info.Size())
	}
	main, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	log, err := os.ReadFile(path + "-ewal")
	if err != nil {
		t.Fatal(err)
	}
	for range 60 {
		cut := rand.Int64N(int64(len(log)))
		want := 0
		for _, size := range sizes {
			if cut >= size {
				want++
			}
		}
		torn := bytes.Clone(log)
		for i := cut; i < int64(len(torn)); i++ { // something else stands there: an earlier log
			torn[i] ^= 0xa5
		}
		if rand.IntN(2) == 0 {
			torn = torn[:cut]
		}
		page := bytes.Clone(main)
		if want > 0 && rand.IntN(2) == 0 {
			clear(page[headerSize+2000 : headerSize+3000])
		}
		copied := filepath.Join(t.TempDir(), "a.db")
		for name, content := range map[string][]byte{copied: page, copied + "-ewal": torn} {
			if err := os.WriteFile(name, content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if got := one[int](t, connect(t, copied, keys), `SELECT count(*) FROM t`); got != want {
			t.Fatalf("cut at %d of %d: %d rows, not %d", cut, len(log), got, want)
		}
	}
}

func TestLayouts(t *testing.T) {
	const page = 4096
	for name, l := range map[string]layout{"pages": pages{page}, "frames": frames{page}, "blocks": blocks{512}} {
		t.Run(name, func(t *testing.T) {
			limit := int64(3 << 30)
			var previous unit
			for off := int64(0); off < limit; {
				u := l.at(off)
				physicalEnd := u.physical + int64(u.size) + overhead
				if name == "pages" && u.physical < lockByte+lockBytes && physicalEnd > lockByte {
					t.Fatalf("unit %d lies on the locked bytes", u.index)
				}
				if off > 0 && (u.index != previous.index+1 || u.physical < previous.physical+int64(previous.size)+overhead) {
					t.Fatalf("unit %+v follows %+v", u, previous)
				}
				if got := l.at(off + int64(u.size) - 1); got != u {
					t.Fatalf("the end of %+v is in %+v", u, got)
				}
				if got := l.logical(physicalEnd); got != u.start+int64(u.size) {
					t.Fatalf("after %+v the size is %d", u, got)
				}
				if got := l.logical(physicalEnd - 1); got != u.start {
					t.Fatalf("without the end of %+v the size is %d", u, got)
				}
				if end(l, u.start+1) != physicalEnd {
					t.Fatalf("end of %+v", u)
				}
				previous = u
				off += int64(u.size)
				// Far from the locked bytes not each of millions.
				if step := int64(1 << 20); name == "pages" && (off+step < lockByte-1<<24 || off > lockByte) {
					off += step
					previous = l.at(off - 1)
				}
				if name != "pages" && off > 1<<22 {
					return
				}
			}
		})
	}
}
