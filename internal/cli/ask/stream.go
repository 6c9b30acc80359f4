package ask

import (
	"fmt"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/show"
)

// An answerStream shows an answer while it comes. Only a terminal is shown one: what was written to a pipe could not be taken
// back when the model starts over.
type answerStream struct {
	cli   *app.App
	on    bool
	shown bool // the whole answer has been printed
	open  bool // the last line has no end yet
	now   *statusLine
}

func newStream(c *app.App) *answerStream {
	return &answerStream{cli: c, on: c.Width > 0 && !c.JSON, now: newStatusLine(c)}
}

// sink passes events on to next, which may be nil, and prints pieces of the answer.
func (s *answerStream) sink(next func(engine.Progress)) func(engine.Progress) {
	return func(p engine.Progress) {
		if p.Void && s.shown {
			s.end()
			s.shown = false
			s.now.clear()
			fmt.Fprintf(s.cli.Err, "aurora: %s; what was printed so far does not count\n", display.Clean(p.Detail))
		}
		if p.Delta != "" {
			if s.on {
				s.now.clear()
				s.shown, s.open = true, true
				fmt.Fprint(s.cli.Out, display.CleanLines(p.Delta))
			}
			return
		}
		if next != nil && !s.cli.JSON && (p.Status != "in_progress" || s.cli.Verbose > 1) {
			s.endLine() // what follows stands below the answer, not at its end
		}
		if next != nil {
			next(p)
		}
		if p.Status == "in_progress" && soar.TellsOfTool(p.Detail) {
			s.endLine()
			s.now.print("aurora: " + p.Detail)
		}
		if p.Status == "in_progress" && !s.open {
			s.now.show(show.PhaseLine(engine.Progress{Stage: p.Stage, Status: p.Status}))
		}
	}
}

// end ends what is shown while the question is worked on.
func (s *answerStream) end() {
	s.now.clear()
	s.endLine()
}

// endLine ends the line that is open.
func (s *answerStream) endLine() {
	if s.open {
		fmt.Fprintln(s.cli.Out)
		s.open = false
	}
}
