//go:build unix

package sqlite

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/memory"
)

// stepsVariable says after how many steps a spender kills itself; none means never.
const stepsVariable = "AURORA_TEST_STEPS"

// A spender asks questions as the engine does, and says each step that was acknowledged.
type spender struct {
	store *Store
	left  int
	steps bool
}

// done says a step, and ends the process when it was the last one.
func (s *spender) done(format string, args ...any) {
	fmt.Printf(format+"\n", args...)
	if s.left--; s.steps && s.left == 0 {
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	}
}

// spendUntilKilled asks questions of one call each. As a process does that goes on from where another one ended, it begins
// with the last settlement and the last question again.
func spendUntilKilled(path string) error {
	store, err := Open(context.Background(), path, Options{Encryption: roleEncryption()})
	if err != nil {
		return err
	}
	limit := os.Getenv(stepsVariable)
	steps, _ := strconv.Atoi(limit)
	s := &spender{store, steps, limit != ""}
	for n := 0; ; n++ {
		if err := s.ask(os.Getpid()*1000 + n); err != nil {
			return err
		}
	}
}

func (s *spender) ask(n int) error {
	ctx := context.Background()
	number, err := s.store.Reserve(ctx, memory.Charge{At: time.Now(), USD: 1}, anyTime, func(memory.Spent) error { return nil })
	if err != nil {
		return err
	}
	s.done("reserved %d", number)
	for range 2 { // who does not know whether it was written writes it again
		if err := s.store.Settle(ctx, number, memory.Charge{USD: -0.75}); err != nil {
			return err
		}
	}
	s.done("settled %d", number)
	fold := func(tx tx) error { return foldSpending(ctx, tx, time.Now().AddDate(0, 0, 1)) }
	if err := s.store.write(ctx, fold); err != nil {
		return err
	}
	s.done("folded %d", number)
	e := askedEntry(n)
	e.Remember = &memory.Record{Type: memory.Reasoning, Content: "answer of " + e.QueryID}
	for range 2 {
		if _, err := s.store.Append(ctx, []memory.JournalEntry{e}, 0); err != nil {
			return err
		}
	}
	s.done("asked %s", e.QueryID)
	logged := memory.JournalEntry{Metric: memory.Metric{At: time.Now(), Op: memory.OpLogged, QueryID: e.QueryID}, Once: "logged:" + e.QueryID}
	if _, err := s.store.Append(ctx, []memory.JournalEntry{logged}, 0); err != nil {
		return err
	}
	s.done("logged %s", e.QueryID)
	return nil
}

// said is what spenders acknowledged.
type said struct{ reserved, settled, folded, asked, logged map[string]bool }

func (a *said) hear(line string) {
	word, rest, _ := strings.Cut(line, " ")
	map[string]map[string]bool{"reserved": a.reserved, "settled": a.settled, "folded": a.folded, "asked": a.asked, "logged": a.logged}[word][rest] = true
}

// check compares a store with what was acknowledged. Of what was begun when the process ended, either all is there or nothing.
func (a *said) check(t *testing.T, s *Store) {
	t.Helper()
	ctx := t.Context()
	for id := range a.asked {
		if detail, err := s.Question(ctx, id); err != nil || string(detail) != id {
			t.Errorf("the question %s is lost although acknowledged: %q, %v", id, detail, err)
		}
	}
	var alone int // records without their line, and lines without their record
	err := s.db.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM records WHERE id NOT IN (SELECT record FROM journal)) +
		(SELECT count(*) FROM journal WHERE op = 'query' AND record NOT IN (SELECT id FROM records))`).Scan(&alone)
	if err != nil || alone > 0 {
		t.Errorf("%d answers are remembered or noted alone, %v", alone, err)
	}
	unlogged, err := s.Unlogged(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range unlogged {
		if a.logged[id] {
			t.Errorf("that the conversation %s was written is lost although acknowledged", id)
		}
	}
	var reserved, settled, folded, questions, lines int
	err = s.db.QueryRowContext(ctx, `SELECT count(*) FILTER (WHERE op = 'reserve'), count(*) FILTER (WHERE op = 'settle'),
		coalesce(sum(calls) FILTER (WHERE op = 'folded'), 0), count(DISTINCT query_id) FILTER (WHERE op = 'query'), count(*) FILTER (WHERE op = 'query')
		FROM journal`).Scan(&reserved, &settled, &folded, &questions, &lines)
	reserved, settled = reserved+folded, settled+folded
	spent, spentErr := s.Spent(ctx, anyTime)
	if err != nil || spentErr != nil {
		t.Fatal(err, spentErr)
	}
	if reserved < len(a.reserved) || settled < len(a.settled) || settled > reserved || folded < len(a.folded) || lines < len(a.asked) {
		t.Errorf("%d of %d reservations, %d of %d settlements, %d of %d questions", reserved, len(a.reserved), settled, len(a.settled), lines, len(a.asked))
	}
	if want := float64(reserved) - 0.75*float64(settled); spent.USD != want || lines != questions || spent.Queries != questions {
		t.Errorf("$%v are spent by %d queries, want $%v by %d in %d lines", spent.USD, spent.Queries, want, questions, lines)
	}
}

// spend runs a spender to its end and returns what it said.
func (a *said) spend(t *testing.T, path string, e Encryption, steps int, kill time.Duration) {
	t.Helper()
	command := withKeys(inRole(t, thisBinary(t), "spender", path), e.Keys)
	if steps > 0 {
		command.Env = append(command.Env, fmt.Sprintf("%s=%d", stepsVariable, steps))
	}
	pipe, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	output := bufio.NewScanner(pipe)
	for first := true; output.Scan(); first = false {
		a.hear(output.Text())
		if first && steps == 0 {
			timer := time.AfterFunc(kill, func() { _ = command.Process.Kill() })
			defer timer.Stop()
		}
	}
	_ = command.Wait() // it was killed
	if len(a.reserved) == 0 {
		t.Fatal("a spender ended before its first step")
	}
}

// TestJournalKilledBetweenSteps kills a process after each of its steps, and at random moments inside them: no acknowledged
// entry is lost, and no money is counted twice.
func TestJournalKilledBetweenSteps(t *testing.T) {
	for name, e := range map[string]Encryption{"plain": {}, "encrypted": {Enabled: true, Keys: newKeys(t)}} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "memory.db")
			a := &said{map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}}
			check := func() {
				s := openAt(t, path, Options{Encryption: e})
				if s.Warning() != "" {
					t.Errorf("warning %q", s.Warning())
				}
				a.check(t, s)
				s.Close()
			}
			for steps := 1; steps <= 11; steps++ {
				a.spend(t, path, e, steps, 0)
				check()
			}
			for range killsOf() {
				a.spend(t, path, e, 0, rand.N(60*time.Millisecond))
			}
			check()
			t.Logf("%d reservations, %d settlements, %d questions acknowledged", len(a.reserved), len(a.settled), len(a.asked))
		})
	}
}
