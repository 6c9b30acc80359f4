package lsp

import (
	"encoding/json"
	"maps"
	"slices"
	"sync"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/api"
	"time"
)

// patience is how long a test waits for what must come.
const patience = 60 * time.Second

// State is what a server has told its editor so far.
type State struct {
	Status   map[string]json.RawMessage // of aurora/didChangeStatus, newest fields
	Statuses int                        // notifications of aurora/didChangeStatus
	Progress map[string][]string        // kinds of $/progress events by token
	Partial  map[string][]string        // values of other $/progress events by token
	Aurora   []string                   // params of aurora/progress
	Messages []string                   // of window/showMessage
	Asked    []string                   // of window/showMessageRequest and aurora/ask
	Shown    []string                   // URIs of window/showDocument
	Hints    map[string][]Hint          // of textDocument/publishDiagnostics, by URI
	Unknown  []string                   // methods that the editor does not know
}

// A Hint is a diagnostic.
type Hint struct {
	Range    api.Range `json:"range"`
	Severity int       `json:"severity"`
	Code     string    `json:"code"`
	Message  string    `json:"message"`
	Related  []struct {
		Location struct {
			URI   string    `json:"uri"`
			Range api.Range `json:"range"`
		} `json:"location"`
		Message string `json:"message"`
	} `json:"relatedInformation"`
}

// Ready reports whether the server's last status says that the whole workspace is indexed.
func (s *State) Ready() bool {
	var state string
	var folders []any
	_ = json.Unmarshal(s.Status["state"], &state)
	_ = json.Unmarshal(s.Status["folders"], &folders)
	return (state == "ready" || state == "degraded") && len(folders) > 0
}

// A watch guards a State and wakes those who wait for it.
type watch struct {
	mu      sync.Mutex
	state   State
	changed chan struct{} // closed and replaced at every change
}

func newWatch() *watch {
	return &watch{
		changed: make(chan struct{}),
		state:   State{Status: map[string]json.RawMessage{}, Progress: map[string][]string{}, Partial: map[string][]string{}},
	}
}

func (w *watch) update(f func(*State)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	f(&w.state)
	close(w.changed)
	w.changed = make(chan struct{})
}

// snapshot copies the state.
func (w *watch) snapshot() (State, <-chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.state
	s.Status, s.Progress, s.Partial = maps.Clone(s.Status), maps.Clone(s.Progress), maps.Clone(s.Partial)
	s.Aurora, s.Messages = slices.Clone(s.Aurora), slices.Clone(s.Messages)
	s.Asked = slices.Clone(s.Asked)
	s.Shown, s.Unknown = slices.Clone(s.Shown), slices.Clone(s.Unknown)
	return s, w.changed
}

func (w *watch) await(t testing.TB, what string, ok func(*State) bool) State {
	t.Helper()
	limit := time.After(patience)
	for {
		s, changed := w.snapshot()
		if ok(&s) {
			return s
		}
		select {
		case <-changed:
		case <-limit:
			t.Fatalf("waited in vain for %s; the server told %+v", what, s)
		}
	}
}
