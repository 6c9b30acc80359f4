package soar

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/engine/reason/claims"
	"github.com/aurora-sidecar/aurora/internal/scrub"
	"github.com/aurora-sidecar/aurora/prompts"
)

// A Toolbox looks up what a model asks for. It serves several goroutines.
type Toolbox interface {
	// Use returns what a call brings. What is wrong with the call is a Finding, too: the model reads it. An error ends the
	// query.
	Use(ctx context.Context, c llm.ToolCall) (Finding, error)
}

// A Finding is what a call of a tool brings.
type Finding struct {
	Sources []Source `json:"sources,omitempty"` // that may be cited from now on; without ids
	Text    string   `json:"text,omitempty"`    // what is no snippet, such as an outline
	Outcome string   `json:"outcome,omitempty"` // of a run, in a line for people
}

// bounds limit a loop.
type bounds struct {
	turns int // with calls
	calls int
	time  time.Duration // after which no further call is made
}

// loopBounds are the limits by how hard a question is.
var loopBounds = map[Level]bounds{
	Simple:   {turns: 6, calls: 12, time: time.Minute},
	Medium:   {turns: 6, calls: 16, time: 2 * time.Minute},
	Complex:  {turns: 10, calls: 24, time: 4 * time.Minute},
	Critical: {turns: 14, calls: 40, time: 6 * time.Minute},
}

// resultTokens is how much of one result a model reads at most.
const resultTokens = 4000

// A loop is a model that may look things up before it replies: a Generator for one prompt, with its repair. It keeps the
// conversation, answers calls that it had before from memory, and lets the model reply when a bound is reached.
type loop struct {
	q        *query
	next     llm.Generator
	phase    string
	step     int // of the subgoal, 0 for the query itself
	bounds   bounds
	found    []Source // by calls
	messages []llm.Message
	given    int // messages of the prompt that are in messages
	known    map[string]string
	calls    int
	idle     int // turns in a row that brought nothing new
	start    time.Time
	nextTurn func(found []Source) // told before the model is asked again; may be nil
	checks   bool                 // the tests of proposed edits are run when the model has replied
}

func (q *query) newLoop(next llm.Generator, phase string, step int) *loop {
	return &loop{q: q, next: next, phase: phase, step: step, bounds: loopBounds[q.state.Assessment.Level], known: map[string]string{}, start: time.Now()}
}

// Complete implements llm.Generator.
func (l *loop) Complete(ctx context.Context, r llm.Request) (*llm.Response, error) {
	return l.run(ctx, r, func(r llm.Request) (*llm.Response, error) { return l.next.Complete(ctx, r) })
}

// Stream implements llm.Generator. What a model says besides its calls is made void.
func (l *loop) Stream(ctx context.Context, r llm.Request, sink func(llm.Delta)) (*llm.Response, error) {
	spoke := false
	return l.run(ctx, r, func(r llm.Request) (*llm.Response, error) {
		if spoke {
			sink(llm.Delta{Restart: true})
			spoke = false
		}
		return l.next.Stream(ctx, r, func(d llm.Delta) {
			spoke = spoke || d.Text != ""
			sink(d)
		})
	})
}

func (l *loop) run(ctx context.Context, r llm.Request, ask func(llm.Request) (*llm.Response, error)) (*llm.Response, error) {
	l.messages = append(l.messages, r.Messages[l.given:]...)
	first := l.given == 0
	l.given = len(r.Messages)
	for turn := 0; ; turn++ {
		r.Tools = nil
		if first && turn < l.bounds.turns && l.idle < mostIdle && l.roomLeft() > resultTokens && l.calls < l.bounds.calls && time.Since(l.start) < l.bounds.time {
			r.Tools = l.tools()
		} else if turn > 0 {
			l.messages = append(l.messages, llm.Message{Role: "user", Content: "No more calls: reply now, from what you have."})
		}
		r.Messages = slices.Clone(l.messages)
		response, err := ask(r)
		if err != nil || r.Tools == nil {
			return response, err
		}
		if len(response.Calls) == 0 {
			if again, err := l.objects(ctx, turn, response); err != nil || !again {
				return response, err
			}
			continue
		}
		if err := l.use(ctx, response); err != nil {
			return nil, err
		}
		if l.nextTurn != nil {
			l.nextTurn(l.found)
		}
	}
}

