package prompts

// Input is what the prompts of the phases are filled with. Each template uses the fields that its phase has; those it
// does not name may stay empty.
type Input struct {
	Query   string
	Earlier *Earlier // that the query goes on from; nil for a query of its own
	Sources []Source
	Agents  []Agent

	Assessed
	Planning
	Work
	Combined
	Check
	Progress

	// Filled in by Build.
	Thresholds thresholds
	Schema     string
}

// Assessed is what the keyword classifier chose.
type Assessed struct {
	Keyword    string // level
	Confidence float64
}

// Planning is how a query is cut into subgoals.
type Planning struct {
	Angle         string // point of view of one of several paths
	Feedback      string // JSON: why an earlier attempt did not pass
	Decomposition string // JSON
	Examples      []string
}

// Work is one subgoal and what came of it.
type Work struct {
	Instructions string // of the agent that works on the subgoal; the user wrote them
	Subgoal      string // JSON
	Response     string // JSON: an agent's envelope, or the text that was reviewed
	Incoming     []string
	Step         int // one-based
	Steps        int
}

// Combined is what an answer, or the choice between paths, is made of.
type Combined struct {
	Summaries []Summary
	Synthesis string
	PathID    string // whom the advocate speaks for
	Paths     []Path
}

// A Check is a verification, and how often it was tried.
type Check struct {
	Checkpoint    string // decomposition, agent_output, synthesis
	Verification  string // JSON
	Attempt       int
	MaxAttempts   int
	PreviousScore float64
}

// Progress is how far a plan has come.
type Progress struct {
	Goal  string
	Plan  string // JSON
	State string
}

// The scores at which something changes, 0 to 1. Prompts explain them, and reviews are judged by them.
const (
	RetryScore     = 0.5 // below it work has failed
	PassScore      = 0.7 // from it on work passes
	PatternScore   = 0.8 // from it on an answer is an example for later ones
	excellentScore = 0.9 // from it on nothing need be mended
)

// thresholds are these scores as templates read them.
type thresholds struct{ Retry, Pass, Pattern, Excellent float64 }

// An Earlier is the question before in a conversation.
type Earlier struct {
	Query  string
	Answer string
	Done   []string // subgoals whose results stay, "SG1: description"
	Next   string   // id of the first subgoal that is new
}

// A Source is a snippet that a model may cite by its id.
type Source struct {
	ID   string // S1, S2, ...
	Path string
	Line int // one-based; 0 when unknown
	Name string
	Text string
}

// An Agent is one that a plan may name.
type Agent struct {
	ID           string
	Capabilities []string
	Domains      []string
	Description  string
}

// A Summary is what an agent found out.
type Summary struct {
	SubgoalID  string
	Confidence float64
	Note       string // why it should not be trusted; "" when it can be
	Text       string
}

// A Path is one plan of a debate.
type Path struct {
	ID            string // P1, P2, ...
	Decomposition string // JSON
	Argument      string // of its advocate
}
