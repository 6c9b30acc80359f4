package agents

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aurora-sidecar/aurora/engine/reason/soar"
)

// plainConfidence is that of a tool's answer in plain words: nobody has said how sure it is.
const plainConfidence = 0.5

// call has a tool of an MCP server work on the task. Each task has a server of its own, which is gone afterwards.
func (a *agent) call(ctx context.Context, t task, ask soar.Asker) (*reply, error) {
	timed, cancel := newStopwatch(ctx, a.timeout())
	defer cancel()
	session, done, err := a.registry.connect(timed.ctx, &a.definition, a.folder, a.elicit(timed, ask))
	if err != nil {
		return nil, a.mcpError(ctx, timed.ctx, "connect", err)
	}
	defer done()
	tool, err := findTool(timed.ctx, session, a.definition.toolName())
	if err != nil {
		return nil, a.mcpError(ctx, timed.ctx, "list its tools", err)
	}
	arguments, err := argumentsFor(tool, t)
	if err != nil {
		return nil, err
	}
	result, err := session.CallTool(timed.ctx, &sdk.CallToolParams{Name: tool.Name, Arguments: arguments})
	if err != nil {
		return nil, a.mcpError(ctx, timed.ctx, "call "+tool.Name, err)
	}
	return a.toolReply(result, tool.Name)
}

func (a *agent) mcpError(ctx, timed context.Context, what string, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(context.Cause(timed), errStopped):
		return fmt.Errorf("the server gave no answer within %s (agents.timeout_seconds)", a.timeout())
	}
	return fmt.Errorf("%s: %w", what, err)
}

// A stopwatch is a context that ends when an agent's time is over; while the person thinks, it stands still.
type stopwatch struct {
	ctx   context.Context
	end   context.CancelCauseFunc
	timer *time.Timer
	left  time.Duration
	since time.Time
}

func newStopwatch(ctx context.Context, limit time.Duration) (*stopwatch, func()) {
	w := &stopwatch{left: limit, since: time.Now()}
	w.ctx, w.end = context.WithCancelCause(ctx)
	w.timer = time.AfterFunc(limit, func() { w.end(errStopped) })
	return w, func() { w.timer.Stop(); w.end(nil) }
}

// pause stops the watch until the returned function is called.
func (w *stopwatch) pause() (goOn func()) {
	if w.timer.Stop() {
		w.left = max(time.Second, w.left-time.Since(w.since))
	}
	return func() {
		w.since = time.Now()
		w.timer.Reset(w.left)
	}
}

// elicit answers the server's questions by asking the person: one value for the one text that the server wants.
func (a *agent) elicit(w *stopwatch, ask soar.Asker) func(context.Context, *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
	turns := 0
	return func(_ context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
		field, choices := wanted(r.Params.RequestedSchema)
		if turns++; ask == nil || field == "" || r.Params.Mode == "url" || turns > maxTurns {
			return &sdk.ElicitResult{Action: "decline"}, nil
		}
		defer w.pause()()
		answer, ok, err := ask(w.ctx, soar.Question{AgentID: a.definition.ID, Text: cut(r.Params.Message, maxText), Choices: choices})
		if err != nil || !ok {
			return &sdk.ElicitResult{Action: "cancel"}, err
		}
		return &sdk.ElicitResult{Action: "accept", Content: map[string]any{field: answer}}, nil
	}
}

// wanted returns the one text that a schema asks for, "" when it asks for something else.
func wanted(schema any) (field string, choices []string) {
	s := schemaOf(schema)
	if len(s.Properties) != 1 {
		return "", nil
	}
	for name, p := range s.Properties {
		if p.Type == "string" {
			return name, p.Enum
		}
	}
	return "", nil
}

// A schema is what matters here of a JSON Schema of an object.
type schema struct {
	Properties map[string]struct {
		Type string   `json:"type"`
		Enum []string `json:"enum"`
	} `json:"properties"`
	Required []string `json:"required"`
}

