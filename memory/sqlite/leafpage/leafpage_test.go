package leafpage

import (
	"bytes"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	_ "modernc.org/sqlite"
)

// inMemory is a database in memory.
type inMemory struct {
	size  int
	bytes []byte
}

func (m inMemory) PageSize() int { return m.size }
func (m inMemory) Pages() int64  { return int64(len(m.bytes) / m.size) }
func (m inMemory) Page(n int64, buf []byte) error {
	copy(buf, m.bytes[(n-1)*int64(m.size):])
	return nil
}

// written is what SQLite writes of some rows, and the rows.
func written(t testing.TB, pageSize int) (content []byte, rows map[int64][]any) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "some.db")
	db, err := sql.Open("sqlite", path+"?_pragma=synchronous(OFF)&_pragma=journal_mode(MEMORY)")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	for _, statement := range []string{
		fmt.Sprintf(`PRAGMA page_size = %d`, pageSize), `CREATE TABLE t (seq INTEGER PRIMARY KEY, a, b, c)`, `CREATE INDEX by_a ON t (a)`,
	} {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	rows = map[int64][]any{}
	numbers := []int64{0, 1, 2, -1, 127, -128, 1 << 14, -1 << 20, 1 << 30, -1 << 45, 1<<62 + 3}
	for i, n := range numbers {
		for j, size := range []int{0, 1, 100, pageSize - 40, pageSize, 5*pageSize + 7} {
			id := int64(i*100+j) - 50
			row := []any{nil, n, strings.Repeat("ä", size), float64(n) + 0.25}
			if j%2 == 1 {
				row[2] = bytes.Repeat([]byte{byte(i)}, size)
			}
			if j == 2 {
				row[3] = nil
			}
			if _, err := db.Exec(`INSERT INTO t VALUES (?, ?, ?, ?)`, id, row[1], row[2], row[3]); err != nil {
				t.Fatal(err)
			}
			rows[id] = row
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if content, err = os.ReadFile(path); err != nil {
		t.Fatal(err)
	}
	return content, rows
}

func TestReadsWhatSQLiteWrote(t *testing.T) {
	for _, size := range []int{512, 4096, 65536} {
		content, want := written(t, size)
		got := map[int64][]any{}
		err := Each(inMemory{size, content}, func(r Row) error {
			got[r.ID] = r.Values
			return nil
		})
		if err != nil || len(got) != len(want) {
			t.Errorf("pages of %d: %d of %d rows, %v", size, len(got), len(want), err)
		}
		for id, row := range got {
			if !reflect.DeepEqual(row, want[id]) {
				t.Errorf("pages of %d: row %d is %.100v, want %.100v", size, id, row, want[id])
			}
		}
	}
}

// Rows are told by the kinds of their values; those that are older than a column lack it.
func TestFit(t *testing.T) {
	table := Columns{{Name: "seq", Kind: "INTEGER"}, {Name: "id", Kind: "TEXT"}, {Name: "weight", Kind: "REAL"}, {Name: "at", Kind: "INTEGER", Nullable: true},
		{Name: "note", Kind: "TEXT", Later: true}, {Name: "detail", Kind: "BLOB", Nullable: true, Later: true}}
	for _, test := range []struct {
		want   bool
		values []any
	}{
		{true, []any{nil, "a", 0.5, int64(1)}},
		{true, []any{nil, "a", int64(1), nil}},
		{true, []any{nil, "a", 0.5, int64(1), "new"}},
		{true, []any{nil, "a", 0.5, int64(1), "new", []byte("x")}},
		{false, []any{nil, "a", 0.5}}, // a column that was always there
		{false, []any{nil, "a", 0.5, int64(1), nil}},
		{false, []any{nil, "a", 0.5, "one"}},
		{false, []any{nil, "a", 0.5, int64(1), "new", "x"}},
		{false, []any{nil, "a", 0.5, int64(1), "new", nil, nil}},
		{false, []any{int64(1), "a", 0.5, int64(1)}},
		{false, nil},
	} {
		if got := table.Fit(Row{1, test.values}); got != test.want {
			t.Errorf("%v: %v", test.values, got)
		}
	}
}

// FuzzEach reads pages of any bytes: it ends, and what it returns was there.
func FuzzEach(f *testing.F) {
	content, _ := written(f, 512)
	for at := 512; at+1024 <= len(content) && at < 20*512; at += 512 {
		f.Add(content[at : at+1024])
	}
	f.Fuzz(func(t *testing.T, pages []byte) {
		all := append(make([]byte, 512), pages...)
		rows := 0
		if err := Each(inMemory{512, all}, func(Row) error { rows++; return nil }); err != nil || rows > len(all) {
			t.Errorf("%d rows of %d bytes, %v", rows, len(all), err)
		}
	})
}
