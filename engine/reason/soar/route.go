package soar

import (
	"cmp"
	"slices"
	"strings"
)

// An Assignment is a line of the routing plan.
type Assignment struct {
	SubgoalID string
	AgentID   string
	AgentType string
	Path      string // or endpoint
	others    []int  // agents that may take over, the best first
	agent     int
}

// route is phase 5: each subgoal goes to the agent that its plan names; others that can do it stand by, by domain and
// success rate.
func route(q *query) (string, error) {
	cards := q.agentCards()
	var lines []string
	q.state.Routes = nil // a later pass routes again
	for _, s := range q.state.Plan.Subgoals {
		a := Assignment{SubgoalID: s.ID, agent: slices.IndexFunc(cards, func(c Card) bool { return c.ID == s.Agent })}
		chosen := cards[a.agent]
		a.AgentID, a.AgentType, a.Path = chosen.ID, chosen.Type, chosen.Path
		for i, c := range cards {
			if i != a.agent && (c.can("all") || s.Capability != "" && c.can(s.Capability)) {
				a.others = append(a.others, i)
			}
		}
		slices.SortStableFunc(a.others, func(x, y int) int {
			return cmp.Or(shared(cards[y].Domains, chosen.Domains)-shared(cards[x].Domains, chosen.Domains), cmp.Compare(cards[y].SuccessRate, cards[x].SuccessRate))
		})
		q.state.Routes = append(q.state.Routes, a)
		lines = append(lines, s.ID+" to "+a.AgentID)
	}
	return strings.Join(lines, ", "), nil
}

// shared counts the domains that two agents have in common.
func shared(a, b []string) int {
	n := 0
	for _, d := range a {
		if slices.Contains(b, d) {
			n++
		}
	}
	return n
}
