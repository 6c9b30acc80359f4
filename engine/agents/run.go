package agents

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/aurora-sidecar/aurora/engine/reason/soar"
)

// maxTurns is how many questions an agent may put to the person for one subgoal.
const maxTurns = 5

// declined is what an agent reads when its question got no answer.
const declined = "(no answer)"

// An agent outside of this process. It implements soar.Agent.
type agent struct {
	registry   *Registry
	definition Definition
	folder     string // it works in
}

// Agent returns a definition as an agent that works in the first of the folders.
func (r *Registry) Agent(d Definition, folders []string) soar.Agent {
	a := &agent{registry: r, definition: d, folder: r.opts.UserHome}
	if len(folders) > 0 {
		a.folder = folders[0]
	}
	if d.Folder != "" {
		a.folder = d.Folder
	}
	return a
}

// Card implements soar.Agent.
func (a *agent) Card() soar.Card { return a.definition.Card() }

// Run implements soar.Agent. An agent that asks is run again with the answer among its user_interactions, so that a
// program that reads its input to the end can ask, too; what the person takes to answer does not count as its time.
func (a *agent) Run(ctx context.Context, t soar.Task) (*soar.Envelope, error) {
	began := a.registry.opts.Now()
	var interactions []soar.Interaction
	for {
		r, err := a.once(ctx, t, interactions)
		if err != nil {
			return nil, err
		}
		if r.question == nil {
			e := r.envelope
			e.AgentID = a.definition.ID
			if e.SubgoalID == "" {
				e.SubgoalID = t.Subgoal.ID
			}
			e.Interactions, e.Metadata.DurationMs = append(e.Interactions, interactions...), a.registry.opts.Now().Sub(began).Milliseconds()
			return e, nil
		}
		if len(interactions) == maxTurns {
			return nil, fmt.Errorf("it asked more than %d questions", maxTurns)
		}
		answer, err := a.ask(ctx, t, *r.question)
		if err != nil {
			return nil, err
		}
		interactions = append(interactions, soar.Interaction{
			Turn: len(interactions) + 1, Question: r.question.Text, Response: answer, Timestamp: a.registry.opts.Now().UTC().Truncate(time.Second),
		})
	}
}

// ask puts a question to the person. Without an answer the default counts.
func (a *agent) ask(ctx context.Context, t soar.Task, q soar.Question) (string, error) {
	q.AgentID = a.definition.ID
	answer, ok := "", false
	if t.Ask != nil {
		var err error
		if answer, ok, err = t.Ask(ctx, q); err != nil {
			return "", err
		}
	}
	switch {
	case ok:
		return cut(answer, maxText), nil
	case q.Default != "":
		return q.Default, nil
	}
	return declined, nil
}

// once runs the agent once, when there is a slot for it.
func (a *agent) once(ctx context.Context, t soar.Task, interactions []soar.Interaction) (*reply, error) {
	select {
	case a.registry.running <- struct{}{}:
		defer func() { <-a.registry.running }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	d := &a.definition
	if err := a.registry.ready(d); err != nil { // trust may have been withdrawn since
		return nil, err
	}
	work := newTask(d, t, a.folder, slices.Clone(interactions))
	switch d.Type {
	case Executable:
		return a.execute(ctx, work)
	case HTTP:
		return a.post(ctx, work)
	case MCP:
		return a.call(ctx, work, t.Ask)
	}
	return nil, fmt.Errorf("agents of type %s can't be run", d.Type)
}

func (a *agent) timeout() time.Duration {
	if s := a.definition.TimeoutSeconds; s > 0 {
		return time.Duration(s) * time.Second
	}
	return a.registry.opts.Timeout
}

// execute runs a program: the task on its input, the answer on its output.
func (a *agent) execute(ctx context.Context, t task) (*reply, error) {
	cmd, err := a.registry.command(&a.definition)
	if err != nil {
		return nil, err
	}
	cmd.Dir = a.folder
	input, err := encodeTask(t)
	if err != nil {
		return nil, err
	}
	if a.definition.Sandbox {
		output, err := a.exchangeInSandbox(ctx, cmd, input)
		if err != nil {
			return nil, err
		}
		return readReply(output)
	}
	output, err := exchange(ctx, cmd, input, a.timeout())
	if err != nil {
		return nil, err
	}
	return readReply(output)
}

// errStopped tells an agent's own time from that of the question.
var errStopped = errors.New("its time is over")
