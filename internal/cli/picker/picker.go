package picker

import (
	"context"
	"errors"
	"os"
	"strings"
	"time"
	"unicode/utf8"
)

// An Item is one thing that can be chosen.
type Item struct {
	Score, Kind, Name, Place string // on one line each
}

// A Preview is what is shown of an item.
type Preview struct {
	Lines    []string // without line breaks
	First    int      // number of the first line; 0 shows no numbers
	From, To int      // the lines that are meant, as indexes into Lines; To is exclusive
}

// Found is the answer to a query.
type Found struct {
	Items []Item
	Notes []string
}

// Options say what is searched.
type Options struct {
	Prompt  string
	Query   string // to begin with
	Color   bool
	Hint    string // what Enter does, in a word or two
	Search  func(ctx context.Context, query string) (Found, error)
	Preview func(query string, index int) Preview  // of an item that was found for the query
	Why     func(query string, index int) []string // why it ranks where it does
}

// A Choice is how a person left.
type Choice struct {
	Query string
	Index int  // of the item in what was found for Query
	Print bool // they asked for it to be printed, whatever Enter does
}

// Nothing chosen.
var (
	ErrLeft        = errors.New("nothing was chosen")
	ErrInterrupted = errors.New("interrupted")
)

// A terminal is where the picker runs. Read returns 0 bytes without an error when nobody types for a moment.
type terminal interface {
	Read(p []byte) (int, error)
	Write(p []byte) (int, error)
	Size() (width, height int)
}

// pause is how long a person has to stop typing before a search begins.
const pause = 25 * time.Millisecond

// maxQuery is the longest query, in characters.
const maxQuery = 500

// An answer is what a search found.
type answer struct {
	query string
	found Found
	err   error
}

// A picker is one run.
type picker struct {
	o        Options
	query    []rune
	cursor   int // in query
	found    Found
	foundFor string // the query that found belongs to
	err      error
	selected int
	top      int  // first item shown
	asking   bool // a search runs
	why      bool
	width    int
	height   int
	rows     int // items shown at once
}

// run shows the picker on a terminal until the person leaves or ctx ends. What resized tells is drawn again even when the size
// is as before: it may have been another one in between, and the terminal has cut what it showed.
func run(ctx context.Context, t terminal, o Options, resized <-chan os.Signal) (Choice, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p := &picker{o: o, query: []rune(o.Query)}
	p.cursor = len(p.query)
	p.width, p.height = t.Size()
	answers := make(chan answer)
	reads := readKeys(ctx, t)
	asking := p.ask(ctx, answers)
	defer func() { asking() }()
	var pending []byte
	stale := true // the screen shows something else
	for {
		if stale {
			if err := p.draw(t); err != nil {
				return Choice{}, err
			}
		}
		stale = true
		select {
		case <-ctx.Done():
			return Choice{}, ErrInterrupted
		case a := <-answers:
			p.take(a)
		case <-resized:
			p.resize(t)
		case r := <-reads:
			if r.err != nil {
				return Choice{}, r.err
			}
			stale = p.resize(t)
			var presses []press
			presses, pending = decode(append(pending, r.text...), len(r.text) == 0)
			before := string(p.query)
			for _, press := range presses {
				stale = true
				choice, done, err := p.press(press)
				if done {
					return choice, err
				}
			}
			if string(p.query) != before {
				asking()
				asking = p.ask(ctx, answers)
			}
		}
	}
}

// A read is what came from the keyboard.
type read struct {
	text []byte
	err  error
}

// readKeys reads in the background until ctx ends. A read without text tells that nobody types.
func readKeys(ctx context.Context, t terminal) <-chan read {
	reads := make(chan read)
	go func() {
		for ctx.Err() == nil {
			buffer := make([]byte, 4096)
			n, err := t.Read(buffer)
			select {
			case reads <- read{buffer[:n], err}:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
	return reads
}

// ask begins a search for the present query. The function returned ends it.
func (p *picker) ask(ctx context.Context, answers chan<- answer) (stop func()) {
	query := string(p.query)
	if strings.TrimSpace(query) == "" {
		p.found, p.foundFor, p.err, p.asking, p.selected, p.top = Found{}, query, nil, false, 0, 0
		return func() {}
	}
	p.asking = true
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
		found, err := p.o.Search(ctx, query)
		if ctx.Err() != nil {
			return
		}
		select {
		case answers <- answer{query, found, err}:
		case <-ctx.Done():
		}
	}()
	return cancel
}

func (p *picker) take(a answer) {
	if a.query != string(p.query) {
		return
	}
	p.found, p.err, p.foundFor, p.asking = a.found, a.err, a.query, false
	p.selected, p.top = 0, 0
}

// resize takes the terminal's size and reports whether it is another one.
func (p *picker) resize(t terminal) bool {
	width, height := p.width, p.height
	p.width, p.height = t.Size()
	return p.width != width || p.height != height
}

// press does what a key says; done when the person leaves.
func (p *picker) press(k press) (choice Choice, done bool, err error) {
	switch k.key {
	case keyEnter, keyPrint:
		if p.selected < len(p.found.Items) {
			return Choice{Query: p.foundFor, Index: p.selected, Print: k.key == keyPrint}, true, nil
		}
	case keyEscape:
		return Choice{}, true, ErrLeft
	case keyInterrupt:
		return Choice{}, true, ErrInterrupted
	case keyUp:
		p.move(-1)
	case keyDown:
		p.move(1)
	case keyPageUp:
		p.move(-max(1, p.rows-1))
	case keyPageDown:
		p.move(max(1, p.rows-1))
	case keyWhy:
		p.why = !p.why
	default:
		p.edit(k)
	}
	return Choice{}, false, nil
}

func (p *picker) move(by int) {
	p.selected = max(0, min(p.selected+by, len(p.found.Items)-1))
}

// edit changes the query.
func (p *picker) edit(k press) {
	cut := func(from, to int) {
		p.query = append(p.query[:from:from], p.query[to:]...)
		p.cursor = from
	}
	switch k.key {
	case keyText:
		text := []rune(k.text)
		if room := maxQuery - len(p.query); len(text) > room {
			text = text[:max(0, room)]
		}
		p.query = append(p.query[:p.cursor:p.cursor], append(text, p.query[p.cursor:]...)...)
		p.cursor += len(text)
	case keyBackspace:
		if p.cursor > 0 {
			cut(p.cursor-1, p.cursor)
		}
	case keyDelete:
		if p.cursor < len(p.query) {
			cut(p.cursor, p.cursor+1)
		}
	case keyClear:
		cut(0, p.cursor)
	case keyWord:
		from := p.cursor
		for from > 0 && p.query[from-1] == ' ' {
			from--
		}
		for from > 0 && p.query[from-1] != ' ' {
			from--
		}
		cut(from, p.cursor)
	case keyLeft:
		p.cursor = max(0, p.cursor-1)
	case keyRight:
		p.cursor = min(len(p.query), p.cursor+1)
	case keyHome:
		p.cursor = 0
	case keyEnd:
		p.cursor = len(p.query)
	}
}

// typed is the query without bytes that no text has.
func (p *picker) typed() string { return strings.ToValidUTF8(string(p.query), string(utf8.RuneError)) }
