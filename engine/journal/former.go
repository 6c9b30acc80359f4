package journal

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/internal/atrest"
	"github.com/aurora-sidecar/aurora/internal/filelock"
	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/convlog"
)

// Former says where an earlier version kept what is in the journal now.
type Former struct {
	HistoryDirs []string      // folders of questions; "" for none
	Policy      atrest.Policy // that opens encrypted ones
	BudgetFiles []string      // accounts of costs; "" for none
}

const (
	suffix       = ".json.gz"
	sealedSuffix = suffix + atrest.Ending

	// perBatch is how many questions are taken over in one transaction.
	perBatch = 50
	// lockPatience bounds the wait for a process of an earlier version that spends.
	lockPatience = 5 * time.Second
)

// TakeOver writes into the journal what an earlier version kept in files, and the names of the conversations that it wrote.
// Each is written once, whatever ends the process in between: files go when what they hold is in the journal. A file that
// can't be read stays, and is told in the error.
func (j *Journal) TakeOver(ctx context.Context, f Former) error {
	if j.store.Volatile() {
		return nil
	}
	errs := []error{j.takeLogs(ctx)}
	for _, dir := range f.HistoryDirs {
		errs = append(errs, j.takeHistory(ctx, dir, f.Policy))
	}
	for _, path := range f.BudgetFiles {
		errs = append(errs, j.takeBudget(ctx, path))
	}
	return errors.Join(errs...)
}

func (j *Journal) takeHistory(ctx context.Context, dir string, policy atrest.Policy) error {
	if dir == "" {
		return nil
	}
	files, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("take over the history: %w", err)
	}
	var errs []error
	var paths []string
	var entries []memory.JournalEntry
	flush := func() {
		if _, err := j.store.Append(ctx, entries, j.opts.Keep); err != nil {
			errs = append(errs, err)
		} else {
			for _, path := range paths {
				errs = append(errs, os.Remove(path))
			}
		}
		paths, entries = nil, nil
	}
	for _, file := range files {
		path := filepath.Join(dir, file.Name())
		id, ok := strings.CutSuffix(strings.TrimSuffix(file.Name(), atrest.Ending), suffix)
		if !ok || !validID.MatchString(id) {
			continue
		}
		taken, err := formerQuestion(path, id, policy)
		if err != nil {
			errs = append(errs, fmt.Errorf("take over %s: %w", path, err))
			continue
		}
		paths, entries = append(paths, path), append(entries, taken...)
		if len(paths) == perBatch {
			flush()
		}
	}
	if len(paths) > 0 {
		flush()
	}
	_ = os.Remove(dir) // when it is empty
	return errors.Join(errs...)
}

// formerQuestion is a file of the history: a compressed line for lists, and one with everything. What it cost is in the
// account of costs, and its conversation is written.
func formerQuestion(path, id string, policy atrest.Policy) ([]memory.JournalEntry, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var content io.Reader = bufio.NewReader(file)
	if strings.HasSuffix(path, atrest.Ending) {
		if content, err = policy.Reader(content); err != nil {
			return nil, err
		}
	}
	z, err := gzip.NewReader(content)
	if err != nil {
		return nil, err
	}
	dec := json.NewDecoder(io.LimitReader(z, maxDetail))
	var e Entry
	var record json.RawMessage
	if err := errors.Join(dec.Decode(&e), dec.Decode(&record)); err != nil {
		return nil, err
	}
	if e.ID != id {
		return nil, fmt.Errorf("%w: it is about %q", ErrDamaged, e.ID)
	}
	detail, err := pack(e, record)
	if err != nil {
		return nil, err
	}
	asked := memory.Metric{At: e.Asked, Op: memory.OpAsked, QueryID: id}
	noted := asked
	noted.Op = memory.OpLogged
	return []memory.JournalEntry{{Metric: asked, Once: "question:" + id, Detail: detail}, {Metric: noted, Once: "logged:" + id}}, nil
}

