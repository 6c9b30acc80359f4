package engine

import (
	"strings"

	"github.com/aurora-sidecar/aurora/engine/soar"
	"github.com/aurora-sidecar/aurora/memory/signal"
)

// A turn is the last question of a conversation, and how it was answered.
type turn struct {
	request QueryRequest
	level   soar.Level
	model   bool
}

// stronger is how the plan is verified of a question that is asked again, by the complexity it was taken for (SIG-006).
var stronger = map[soar.Level]soar.Option{soar.Simple: soar.Self, soar.Medium: soar.Adversarial, soar.Complex: soar.Debate, soar.Critical: soar.Debate}

// Again returns the request that a message stands for: itself, but for one that says nothing but "try again", which stands
// for the question before it. That one is asked afresh, and of a model with a stronger verification.
func (c *Conversations) Again(conversation string, r QueryRequest) QueryRequest {
	if s := signal.Detect(r.Query); s.Class != signal.Recourse || !s.Whole {
		return r
	}
	c.mu.Lock()
	before, known := c.turns[conversation]
	c.mu.Unlock()
	if !known {
		return r
	}
	again := before.request
	again.Fresh = true
	if before.model {
		again.Mode, again.Verification = "soar", string(stronger[before.level])
	}
	return again
}

// Asked notes the last question of a conversation that Answered has noted.
func (c *Conversations) Asked(conversation string, r QueryRequest, answered *QueryResult) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, kept := c.last[conversation]; !kept {
		return
	}
	if c.turns == nil {
		c.turns = map[string]turn{}
	}
	r.BudgetAccepted = false // each question asks for itself
	c.turns[conversation] = turn{r, soar.Level(strings.ToUpper(answered.Complexity)), answered.Model != ""}
}
