package parser

import (
	"errors"
	"log/slog"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/syntax"
)

// A Pool parses in child processes. It starts them when there is work, one for each text that is parsed at the same
// time, and ends those that are idle. Where no child can be started it parses in this process,
// as Local does, and logs why. The methods may be called by many goroutines.
type Pool struct {
	command []string
	log     *slog.Logger
	slots   chan struct{} // one for each text in work

	mu      sync.Mutex
	idle    []*process // the one used last at the end
	ending  *time.Timer
	closed  bool
	retryAt time.Time // until when no child is started, since the last try failed

}

const (
	idleFor     = 10 * time.Second // then a child ends
	retryStart  = time.Minute
	spareSlots  = 1 // above one for each processor: what a person waits for is parsed beside a scan
	maxAttempts = 2 // for a text whose child ended without a reason of its own: it may have been killed by others
)

// NewPool returns a Pool of children that command starts; see Command.
func NewPool(command []string, log *slog.Logger) *Pool {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	p := &Pool{command: command, log: log, slots: make(chan struct{}, runtime.GOMAXPROCS(0)+spareSlots)}
	return p
}

// Command is how a program that calls Serve when it is given Argument starts itself.
func Command() ([]string, error) {
	path, err := os.Executable()
	if err != nil {
		return nil, err
	}
	// After an update another program lies at the path; the running one can still be started, on Linux.
	const self = "/proc/self/exe"
	if running, err := os.Stat(self); err == nil {
		if now, err := os.Stat(path); err != nil || !os.SameFile(now, running) {
			path = self
		}
	}
	return []string{path, Argument}, nil
}

// Analyze implements Parser.
func (p *Pool) Analyze(lang *syntax.Language, src []byte) (*chunk.File, []byte, error) {
	p.slots <- struct{}{}
	defer func() { <-p.slots }()
	for attempt := 1; ; attempt++ {
		child := p.take()
		if child == nil {
			return Local.Analyze(lang, src)
		}
		f, answer, err := child.file(&request{Language: lang.Name, Text: src})
		if err == nil {
			p.give(child)
			return f, answer.File, answer.err()
		}
		if err = child.end(); attempt == maxAttempts || !errors.Is(err, ErrCrashed) {
			return chunk.Unparsed(lang.Name, src), nil, err
		}
	}
}

// take returns a child that has nothing to do, nil when none can be started.
func (p *Pool) take() *process {
	p.mu.Lock()
	if n := len(p.idle); n > 0 {
		child := p.idle[n-1]
		p.idle = p.idle[:n-1]
		p.mu.Unlock()
		return child
	}
	wait := p.closed || time.Now().Before(p.retryAt)
	p.mu.Unlock()
	if wait {
		return nil
	}
	child, err := startProcess(p.command)
	if err == nil {
		return child
	}
	p.log.Warn("parsing goes on in this process, since no process for it can be started", "err", err)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.retryAt = time.Now().Add(retryStart)
	return nil
}

// give takes a child back.
func (p *Pool) give(child *process) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		go func() { _ = child.end() }()
		return
	}
	p.idle = append(p.idle, child)
	if p.ending == nil {
		p.ending = time.AfterFunc(idleFor, p.endIdle)
	} else {
		p.ending.Reset(idleFor)
	}
}

// endIdle ends all idle children. It runs when none was given back for a while.
func (p *Pool) endIdle() {
	p.mu.Lock()
	idle := p.idle
	p.idle = nil
	p.mu.Unlock()
	for _, child := range idle {
		_ = child.end()
	}
}

// Close ends the children. Texts in work are finished; later ones are parsed in this process.
func (p *Pool) Close() error {
	p.mu.Lock()
	p.closed = true
	if p.ending != nil {
		p.ending.Stop()
	}
	p.mu.Unlock()
	p.endIdle()
	return nil
}