// mostIdle is how many turns in a row may only repeat calls: then the model has to reply.
const mostIdle = 2

// For a model that is told of a test that fails with its edits.
const (
	mendingTurns = 3
	mendingCalls = 6
)

// objects runs the tests of what the reply proposes. When one fails, the model is told, and may call tools again: it reports
// whether that is so.
func (l *loop) objects(ctx context.Context, turn int, reply *llm.Response) (again bool, err error) {
	if !l.checks || strings.TrimSpace(reply.Text) == "" || l.roomLeft() <= 2*resultTokens {
		return false, nil
	}
	l.checks = false // once
	finding, err := l.q.opts.Tools.Use(ctx, llm.ToolCall{Name: ToolCheck, Arguments: "{}"})
	if err != nil {
		return false, err
	}
	if finding.Outcome != "" {
		for line := range strings.SplitSeq(finding.Outcome, "\n") {
			l.q.run.Note(l.phase, InProgress, Ran+line)
		}
	}
	if finding.Text == "" {
		return false, nil
	}
	report, err := rendered(ToolRun, finding.Text, nil, 0)
	if err != nil {
		return false, err
	}
	l.messages = append(l.messages, llm.Message{Role: "assistant", Content: reply.Text}, llm.Message{
		Role: "user", Content: "Tests of what you propose fail:\n" + report + "Where the edits are wrong, propose edits that mend them: each is made in the text as your edits so far have left it. " +
			"Where a test has to change, change it. Then answer again, as a whole.",
	})
	l.bounds.turns, l.bounds.calls, l.bounds.time = turn+1+mendingTurns, l.calls+mendingCalls, time.Since(l.start)+loopBounds[Simple].time
	return true, nil
}

// rendered is the result of a tool as the model reads it: text, and so many tokens of sources, as data.
func rendered(tool, text string, sources []Source, tokens int) (string, error) {
	text, _ = scrub.Text(CutText(text, 4*resultTokens))
	return prompts.Render("tool_result", struct {
		Tool, Text string
		Sources    []prompts.Source
	}{tool, text, promptSources(sources, tokens)})
}

// tools are those that the model is offered.
func (l *loop) tools() []llm.Tool {
	offered := slices.Clone(lookups)
	if l.q.state.Request.Changes {
		offered = append(offered, proposeEdit, proposeMove)
	}
	if l.q.opts.RunsTests {
		offered = append(offered, runTests)
	}
	return offered
}

// roomLeft is how many tokens the conversation may still take.
func (l *loop) roomLeft() int {
	left := l.q.opts.room() + frame
	for _, m := range l.messages {
		left -= llm.EstimateTokens(m.Content)
	}
	return left
}

// use makes the calls of a reply and adds their results to the conversation.
func (l *loop) use(ctx context.Context, response *llm.Response) error {
	calls := slices.Clone(response.Calls[:min(len(response.Calls), max(1, l.bounds.calls-l.calls))])
	for i := range calls {
		if calls[i].ID == "" {
			calls[i].ID = fmt.Sprintf("call%d", l.calls+i+1)
		}
	}
	l.messages = append(l.messages, llm.Message{Role: "assistant", Content: response.Text, Calls: calls})
	for _, c := range calls {
		l.calls++
		text, err := l.result(ctx, c)
		if err != nil {
			return err
		}
		l.messages = append(l.messages, llm.Message{Role: llm.RoleTool, CallID: c.ID, Content: text})
	}
	l.idle++
	return nil
}

