package parser

import (
	"bufio"
	"encoding/gob"
	"errors"
	"io"
	"os"
	"os/signal"
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
	w := worker{documents: map[uint64]*localBuffer{}}
	dec, buffered := gob.NewDecoder(bufio.NewReaderSize(in, 1<<16)), bufio.NewWriterSize(out, 1<<16)
	enc := gob.NewEncoder(buffered)
	if err := errors.Join(enc.Encode(greeting{chunk.Version}), buffered.Flush()); err != nil {
		return err
	}
	for {
		var r request
		if err := dec.Decode(&r); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		guard := watch(len(r.Text))
		answer := w.do(&r)
		guard.stop()
		if err := errors.Join(enc.Encode(answer), buffered.Flush()); err != nil {
			return err
		}
	}
}

type worker struct {
	documents map[uint64]*localBuffer
}

func (w *worker) do(r *request) *reply {
	answer := &reply{}
	if r.Op == shut {
		if d := w.documents[r.Document]; d != nil {
			d.Close()
			delete(w.documents, r.Document)
		}
		return answer
	}
	lang := syntax.ByName(r.Language)
	if lang == nil {
		answer.describe(errors.New("no grammar is called " + r.Language))
		return answer
	}
	f, err := w.parse(r, lang)
	answer.File = chunk.Encode(f)
	answer.describe(err)
	return answer
}

func (w *worker) parse(r *request, lang *syntax.Language) (*chunk.File, error) {
	if r.Op == analyze {
		return chunk.Analyze(lang, r.Text)
	}
	d := w.documents[r.Document]
	if d != nil && r.Op == edit {
		d.Edit(r.Text, r.Edits)
		return d.File()
	}
	if d != nil {
		d.Close()
	}
	d = Local.Open(lang, r.Text).(*localBuffer)
	w.documents[r.Document] = d
	return d.File()
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

// A guard ends the process when the text that it watches takes too much.
type guard struct {
	timer  *time.Timer
	time   time.Duration // of the processor, at which it is too much
	memory int64         // likewise, resident bytes
}

func watch(size int) *guard {
	g := &guard{
		time:   processorTime() + baseTime + time.Duration(size>>20)*timePerMiB,
		memory: residentMemory() + baseMemory + memoryPerByte*int64(size),
	}
	g.timer = time.AfterFunc(watchEvery, g.check)
	return g
}

func (g *guard) stop() { g.timer.Stop() }

func (g *guard) check() {
	if processorTime() > g.time {
		os.Exit(exitBudget)
	}
	if residentMemory() > g.memory {
		os.Exit(exitMemory)
	}
	g.timer.Reset(watchEvery)
}
