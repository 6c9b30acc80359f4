package parser

import (
	"bufio"
	"encoding/gob"
	"errors"
	"io"
	"os"
	"os/signal"
	"sync"
	"time"

	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/syntax"
)

// Argument is the only argument of a program that is to call Serve, when a Pool starts it.
const Argument = "parse-for-parent"

// Serve is the child: it answers requests until in ends. Its last act on a text that takes too much is to end the
// process.
func Serve(in io.Reader, out io.Writer) error {
	signal.Ignore(os.Interrupt) // Ctrl-C in a terminal is for the parent, which closes in
	dec, buffered := gob.NewDecoder(bufio.NewReaderSize(in, 1<<16)), bufio.NewWriterSize(out, 1<<16)
	enc := gob.NewEncoder(buffered)
	if err := errors.Join(enc.Encode(greeting{chunk.Version}), buffered.Flush()); err != nil {
		return err
	}
	guard := newGuard(os.Exit)
	for {
		var r request
		if err := dec.Decode(&r); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		guard.watch(len(r.Text))
		made := answer(&r)
		guard.stop()
		if err := errors.Join(enc.Encode(made), buffered.Flush()); err != nil {
			return err
		}
	}
}

// answer cuts a text.
func answer(r *request) *reply {
	a := &reply{}
	lang := syntax.ByName(r.Language)
	if lang == nil {
		a.describe(errors.New("no grammar is called " + r.Language))
		return a
	}
	f, err := chunk.Analyze(lang, r.Text)
	a.File = chunk.Encode(f)
	a.describe(err)
	return a
}

// What one text may take. The time is that of the processor, so that a busy machine loses no files; it is some twenty
// times what ordinary code takes. A tree takes about 17 bytes for each byte of source.
const (
	baseTime      = 2 * time.Second
	timePerMiB    = time.Second // beyond the first
	baseMemory    = 500 << 20
	memoryPerByte = 24
	watchEvery    = 25 * time.Millisecond
)

// A guard ends the process when the text that it watches takes too much. It watches one text after the other.
type guard struct {
	mu      sync.Mutex
	timer   *time.Timer
	working bool
	time    time.Duration // of the processor, at which it is too much
	memory  int64         // likewise, resident bytes
	exit    func(code int)
}

func newGuard(exit func(code int)) *guard { return &guard{exit: exit} }

// watch begins with a text of size bytes.
func (g *guard) watch(size int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.working = true
	g.time = processorTime() + baseTime + time.Duration(size>>20)*timePerMiB
	g.memory = residentMemory() + baseMemory + memoryPerByte*int64(size)
	if g.timer == nil {
		g.timer = time.AfterFunc(watchEvery, g.check)
	} else {
		g.timer.Reset(watchEvery)
	}
}

// stop ends watching. A check that has begun already changes nothing then.
func (g *guard) stop() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.working = false
	g.timer.Stop()
}

func (g *guard) check() {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case !g.working:
	case processorTime() > g.time:
		g.exit(exitBudget)
	case residentMemory() > g.memory:
		g.exit(exitMemory)
	default:
		g.timer.Reset(watchEvery)
	}
}
