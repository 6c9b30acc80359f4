package headless

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/internal/atomicfile"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// A Scratchpad is the memory from one iteration to the next. People may write into it, too: what is not of its format
// is kept.
type Scratchpad struct {
	Experiment string
	Started    time.Time
	Iteration  int // the last one
	Max        int
	USD        float64 // over all runs
	Limit      float64 // 0 for none
	Body       string  // the iterations, and what people wrote
	Status     *Status // nil while it runs

	path    string
	signals []string // that only this package may write
}

// A Status says how a run ended.
type Status struct {
	Word       string // GOAL_ACHIEVED, BUDGET_EXCEEDED, MAX_ITERATIONS, FAILED, INTERRUPTED
	Reason     string
	USD        float64 // over all runs
	Iterations int
}

// An Entry is one iteration.
type Entry struct {
	Action, Observation string
	Next                string // what should come next; "" with Decision
	Decision            string // such as GOAL_ACHIEVED: why
}

const (
	title      = "# Headless Experiment Scratchpad"
	timeLayout = "2006-01-02 15:04:05"
	rule       = "\n---\n"
)

var (
	fieldLine  = lazyregexp.New(`(?m)^\*\*(Experiment|Started|Current Iteration|Cost So Far):\*\* (.*)$`)
	statusMark = lazyregexp.New(`(?m)^---\n\n\*\*STATUS:\*\* (\S+)\n(?:\*\*Reason:\*\* (.*)\n)?`)
	entryHead  = lazyregexp.New(`(?m)^## Iteration (\d+) \(`)
)

// OpenScratchpad reads the notes at path; a file that is missing is a new experiment. Notes without the header are kept
// below a new one.
func OpenScratchpad(path string, now time.Time, signals ...string) (*Scratchpad, error) {
	s := &Scratchpad{Started: now, path: path, signals: signals}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the scratchpad: %w", err)
	}
	text := strings.ReplaceAll(string(data), "\r\n", "\n")
	if !strings.HasPrefix(strings.TrimSpace(text), title) {
		s.Body = strings.TrimSpace(text)
		return s, nil
	}
	head, body, _ := strings.Cut(text, rule)
	s.header(head)
	if at := statusMark.FindStringSubmatchIndex(body); at != nil {
		m := statusMark.FindStringSubmatch(body)
		s.Status = &Status{Word: m[1], Reason: m[2], USD: s.USD, Iterations: s.Iteration}
		body = body[:at[0]]
	}
	s.Body = strings.TrimSpace(body)
	for _, m := range entryHead.FindAllStringSubmatch(s.Body, -1) {
		if n, err := strconv.Atoi(m[1]); err == nil {
			s.Iteration = max(s.Iteration, n)
		}
	}
	return s, nil
}

func (s *Scratchpad) header(text string) {
	for _, m := range fieldLine.FindAllStringSubmatch(text, -1) {
		first, _, _ := strings.Cut(m[2], " / ")
		switch m[1] {
		case "Experiment":
			s.Experiment = m[2]
		case "Started":
			if at, err := time.ParseInLocation(timeLayout, m[2], s.Started.Location()); err == nil {
				s.Started = at
			}
		case "Current Iteration":
			s.Iteration, _ = strconv.Atoi(first)
		case "Cost So Far":
			if usd, err := strconv.ParseFloat(strings.TrimPrefix(first, "$"), 64); err == nil && usd > 0 {
				s.USD = usd
			}
		}
	}
}

// Signalled returns why a signal stands in the notes, at the beginning of a line or of a decision.
func (s *Scratchpad) Signalled(signal string) (reason string, ok bool) {
	m := regexp.MustCompile(`(?m)^(?:\*\*Decision:\*\* )?` + regexp.QuoteMeta(signal) + `(?::[ \t]*(.*))?$`).FindStringSubmatch(s.Body)
	if m == nil {
		return "", false
	}
	return strings.TrimSpace(m[1]), true
}

// Append adds an iteration and writes the notes.
func (s *Scratchpad) Append(e Entry, now time.Time) error {
	var b strings.Builder
	fmt.Fprintf(&b, "## Iteration %d (%s)\n", s.Iteration, now.Format(time.TimeOnly))
	fmt.Fprintf(&b, "**Action:** %s\n**Observation:** %s\n", s.tame(e.Action), s.tame(e.Observation))
	if e.Decision != "" {
		fmt.Fprintf(&b, "**Decision:** %s\n", e.Decision)
	} else {
		fmt.Fprintf(&b, "**Next Step:** %s\n", s.tame(e.Next))
	}
	s.Body = strings.TrimSpace(s.Body + "\n\n" + b.String())
	return s.Write()
}

// tame is text of others as a paragraph of the notes: on one line, so that it can't pose as a field, and without the
// signals.
func (s *Scratchpad) tame(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	for _, signal := range s.signals {
		text = regexp.MustCompile(`(?i)`+regexp.QuoteMeta(signal)).ReplaceAllString(text, strings.ReplaceAll(signal, "_", "-"))
	}
	const longest = 2000
	if len(text) > longest {
		text = strings.ToValidUTF8(text[:longest], "") + "…"
	}
	return text
}

// End writes how the run ended.
func (s *Scratchpad) End(status Status) error {
	status.Reason = s.tame(status.Reason)
	s.Status = &status
	return s.Write()
}

// Write writes the notes whole or not at all.
func (s *Scratchpad) Write() error {
	err := os.MkdirAll(filepath.Dir(s.path), 0o755)
	if err == nil {
		err = atomicfile.Write(s.path, []byte(s.String()), 0o644)
	}
	if err != nil {
		return fmt.Errorf("write the scratchpad: %w", err)
	}
	return nil
}

// String is the notes as a file.
func (s *Scratchpad) String() string {
	var b strings.Builder
	limit := "unlimited"
	if s.Limit > 0 {
		limit = fmt.Sprintf("$%.2f", s.Limit)
	}
	fmt.Fprintf(&b, "%s\n\n**Experiment:** %s\n**Started:** %s\n**Current Iteration:** %d / %d\n**Cost So Far:** $%s / %s\n%s",
		title, s.tame(s.Experiment), s.Started.Format(timeLayout), s.Iteration, s.Max, dollars(s.USD), limit, rule)
	if s.Body != "" {
		b.WriteString("\n" + s.Body + "\n")
	}
	if st := s.Status; st != nil {
		fmt.Fprintf(&b, "%s\n**STATUS:** %s\n**Reason:** %s\n**Total Cost:** $%s\n**Total Iterations:** %d\n", rule, st.Word, st.Reason, dollars(st.USD), st.Iterations)
	}
	return b.String()
}

// dollars has cents, and more digits where cents would lose what was spent.
func dollars(usd float64) string {
	if text := fmt.Sprintf("%.2f", usd); usd == 0 || usd >= 1 {
		return text
	}
	return fmt.Sprintf("%.4f", usd)
}

// Tail is the last part of the notes, at most about n bytes, from the beginning of an iteration where that fits.
func (s *Scratchpad) Tail(n int) string {
	if len(s.Body) <= n {
		return s.Body
	}
	tail := strings.ToValidUTF8(s.Body[len(s.Body)-n:], "")
	if at := strings.Index(tail, "\n## Iteration "); at >= 0 {
		return tail[at+1:]
	}
	return tail
}
