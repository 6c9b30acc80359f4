package picker

import (
	"context"
	"errors"
	"os"
	"strings"
	"time"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
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

// A picker is one run, as Bubble Tea's model.
type picker struct {
	o        Options
	ctx      context.Context
	stop     context.CancelFunc // ends the search that runs
	input    textinput.Model
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

	leaving
}

// leaving is how the person left.
type leaving struct {
	choice Choice
	left   error
}

func newPicker(ctx context.Context, o Options) *picker {
	p := &picker{o: o, ctx: ctx, stop: func() {}, input: textinput.New(), width: 80, height: 24}
	p.input.Prompt, p.input.CharLimit = "", maxQuery
	p.input.SetStyles(textinput.Styles{})
	p.input.SetVirtualCursor(false)
	p.input.KeyMap.Paste.SetEnabled(false) // terminals paste
	p.input.SetValue(o.Query)
	p.input.Focus()
	return p
}

// Run shows the picker on the terminal that in and out are, until the person leaves or ctx ends. It returns ErrLeft or
// ErrInterrupted when nothing was chosen.
func Run(ctx context.Context, in, out *os.File, o Options) (Choice, error) {
	p := newPicker(ctx, o)
	defer func() { p.stop() }()
	// The colours are those of the terminal's theme: it is asked nothing.
	_, err := tea.NewProgram(p, tea.WithContext(ctx), tea.WithInput(in), tea.WithOutput(out), tea.WithoutSignalHandler(),
		tea.WithColorProfile(colorprofile.ANSI)).Run()
	switch {
	case ctx.Err() != nil:
		return Choice{}, ErrInterrupted
	case err != nil:
		return Choice{}, err
	}
	return p.choice, p.left
}

// Init implements tea.Model.
func (p *picker) Init() tea.Cmd { return p.ask() }

// Update implements tea.Model.
func (p *picker) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		p.width, p.height = msg.Width, msg.Height
		return p, tea.ClearScreen // it may have been another size in between, and the terminal has cut what it showed
	case answer:
		p.take(msg)
		return p, nil
	case tea.KeyPressMsg:
		if cmd, ok := p.press(msg.String()); ok {
			return p, cmd
		}
	}
	before := p.input.Value()
	p.input, _ = p.input.Update(msg)
	if p.input.Value() == before {
		return p, nil
	}
	return p, p.ask()
}

// ask ends the search that runs and begins one for the present query.
func (p *picker) ask() tea.Cmd {
	p.stop()
	query := p.input.Value()
	if strings.TrimSpace(query) == "" {
		p.found, p.foundFor, p.err, p.asking, p.selected, p.top = Found{}, query, nil, false, 0, 0
		return nil
	}
	p.asking = true
	ctx, stop := context.WithCancel(p.ctx)
	p.stop = stop
	return func() tea.Msg {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(pause):
		}
		found, err := p.o.Search(ctx, query)
		if ctx.Err() != nil {
			return nil
		}
		return answer{query, found, err}
	}
}

func (p *picker) take(a answer) {
	if a.query != p.input.Value() {
		return
	}
	p.found, p.err, p.foundFor, p.asking = a.found, a.err, a.query, false
	p.selected, p.top = 0, 0
}

// press does what a key says that does not edit the query; ok is false for one that does.
func (p *picker) press(key string) (cmd tea.Cmd, ok bool) {
	switch key {
	case "enter", "kpenter", "ctrl+m", "ctrl+y":
		if p.selected < len(p.found.Items) {
			p.choice = Choice{Query: p.foundFor, Index: p.selected, Print: key == "ctrl+y"}
			return tea.Quit, true
		}
	case "esc", "ctrl+[", "ctrl+g":
		p.left = ErrLeft
		return tea.Quit, true
	case "ctrl+c":
		p.left = ErrInterrupted
		return tea.Quit, true
	case "up", "ctrl+p", "ctrl+k", "shift+tab":
		p.move(-1)
	case "down", "ctrl+n", "ctrl+j", "tab", "ctrl+i":
		p.move(1)
	case "pgup":
		p.move(-max(1, p.rows-1))
	case "pgdown":
		p.move(max(1, p.rows-1))
	case "ctrl+r":
		p.why = !p.why
	case "ctrl+l":
		return tea.ClearScreen, true
	default:
		return nil, false
	}
	return nil, true
}

func (p *picker) move(by int) {
	p.selected = max(0, min(p.selected+by, len(p.found.Items)-1))
}
