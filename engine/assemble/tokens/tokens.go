package tokens

import (
	"fmt"
	"strings"
	"sync"
	"unicode"

	"github.com/aurora-sidecar/aurora/internal/text"
)

// A Counter tells how many tokens a text has. It may be used by many goroutines at once.
type Counter func(s string) int

// The names of the counters.
const (
	Exact = "exact"    // cl100k_base; some 15 MB of text a second
	Fast  = "estimate" // four characters a token, rounded up
)

// New returns the counter called name; "" means Exact. An exact counter keeps the counts of the lines that it has seen, as
// long as it is used.
func New(name string) (Counter, error) {
	switch name {
	case "", Exact:
		return (&lines{known: map[string]int{}}).count, nil
	case Fast:
		return text.EstimateTokens, nil
	}
	return nil, fmt.Errorf("unknown way to count tokens %q: use %s or %s", name, Exact, Fast)
}

// lines count a text line by line and remember each: a context is counted a dozen times while it is fitted into its
// budget, and most of it stays the same.
type lines struct {
	mu    sync.Mutex
	known map[string]int
}

func (l *lines) count(s string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	total := 0
	for len(s) > 0 {
		end := firstLine(s)
		n, ok := l.known[s[:end]]
		if !ok {
			n = exact(s[:end])
			l.known[s[:end]] = n
		}
		total += n
		s = s[end:]
	}
	return total
}

// firstLine is the end of the first line of s and of the blank lines after it. No token reaches beyond: only blanks
// before the end of a line are joined with it.
func firstLine(s string) int {
	end := strings.IndexByte(s, '\n') + 1
	if end == 0 {
		return len(s)
	}
	blank := s[end : len(s)-len(strings.TrimLeftFunc(s[end:], unicode.IsSpace))]
	return end + strings.LastIndexAny(blank, "\r\n") + 1
}