func schemaOf(v any) schema {
	var s schema
	if raw, err := json.Marshal(v); err == nil {
		_ = json.Unmarshal(raw, &s) // what is of another shape asks for nothing that can be given
	}
	return s
}

// taskArguments are the names under which tools take a task in words, the best first.
var taskArguments = []string{"task", "query", "question", "prompt", "input", "text", "message", "description", "q"}

// taskArgument returns the argument of a tool that takes the task, "" when the tool needs something else.
func taskArgument(tool *sdk.Tool) string {
	s := schemaOf(tool.InputSchema)
	best := ""
	for _, name := range taskArguments {
		if p, ok := s.Properties[name]; ok && p.Type == "string" && len(p.Enum) == 0 {
			best = name
			break
		}
	}
	if best == "" && len(s.Required) == 1 && s.Properties[s.Required[0]].Type == "string" && len(s.Properties[s.Required[0]].Enum) == 0 {
		best = s.Required[0]
	}
	if slices.ContainsFunc(s.Required, func(name string) bool { return name != best && !takesTask(s, name) }) {
		return ""
	}
	return best
}

// takesTask reports whether a required argument is one of those that carry the whole task.
func takesTask(s schema, name string) bool {
	return (name == "subgoal" || name == "sources" || name == "incoming_context") && s.Properties[name].Type != "string"
}

func argumentsFor(tool *sdk.Tool, t task) (map[string]any, error) {
	name := taskArgument(tool)
	if name == "" {
		return nil, fmt.Errorf("the tool %s needs arguments that a task does not have; it must take one text, such as task or query", tool.Name)
	}
	arguments := map[string]any{name: t.prose()}
	s := schemaOf(tool.InputSchema)
	for key, value := range map[string]any{"subgoal": t.Subgoal, "sources": t.Sources, "incoming_context": t.Incoming} {
		if _, ok := s.Properties[key]; ok && takesTask(s, key) {
			arguments[key] = value
		}
	}
	return arguments, nil
}

// findTool returns the tool of that name; without a name the server must have just one.
func findTool(ctx context.Context, session *sdk.ClientSession, name string) (*sdk.Tool, error) {
	var all []string
	var found *sdk.Tool
	for tool, err := range session.Tools(ctx, nil) {
		if err != nil {
			return nil, err
		}
		if all = append(all, tool.Name); len(all) > maxTools {
			return nil, fmt.Errorf("it has more than %d tools", maxTools)
		}
		if found == nil || tool.Name == name {
			found = tool
		}
		if tool.Name == name {
			return found, nil
		}
	}
	if name == "" && len(all) == 1 {
		return found, nil
	}
	if name == "" {
		return nil, fmt.Errorf("name one in tool; it has %s", listed(all))
	}
	return nil, fmt.Errorf("it has no tool %s; it has %s", name, listed(all))
}

const maxTools = 500

func listed(names []string) string {
	const most = 10
	if len(names) == 0 {
		return "none"
	}
	if len(names) > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
	}
	return strings.Join(names, ", ")
}

// toolReply reads a tool's result: an answer as a program writes it, or plain words.
func (a *agent) toolReply(result *sdk.CallToolResult, tool string) (*reply, error) {
	var b strings.Builder
	for _, content := range result.Content {
		if text, ok := content.(*sdk.TextContent); ok {
			b.WriteString(text.Text + "\n")
		}
		if b.Len() > maxOutput {
			return nil, errTooLong
		}
	}
	text := strings.TrimSpace(b.String())
	if result.IsError {
		return nil, fmt.Errorf("the tool %s failed: %s", tool, cut(text, 300))
	}
	if object, ok := result.StructuredContent.(map[string]any); ok {
		if e, err := envelopeOf(object); err == nil {
			return &reply{envelope: e}, nil
		}
	}
	if text == "" {
		return nil, fmt.Errorf("the tool %s answered nothing in words", tool)
	}
	if r, err := readReply([]byte(text)); err == nil {
		return r, nil
	}
	e := &soar.Envelope{Status: "success", Output: soar.Output{Summary: cut(text, maxSummary), Data: map[string]any{}, Confidence: plainConfidence}}
	e.Metadata.ToolsUsed = []string{"mcp:" + tool}
	return &reply{envelope: e}, nil
}

