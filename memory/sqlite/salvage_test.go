//go:build unix

package sqlite

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/memory"
)

// large is a store of n records, some of them long, with a goal, a link, uses and a former text; texts are theirs by id.
func large(t *testing.T, path string, opts Options, n int) (texts map[string]string) {
	t.Helper()
	texts = map[string]string{}
	s := create(t, path, opts)
	var first memory.Record
	err := s.write(t.Context(), func(tx tx) error {
		for i := range n {
			text := strings.Repeat(fmt.Sprintf("item%d stands for %d ", i, i*7), 12)
			if i%50 == 0 {
				text = strings.Repeat(text, 40)
			}
			r, err := memory.Prepare(memory.Record{Content: text})
			if err != nil {
				return err
			}
			if r, _, err = remember(t.Context(), tx, r); err != nil {
				return err
			}
			texts[r.ID] = r.Content
			if i == 0 {
				first = r
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Relate(t.Context(), []memory.Link{{From: first.ID, To: "code:a.go:F", Type: "explains", Weight: 1}}); err != nil {
		t.Fatal(err)
	}
	if err := s.SetGoal(t.Context(), memory.Goal{ID: "G-1", Title: "a goal"}); err != nil {
		t.Fatal(err)
	}
	if err := s.Use(t.Context(), []string{first.ID}, memory.Opened, 0); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return texts
}

// intact counts the records of s, of which each has the text that it had.
func intact(t *testing.T, s *Store, texts map[string]string) (n int) {
	t.Helper()
	rows, err := s.db.QueryContext(t.Context(), `SELECT id, content FROM records`)
	if err != nil {
		t.Fatal(err)
	}
	err = each(rows, func() error {
		var id, text string
		err := rows.Scan(&id, &text)
		if texts[id] != text {
			t.Errorf("%s: %.60q was never remembered", id, text)
		}
		n++
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// Every record comes back whose pages are intact, wherever the file is damaged.
func TestSalvageOfIntactPages(t *testing.T) {
	const n = 1000
	for name, e := range map[string]Encryption{"plain": {}, "encrypted": {Enabled: true, Keys: newKeys(t)}} {
		path := filepath.Join(t.TempDir(), "memory.db")
		texts := large(t, path, Options{Encryption: e}, n)
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		page, header := 4096, 0
		if e.Enabled {
			page, header = 4096+28, 4096
		}
		zero := func(b []byte, at int) []byte { clear(b[at : at+page]); return b }
		root := rootOf(t, path, e, "records")
		for what, test := range map[string]struct {
			damage func(b []byte) []byte
			least  int // records
		}{
			"its first page":         {func(b []byte) []byte { return zero(b, header) }, n},
			"the root of records":    {func(b []byte) []byte { return zero(b, header+(root-1)*page) }, n},
			"a page in the middle":   {func(b []byte) []byte { return zero(b, header+len(b)/page/2*page) }, n * 99 / 100},
			"its last page":          {func(b []byte) []byte { return b[:len(b)-page] }, n * 99 / 100},
			"the second half of all": {func(b []byte) []byte { return b[:len(b)/2] }, n * 4 / 10},
		} {
			if e.Enabled && test.least == n || testing.Short() && (e.Enabled || what != "the root of records") {
				continue
			}
			t.Run(name+" without "+what, func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "memory.db")
				if err := os.WriteFile(path, test.damage(slices.Clone(content)), 0o600); err != nil {
					t.Fatal(err)
				}
				s := openAt(t, path, Options{Encryption: e})
				got := intact(t, s, texts)
				if got < test.least || !strings.Contains(s.Warning(), fmt.Sprintf("%d records could be saved; there is no backup", got)) {
					t.Errorf("%d of %d records, warning %q", got, n, s.Warning())
				}
				var links, goals int
				if err := s.db.QueryRow(`SELECT (SELECT count(*) FROM relationships), (SELECT count(*) FROM goals)`).Scan(&links, &goals); err != nil || links > 1 || goals > 1 {
					t.Errorf("%d links, %d goals, %v", links, goals, err)
				}
				if test.least == n && (links != 1 || goals != 1) {
					t.Errorf("%d links, %d goals", links, goals)
				}
			})
		}
	}
}

// rootOf is the number of the page that a table begins with.
func rootOf(t *testing.T, path string, e Encryption, table string) (n int) {
	t.Helper()
	db, done, err := e.openStill(path)
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	if err := db.QueryRow(`SELECT rootpage FROM sqlite_schema WHERE name = ?`, table).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// What a damaged file has lost comes from the newest backup, with what belongs to it.
func TestSalvageFillsFromTheBackup(t *testing.T) {
	for name, test := range map[string]struct {
		damage func(b []byte, root int) []byte
		want   string // ids of the texts below that can be found
	}{
		"all is lost":     {func([]byte, int) []byte { return []byte("garbage") }, "forgotten-since kept"},
		"a page is empty": {func(b []byte, root int) []byte { clear(b[(root-1)*4096 : root*4096]); return b }, "kept"},
	} {
		t.Run(name, func(t *testing.T) {
			path, c := filepath.Join(t.TempDir(), "memory.db"), newClock()
			opts := Options{Now: c.Now, Encryption: Encryption{Keys: newKeys(t)}}
			s := create(t, path, opts)
			forgotten := mustRemember(t, s, "forgotten-since then")
			kept := mustRemember(t, s, "kept all the time")
			if err := s.Use(t.Context(), []string{kept.ID}, memory.Opened, 0); err != nil {
				t.Fatal(err)
			}
			if err := s.uses.flush(t.Context()); err != nil {
				t.Fatal(err)
			}
			c.pass(day)
			backUpNow(t, s)
			if _, err := s.Forget(t.Context(), []string{forgotten.ID}); err != nil {
				t.Fatal(err)
			}
			before, err := s.Get(t.Context(), kept.ID)
			if err != nil {
				t.Fatal(err)
			}
			root := rootOf(t, path, opts.Encryption, "records_by_update")
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			content, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, test.damage(content, root), 0o600); err != nil {
				t.Fatal(err)
			}
			s = openAt(t, path, opts)
			var got []string
			for _, text := range append(found(t, s, "forgotten"), found(t, s, "kept")...) {
				got = append(got, strings.Fields(text)[0])
			}
			if strings.Join(got, " ") != test.want || !strings.Contains(s.Warning(), "`aurora mem restore-backup 2026-03-02` puts that backup in its place") {
				t.Errorf("found %q, warning %q", got, s.Warning())
			}
			if told := strings.Contains(s.Warning(), "2 more from the backup of 2026-03-02; what was forgotten since then may be among these"); told != strings.Contains(test.want, "forgotten") {
				t.Errorf("warning %q", s.Warning())
			}
			if hit, err := s.Get(t.Context(), kept.ID); err != nil || hit.AccessCount != before.AccessCount {
				t.Errorf("%d uses, %v", hit.AccessCount, err)
			}
		})
	}
}