// result is what a call brings, as the model reads it.
func (l *loop) result(ctx context.Context, c llm.ToolCall) (string, error) {
	key := c.Name + " " + strings.Join(strings.Fields(c.Arguments), " ")
	if l.known[key] != "" {
		return "You have this result already: " + l.known[key], nil
	}
	l.idle = -1 // this turn is none
	if c.Name == ToolRun {
		l.q.run.Note(l.phase, InProgress, "running "+argumentsOf(c))
	}
	finding, err := l.q.opts.Tools.Use(ctx, c)
	if err != nil {
		return "", err
	}
	unread, read := l.partRead(finding.Sources)
	if c.Name == ToolSearch {
		unread = unread[:min(mostSearched, len(unread))]
	}
	put := l.q.state.shelf.putFrom(l.step*placesPerStep, unread)
	if len(read) > 0 {
		finding.Text += "Shown above, as a whole: " + strings.Join(idsOf(l.q.state.shelf.putFrom(l.step*placesPerStep, read)), ", ") + ".\n"
	}
	fresh := slices.DeleteFunc(slices.Clone(put), func(s Source) bool {
		return slices.ContainsFunc(l.found, func(old Source) bool { return old.ID == s.ID })
	})
	l.found = append(l.found, fresh...)
	l.q.run.Note(l.phase, InProgress, toolLine(c, put, finding.Outcome))
	text, err := rendered(c.Name, finding.Text, put, min(resultTokens, max(smallEvidence, l.roomLeft()/2)))
	if err != nil {
		return "", err
	}
	if c.Name == ToolEdit || c.Name == ToolMove { // what it changes, runs and readings show
		clear(l.known)
	}
	l.known[key] = strings.Join(append([]string{"see above"}, idsOf(put)...), ", ")
	return text, nil
}

// mostSearched is how many hits of a search a model is shown that it has not read.
const mostSearched = 8

// partRead parts sources from those that stand in the conversation as a whole, which are not shown again.
func (l *loop) partRead(sources []Source) (unread, read []Source) {
	for _, s := range sources {
		text, _ := scrub.Text(s.Text)
		if strings.TrimSpace(text) != "" && slices.ContainsFunc(l.messages, func(m llm.Message) bool { return strings.Contains(m.Content, text) }) {
			read = append(read, s)
		} else {
			unread = append(unread, s)
		}
	}
	return unread, read
}

// idsOf names sources.
func idsOf(sources []Source) []string {
	ids := make([]string, len(sources))
	for i, s := range sources {
		ids[i] = s.ID
	}
	return ids
}

// The beginnings of the detail of an event that tells of a call of a tool.
const (
	LookedUp = "looked up: "
	Ran      = "ran: "
	Proposed = "proposed: "
)

// TellsOfTool reports whether the detail of an event tells of a call of a tool.
func TellsOfTool(detail string) bool {
	return strings.HasPrefix(detail, LookedUp) || strings.HasPrefix(detail, Ran) || strings.HasPrefix(detail, Proposed)
}

// toolLine tells people of a call.
func toolLine(c llm.ToolCall, found []Source, outcome string) string {
	if outcome != "" && (c.Name == ToolEdit || c.Name == ToolMove) {
		return Proposed + outcome // the diff shows the rest
	}
	if outcome != "" && c.Name == ToolRun {
		return Ran + outcome
	}
	line := LookedUp + c.Name + " " + argumentsOf(c)
	if len(found) > 0 {
		line += ", " + tell(len(found), "snippet", "snippets")
	}
	if outcome != "" {
		line += ", " + outcome
	}
	return line
}

func argumentsOf(c llm.ToolCall) string {
	return claims.Excerpt(strings.Join(strings.Fields(c.Arguments), " "))
}

// asks is the generator for one prompt: one that may look things up where there is a toolbox.
func (l *loop) asks() llm.Generator {
	if l.q.opts.Tools == nil {
		return l.next
	}
	return l
}

// isModelFault returns the failure of a model behind an error, nil for any other error.
func isModelFault(err error) *llm.Error {
	var failure *llm.Error
	errors.As(err, &failure)
	return failure
}