// formerPeriod is a stretch of time in an account of costs.
type formerPeriod struct {
	Start    time.Time `json:"period_start"`
	LimitUSD float64   `json:"limit_usd"`
	Consumed float64   `json:"consumed_usd"`
	Queries  int       `json:"query_count"`
}

func (p formerPeriod) entry(op, once string) memory.JournalEntry {
	return memory.JournalEntry{
		Metric: memory.Metric{At: time.Now(), Op: op, ModelUse: memory.ModelUse{Calls: p.Queries}}, Once: once,
		Charge: memory.Charge{At: p.Start, USD: p.Consumed, LimitUSD: p.LimitUSD},
	}
}

// takeBudget takes over the account of costs: its present period counts on top of what the journal has already, the
// others only in the history. The file is moved aside first, so that an earlier version which still spends begins another
// one, which the next start takes over.
func (j *Journal) takeBudget(ctx context.Context, path string) error {
	if path == "" {
		return nil
	}
	aside := path + ".taking-over"
	if missing(path) && missing(aside) {
		return nil
	}
	waiting, cancel := context.WithTimeout(ctx, lockPatience)
	defer cancel()
	unlock, err := filelock.Wait(waiting, path+".lock")
	if err != nil {
		return fmt.Errorf("take over the account of costs: %w", err)
	}
	defer unlock()
	for _, from := range []string{aside, path} { // aside is left by a process that ended too early
		if missing(from) {
			continue
		}
		if from == path {
			err = os.Rename(path, aside)
		}
		if err == nil {
			err = j.takeAccount(ctx, path, aside)
		}
		if err != nil {
			return fmt.Errorf("take over the account of costs: %w", err)
		}
	}
	return nil
}

func missing(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// takeAccount takes over the account that was moved aside from a path.
func (j *Journal) takeAccount(ctx context.Context, path, aside string) error {
	data, err := os.ReadFile(aside)
	if err != nil {
		return err
	}
	var account struct {
		formerPeriod
		History []formerPeriod `json:"history"`
	}
	if err := json.NewDecoder(bytes.NewReader(data)).Decode(&account); err != nil || account.Start.IsZero() || account.Consumed < 0 {
		return os.Rename(aside, path+".damaged-"+time.Now().UTC().Format("20060102T150405"))
	}
	entries := []memory.JournalEntry{account.entry(memory.OpCarried, fmt.Sprintf("budget:%s:%x", path, sha256.Sum256(data)))}
	for _, p := range account.History { // which later states of the same account repeat
		entries = append(entries, p.entry(memory.OpClosed, fmt.Sprintf("budget:%s:%v", path, p)))
	}
	if _, err := j.store.Append(ctx, entries, 0); err != nil {
		return err
	}
	return os.Rename(aside, path+".taken-over")
}

// takeLogs notes the conversations whose files were written before there was a journal.
func (j *Journal) takeLogs(ctx context.Context) error {
	if j.opts.Logs == nil {
		return nil
	}
	once := "logs:" + j.opts.Logs.Dir()
	if known, err := j.store.Known(ctx, once); known || err != nil {
		return err
	}
	files, err := j.opts.Logs.Files(ctx, convlog.Span{})
	if err != nil {
		return fmt.Errorf("take over the conversations: %w", err)
	}
	var entries []memory.JournalEntry
	for _, f := range files {
		head, err := j.opts.Logs.Head(f)
		if err != nil || head.ID == "" {
			continue // it is read and found by its name all the same
		}
		noted := memory.Metric{At: f.Date, Op: memory.OpLogged, QueryID: head.ID, Notes: f.Name}
		entries = append(entries, memory.JournalEntry{Metric: noted, Once: "logged:" + head.ID})
	}
	entries = append(entries, memory.JournalEntry{Metric: memory.Metric{At: time.Now(), Op: memory.OpLogged}, Once: once})
	_, err = j.store.Append(ctx, entries, 0)
	return err
}