// connect starts the server of a definition, or reaches it, and begins a session. done ends both.
func (r *Registry) connect(ctx context.Context, d *Definition, folder string, elicit func(context.Context, *sdk.ElicitRequest) (*sdk.ElicitResult, error)) (
	session *sdk.ClientSession, done func(), err error,
) {
	client := sdk.NewClient(&sdk.Implementation{Name: "aurora", Version: "1"}, &sdk.ClientOptions{
		Capabilities: &sdk.ClientCapabilities{}, ElicitationHandler: elicit,
	})
	if d.Endpoint != "" {
		transport := &sdk.StreamableClientTransport{
			Endpoint: d.Endpoint, MaxRetries: -1, MaxEventSize: maxOutput,
			HTTPClient: &http.Client{Transport: bounded{r.client.Transport, d.KeyEnv}, CheckRedirect: r.client.CheckRedirect},
		}
		if session, err = client.Connect(ctx, transport, nil); err != nil {
			return nil, nil, err
		}
		return session, func() { _ = session.Close() }, nil
	}
	p, err := r.startServer(ctx, d, folder)
	if err != nil {
		return nil, nil, fmt.Errorf("the server can't be started: %w", err)
	}
	// The process ends at once with its context: nobody reads what it still has to say.
	stopped := context.AfterFunc(ctx, func() { p.stop(cancelGrace) })
	output := &boundedReader{p.output(), maxOutput}
	session, err = client.Connect(ctx, &sdk.IOTransport{Reader: output, Writer: p.input(), MaxLineLength: maxOutput}, nil)
	if err != nil {
		p.stop(cancelGrace)
		_ = output.Close()
		if errorOutput := p.errorOutput(); errorOutput != "" && ctx.Err() == nil {
			err = fmt.Errorf("%w: %s", err, errorOutput)
		}
		return nil, nil, err
	}
	return session, func() {
		stopped()
		_ = session.Close()
		p.stop(timeoutGrace)
	}, nil
}

// A peer is a program that is spoken to while it runs.
type peer interface {
	input() io.WriteCloser
	output() io.ReadCloser
	errorOutput() string      // the end of what it wrote there; of one that has ended
	stop(grace time.Duration) // returns when it is gone
}

func (r *Registry) startServer(ctx context.Context, d *Definition, folder string) (peer, error) {
	cmd, err := r.command(d)
	if err != nil {
		return nil, err
	}
	if d.Sandbox {
		return r.startInSandbox(ctx, r.boxed(ctx, d, cmd, folder))
	}
	cmd.Dir = folder
	return start(cmd)
}

// A boundedReader fails when a server has said more than maxOutput.
type boundedReader struct {
	io.ReadCloser
	left int
}

// Read implements io.Reader.
func (b *boundedReader) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errTooLong
	}
	n, err := b.ReadCloser.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}

// bounded limits the answers of an endpoint, and adds the key.
type bounded struct {
	http.RoundTripper
	keyEnv string
}

// RoundTrip implements http.RoundTripper.
func (b bounded) RoundTrip(request *http.Request) (*http.Response, error) {
	if b.keyEnv != "" {
		request = request.Clone(request.Context())
		request.Header.Set("Authorization", "Bearer "+os.Getenv(b.keyEnv))
	}
	response, err := b.RoundTripper.RoundTrip(request)
	if err == nil {
		response.Body = &boundedReader{response.Body, maxOutput}
	}
	return response, err
}
