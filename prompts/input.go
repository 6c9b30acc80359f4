package prompts

// Input is what the prompts of the phases are filled with. Each template uses the fields that its phase has; those it
// does not name may stay empty.
type Input struct {
	Query   string
	Earlier *Earlier // that the query goes on from; nil for a query of its own
	Sources []Source
	Agents  []Agent

	Keyword    string  // level that the keyword classifier chose; assess
	Confidence float64 // of Keyword

	Angle         string // point of view of one of several paths; decompose
	Feedback      string // JSON: why an earlier attempt did not pass
	Decomposition string // JSON
	Examples      []string

	Instructions string // of the agent that works on the subgoal; the user wrote them
	Subgoal      string // JSON
	Response     string // JSON: an agent's envelope, or the text that was reviewed
	Incoming     []string
	Step         int // one-based
	Steps        int

	Summaries []Summary
	Synthesis string

	PathID string // whom the advocate speaks for
	Paths  []Path

	Checkpoint    string // decomposition, agent_output, synthesis
	Verification  string // JSON
	Attempt       int
	MaxAttempts   int
	PreviousScore float64

	Goal  string
	Plan  string // JSON
	State string

	Thresholds Thresholds // of scores; Build fills in the usual ones

	Schema string // filled in by Build
}

// Thresholds are the scores at which something changes, 0 to 1.
type Thresholds struct {
	Retry   float64 // below it work has failed
	Pass    float64 // from it on work passes
	Pattern float64 // from it on an answer is an example for later ones

	Excellent float64 // from it on nothing need be mended; filled in by Build
}

// usualThresholds are effective when nothing is said.
var usualThresholds = Thresholds{Retry: 0.5, Pass: 0.7, Pattern: 0.8}

// excellent is the score from which on nothing need be mended, unless even more is asked for.
const excellent = 0.9

// An Earlier is the question before in a conversation.
type Earlier struct {
	Query  string
	Answer string
	Done   []string // subgoals whose results stay, "SG1: description"
	Next   string   // id of the first subgoal that is new
}

// A Source is a passage that a model may cite by its id.
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