// The tools of models.
const (
	ToolSearch     = "search"
	ToolDefinition = "definition"
	ToolRead       = "read"
	ToolOutline    = "outline"
	ToolCallers    = "callers"
	ToolCallees    = "callees"
	ToolGrep       = "grep"
	ToolGitLog     = "git_log"
	ToolBlame      = "blame"
	ToolRecall     = "recall"
	ToolRun        = "run"
	ToolEdit       = "edit"
	ToolMove       = "move"
	ToolCheck      = "check" // the loop's own: the tests that cover what is proposed
)

// lookups are the tools of a loop.
var lookups = []llm.Tool{
	lookup(ToolDefinition, "The whole definition of a function, method, type or constant.", `{"name":"Cart.Total"}`),
	lookup(ToolSearch, "Code and documents for words or names, the best first.", `{"query":"retry after a timeout"}`),
	lookup(ToolRead, "Lines of a file of the workspace.", `{"path":"src/cart.go","first":10,"last":60}`),
	lookup(ToolOutline, "The definitions of a file with their lines.", `{"path":"src/cart.go"}`),
	lookup(ToolCallers, "Who calls a function or method.", `{"name":"Cart.Total"}`),
	lookup(ToolCallees, "What a function or method calls.", `{"name":"Cart.Total"}`),
	lookup(ToolGrep, "Lines that match a regular expression (RE2).", `{"pattern":"TODO|FIXME"}`),
	lookup(ToolGitLog, "The latest commits of a file or folder; an empty path is the project.", `{"path":"src/cart.go"}`),
	lookup(ToolBlame, "The commits that the lines of a definition come from.", `{"name":"Cart.Total"}`),
	lookup(ToolRecall, "What people have noted and decided.", `{"query":"why sqlite"}`),
}

// runTests is the tool that is offered where tests can do no harm.
var runTests = lookup(ToolRun, "Runs a test or a build of the project in a sandbox, without network and without a shell, and tells its exit code and output. "+
	"Nothing that it writes is kept. The path is the folder to start in.", `{"command":"go test ./cart -run '^TestTotal$'","path":"."}`)

// proposeEdit is the tool that is offered where the reader asks for a change.
var proposeEdit = lookup(ToolEdit, "The reader wants a change of the code: propose each edit with this tool, and then say in words what it does and why. find is copied from the file with its "+
	"indentation and stands in it once; replace takes its place. An empty find makes a new file. Nothing is written: the reader gets a diff. A test that is run sees the edits.",
	`{"path":"src/cart.go","find":"return len(cents)","replace":"return total"}`)

// proposeMove is offered with it.
var proposeMove = lookup(ToolMove, "Proposes that a file be moved to another path, with the edits of it so far, or deleted: then to is empty. Mend by edits what names it.",
	`{"path":"src/old.go","to":"src/cart.go"}`)

// Arguments are those of any tool; each uses some of them.
type Arguments struct {
	Name    string `json:"name"`
	Query   string `json:"query"`
	Path    string `json:"path"`
	Pattern string `json:"pattern"`
	Command string `json:"command"`
	Find    string `json:"find"`
	Replace string `json:"replace"`
	To      string `json:"to"`
	First   int    `json:"first"` // one-based line
	Last    int    `json:"last"`
}

// lookup makes a tool, all of whose arguments are those of its example.
func lookup(name, description, example string) llm.Tool {
	var arguments map[string]any
	if err := json.Unmarshal([]byte(example), &arguments); err != nil {
		panic(err) // the examples are part of the program
	}
	properties, required := map[string]any{}, []string{}
	for argument, value := range arguments {
		kind := "integer"
		if _, ok := value.(string); ok {
			kind = "string"
			required = append(required, argument)
		}
		properties[argument] = map[string]string{"type": kind}
	}
	schema, err := json.Marshal(map[string]any{"type": "object", "properties": properties, "required": required})
	if err != nil {
		panic(err)
	}
	return llm.Tool{Name: name, Description: description, Parameters: schema, Example: example}
}
