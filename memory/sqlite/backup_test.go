//go:build unix

package sqlite

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/memory"
)

const day = 24 * time.Hour

// backUpNow makes the backup of the day and returns its name, "" when none was due.
func backUpNow(t *testing.T, s *Store) string {
	t.Helper()
	made, err := s.BackUp(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if made == "" {
		return ""
	}
	return filepath.Base(made)
}

// datesOf are the dates of the daily backups at path, the oldest first.
func datesOf(path string) []string {
	var dates []string
	for _, backup := range dailyBackups(path) {
		dates = append(dates, strings.TrimPrefix(backup, path+".bak-"))
	}
	return dates
}

func TestDailyBackups(t *testing.T) {
	for name, e := range map[string]Encryption{"plain": {}, "encrypted": {Enabled: true, Keys: newKeys(t)}} {
		t.Run(name, func(t *testing.T) {
			path, c := filepath.Join(t.TempDir(), "memory.db"), newClock()
			opts := Options{Now: c.Now, Encryption: e}
			s := create(t, path, opts)
			if made := backUpNow(t, s); made != "" {
				t.Errorf("an empty store was backed up: %s", made)
			}
			mustRemember(t, s, "of the day before any backup")
			if made := backUpNow(t, s); made != "" {
				t.Errorf("a store of today was backed up: %s", made)
			}
			for i := range 10 {
				c.pass(day)
				mustRemember(t, s, fmt.Sprintf("remembered on day %d", i))
				if made, want := backUpNow(t, s), "memory.db.bak-"+c.Now().Format(time.DateOnly); made != want {
					t.Errorf("day %d: made %q, want %q", i, made, want)
				}
				mustRemember(t, s, fmt.Sprintf("after the backup of day %d", i))
				if made := backUpNow(t, s); made != "" {
					t.Errorf("day %d: a second one, %s", i, made)
				}
			}
			if got, want := datesOf(path), "2026-03-05 2026-03-06 2026-03-07 2026-03-08 2026-03-09 2026-03-10 2026-03-11"; strings.Join(got, " ") != want {
				t.Errorf("kept %q", got)
			}
			list, err := Backups(t.Context(), path, e)
			if err != nil || len(list) != dailyKept || list[0].Date != "2026-03-11" || list[0].Records != 20 || list[6].Records != 8 {
				t.Errorf("listed %+v, %v", list, err)
			}
			for _, b := range list {
				if info, err := os.Stat(b.Path); err != nil || info.Mode().Perm() != 0o600 || b.Err != nil || b.Size == 0 {
					t.Errorf("%+v, %v, %v", b, info.Mode(), err)
				}
				if content, err := os.ReadFile(b.Path); err != nil || bytes.Contains(content, []byte("remembered on day")) == e.Enabled {
					t.Errorf("%s is not kept as the store is: %v", b.Path, err)
				}
			}
			if s.Warning() != "" {
				t.Errorf("warning %q", s.Warning())
			}
		})
	}
}

func TestUnchangedMemoryIsNotBackedUp(t *testing.T) {
	path, c := filepath.Join(t.TempDir(), "memory.db"), newClock()
	s := create(t, path, Options{Now: c.Now})
	mustRemember(t, s, "the only thing")
	c.pass(day)
	if backUpNow(t, s) == "" {
		t.Fatal("not backed up")
	}
	for range 3 {
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		c.pass(day)
		s = openAt(t, path, Options{Now: c.Now})
		if found(t, s, "only"); backUpNow(t, s) != "" {
			t.Errorf("backed up again: %q", datesOf(path))
		}
	}
	if err := s.Use(t.Context(), []string{"code:a.go:F"}, memory.Opened, 0); err != nil {
		t.Fatal(err)
	}
	if err := s.uses.flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if backUpNow(t, s) == "" {
		t.Error("a use is a change")
	}
}

// The clock was wrong for a while: what is made now is kept however its date compares.
func TestBackupsUnderAWrongClock(t *testing.T) {
	path, c := filepath.Join(t.TempDir(), "memory.db"), newClock()
	s := create(t, path, Options{Now: c.Now})
	for _, away := range []time.Duration{0, 70 * 365 * day, -50 * 365 * day} {
		c.pass(away)
		for i := range dailyKept {
			c.pass(day)
			mustRemember(t, s, fmt.Sprintf("%s, %d", away, i))
			if made := backUpNow(t, s); made == "" || !exists(filepath.Join(filepath.Dir(path), made)) {
				t.Errorf("%s: made %q, left %q", c.Now(), made, datesOf(path))
			}
		}
		if got := datesOf(path); len(got) != dailyKept {
			t.Errorf("%q", got)
		}
	}
}

func TestTwoMakeOneBackup(t *testing.T) {
	path, c := filepath.Join(t.TempDir(), "memory.db"), newClock()
	mustRemember(t, create(t, path, Options{Now: c.Now}), "remembered once")
	c.pass(day)
	var group sync.WaitGroup
	made := make([]string, 6)
	for i := range made {
		s := openAt(t, path, Options{Now: c.Now})
		group.Go(func() {
			var err error
			if made[i], err = s.BackUp(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if got := slices.DeleteFunc(made, func(path string) bool { return path == "" }); len(got) != 1 {
		t.Errorf("made %q", got)
	}
}

// A backup is made while somebody is in the midst of writing: it waits for no lock, and has none that others wait for.
func TestBackupWhileOthersWrite(t *testing.T) {
	path, c := filepath.Join(t.TempDir(), "memory.db"), newClock()
	s := create(t, path, Options{Now: c.Now})
	mustRemember(t, s, "before")
	c.pass(day)
	made := ""
	err := s.write(t.Context(), func(tx tx) error {
		r, err := memory.Prepare(memory.Record{Content: "not yet there"})
		if err != nil {
			return err
		}
		if _, _, err := remember(t.Context(), tx, r); err != nil {
			return err
		}
		made = backUpNow(t, openAt(t, path, Options{Now: c.Now}))
		return nil
	})
	if err != nil || made == "" {
		t.Fatalf("made %q, %v", made, err)
	}
	if list, err := Backups(t.Context(), path, Encryption{}); err != nil || list[0].Records != 1 {
		t.Errorf("%+v, %v", list, err)
	}
}

// backUpUntilKilled makes the backup of one day after the other.
func backUpUntilKilled(path string) error {
	c := &clock{time.Now()}
	s, err := Open(context.Background(), path, Options{Now: c.Now})
	if err != nil {
		return err
	}
	for i := 0; ; i++ {
		c.pass(day)
		if _, _, err := s.Remember(context.Background(), memory.Record{Content: fmt.Sprintf("a change before backup %d of %d", i, os.Getpid())}); err != nil {
			return err
		}
		if _, err := s.BackUp(context.Background()); err != nil {
			return err
		}
		fmt.Println(i)
	}
}

func TestBackupKilledAtRandomMoments(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	s := openAt(t, path, Options{})
	for i := range 100 {
		mustRemember(t, s, strings.Repeat(fmt.Sprintf("precious item%d ", i), 40))
	}
	s.Close()
	for range killsOf() {
		killSoon(t, inRole(t, thisBinary(t), "saver", path))
	}
	list, err := Backups(t.Context(), path, Encryption{})
	if err != nil || len(list) == 0 || len(list) > dailyKept+1 { // one may have been made, and the oldest not yet deleted
		t.Errorf("%d backups, %v", len(list), err)
	}
	for _, b := range list {
		if err := checkCopy(t.Context(), b.Path, Encryption{}); err != nil || b.Records <= 100 {
			t.Errorf("%+v: %v", b, err)
		}
	}
	c := &clock{time.Now().Add(-365 * day)}
	s = openAt(t, path, Options{Now: c.Now})
	mustRemember(t, s, "one more")
	if backUpNow(t, s) == "" || s.Warning() != "" {
		t.Errorf("warning %q", s.Warning())
	}
	if left, err := filepath.Glob(path + "*.tmp*"); err != nil || len(left) > 0 {
		t.Errorf("left: %q, %v", left, err)
	}
}

// A backup that fails leaves nothing, is told, and is made when the cause is gone.
func TestBackupThatFails(t *testing.T) {
	path, c := filepath.Join(t.TempDir(), "memory.db"), newClock()
	s := create(t, path, Options{Now: c.Now})
	mustRemember(t, s, "precious")
	c.pass(day)
	unfinished := path + ".bak-2026-03-02.tmp"
	if err := os.MkdirAll(filepath.Join(unfinished, "in the way"), 0o700); err != nil {
		t.Fatal(err)
	}
	if made, err := s.BackUp(t.Context()); err == nil || made != "" || !strings.Contains(s.Warning(), "Memory has no backup of today") {
		t.Errorf("made %q, %v, warning %q", made, err, s.Warning())
	}
	if err := os.RemoveAll(unfinished); err != nil {
		t.Fatal(err)
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if made, err := s.BackUp(stopped); !errors.Is(err, context.Canceled) || made != "" {
		t.Errorf("made %q, %v", made, err)
	}
	if backUpNow(t, s) == "" || s.Warning() != "" {
		t.Errorf("warning %q", s.Warning())
	}
}

func TestPurgeDeletesDailyBackups(t *testing.T) {
	path, c := filepath.Join(t.TempDir(), "memory.db"), newClock()
	s := create(t, path, Options{Now: c.Now})
	secret := mustRemember(t, s, "the vault word is xyzzy")
	c.pass(day)
	backUpNow(t, s)
	if _, err := s.Purge(t.Context(), memory.Purge{IDs: []string{secret.ID}}); err != nil {
		t.Fatal(err)
	}
	if err := s.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	if left, err := s.Leftovers(t.Context()); err != nil || len(left) > 0 {
		t.Errorf("left %q, %v", left, err)
	}
	if got := datesOf(path); len(got) != 0 {
		t.Errorf("backups %q", got)
	}
	mustRemember(t, s, "something else")
	made := backUpNow(t, s)
	if content, err := os.ReadFile(filepath.Join(filepath.Dir(path), made)); err != nil || bytes.Contains(content, []byte("xyzzy")) {
		t.Errorf("%q holds what was purged: %v", made, err)
	}
}

func TestRestoreBackup(t *testing.T) {
	keys := newKeys(t)
	for name, e := range map[string]Encryption{"plain": {}, "encrypted": {Enabled: true, Keys: keys}, "encrypted since": {Keys: keys}} {
		t.Run(name, func(t *testing.T) {
			path, c := filepath.Join(t.TempDir(), "memory.db"), newClock()
			opts := Options{Now: c.Now, Encryption: e}
			s := create(t, path, opts)
			mustRemember(t, s, "first")
			c.pass(day)
			made := filepath.Join(filepath.Dir(path), backUpNow(t, s))
			mustRemember(t, s, "second")
			opts.Encryption.Enabled = e.Keys != nil
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			holder := withKeys(inRole(t, thisBinary(t), "holder", path), e.Keys)
			if e.Keys != nil && !e.Enabled {
				holder = inRole(t, thisBinary(t), "holder", path)
			}
			input, _ := holder.StdinPipe()
			output, _ := holder.StdoutPipe()
			if err := holder.Start(); err != nil {
				t.Fatal(err)
			}
			bufio.NewScanner(output).Scan()
			if aside, err := RestoreBackup(t.Context(), path, made, opts); !errors.Is(err, ErrInUse) || aside != "" {
				t.Errorf("restored under a process: %v", err)
			}
			input.Close()
			if err := holder.Wait(); err != nil {
				t.Fatal(err)
			}
			aside, err := RestoreBackup(t.Context(), path, made, opts)
			if err != nil || !strings.HasPrefix(aside, path+".replaced-") {
				t.Fatalf("aside %q, %v", aside, err)
			}
			s = openAt(t, path, opts)
			if got := append(found(t, s, "first"), found(t, s, "second")...); len(got) != 1 || s.Warning() != "" {
				t.Errorf("found %q, warning %q", got, s.Warning())
			}
			s.Close()
			if state := StateOf(path, opts.Encryption); state.Encrypted != opts.Encryption.Enabled || state.Err != nil {
				t.Errorf("%+v", state)
			}
			// What was replaced is a backup, too.
			list, err := Backups(t.Context(), path, opts.Encryption)
			if err != nil || len(list) != 2 || list[0].Path != aside || list[0].Records != 3 {
				t.Fatalf("%+v, %v", list, err)
			}
			if _, err := RestoreBackup(t.Context(), path, aside, opts); err != nil {
				t.Fatal(err)
			}
			if got := found(t, openAt(t, path, opts), "second"); len(got) != 1 {
				t.Errorf("found %q", got)
			}
		})
	}
}

// A damaged backup is refused, and a damaged store replaced.
func TestRestoreOfDamagedFiles(t *testing.T) {
	path, c := filepath.Join(t.TempDir(), "memory.db"), newClock()
	s := create(t, path, Options{Now: c.Now})
	mustRemember(t, s, "first")
	c.pass(day)
	made := filepath.Join(filepath.Dir(path), backUpNow(t, s))
	s.Close()
	content, err := os.ReadFile(made)
	if err != nil {
		t.Fatal(err)
	}
	broken := path + ".bak-2026-02-01"
	for at := range content[8192:] {
		content[8192+at] = byte(at)
	}
	for file, text := range map[string][]byte{broken: content, path: []byte("garbage")} {
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := RestoreBackup(t.Context(), path, broken, Options{Now: c.Now}); err == nil || exists(path+".replaced-20260302-120000") {
		t.Errorf("restored a damaged backup: %v", err)
	}
	aside, err := RestoreBackup(t.Context(), path, made, Options{Now: c.Now})
	if err != nil {
		t.Fatal(err)
	}
	if kept, err := os.ReadFile(aside); err != nil || string(kept) != "garbage" {
		t.Errorf("aside %q, %v", kept, err)
	}
	if got := found(t, openAt(t, path, Options{Now: c.Now}), "first"); len(got) != 1 {
		t.Errorf("found %q", got)
	}
}

func TestUnsaved(t *testing.T) {
	path, c := filepath.Join(t.TempDir(), "memory.db"), &clock{time.Now().Add(-10 * day)}
	s := create(t, path, Options{Now: c.Now})
	mustRemember(t, s, "first")
	if since, _, err := Unsaved(t.Context(), path, Options{Now: c.Now}, 3*day); err != nil || !since.IsZero() {
		t.Errorf("%s, %v", since, err)
	}
	c.pass(day)
	made := filepath.Join(filepath.Dir(path), backUpNow(t, s))
	if err := os.Chtimes(made, time.Time{}, c.Now()); err != nil {
		t.Fatal(err)
	}
	c.pass(time.Hour)
	mustRemember(t, s, "in no backup")
	remembered := c.Now()
	for _, test := range []struct {
		pass time.Duration
		want bool
	}{{2 * day, false}, {2 * day, true}} {
		c.pass(test.pass)
		since, newest, err := Unsaved(t.Context(), path, Options{Now: c.Now}, 3*day)
		if err != nil || since.IsZero() == test.want || newest.Path != made || test.want && since.Sub(remembered).Abs() > time.Second {
			t.Errorf("%s, %+v, %v", since, newest, err)
		}
	}
}
