package report

import (
	"slices"

	"github.com/aurora-sidecar/aurora/memory"
)

// Totals are the figures of a stretch of time. Rates are shares from 0 to 1; they are 0 where there was nothing to
// share.
type Totals struct {
	Outcomes
	Verification
	ModelUse
	MeanMs float64 `json:"avg_duration_ms"`
	P95Ms  float64 `json:"p95_duration_ms"`
	Retrieval
}

// Outcomes count what was asked, and how questions ended.
type Outcomes struct {
	Queries  int `json:"queries"`
	Answered int `json:"answered"`
	Nothing  int `json:"nothing_found"`
	Refused  int `json:"refused"` // by a guardrail or the budget
	Errors   int `json:"errors"`
	Searches int `json:"searches"`
	Contexts int `json:"contexts"`
}

// Verification is how far answers rest on their sources.
type Verification struct {
	Verified      int     `json:"verified"`           // answers whose verification has a score
	Accuracy      float64 `json:"accuracy"`           // mean of these scores
	Claims        int     `json:"claims"`             // statements about the code
	Hallucination float64 `json:"hallucination_rate"` // share of the statements that their sources do not bear out
}

// ModelUse is what models did, and what it cost.
type ModelUse struct {
	CacheHits    int     `json:"cache_hits"`
	CacheHitRate float64 `json:"cache_hit_rate"` // of the replies that were needed
	Calls        int     `json:"llm_calls"`
	TokensIn     int     `json:"tokens_input"`
	TokensCached int     `json:"tokens_cached"` // of those: providers had them from earlier calls
	CachedShare  float64 `json:"cached_share"`
	TokensOut    int     `json:"tokens_output"`
	USD          float64 `json:"cost_usd"`
}

// Retrieval is what was found for questions, and how much of it their answers cite.
type Retrieval struct {
	RetrievalMs     float64 `json:"avg_retrieval_latency_ms"`
	Snippets        int     `json:"snippets"`
	ContextTokens   int     `json:"context_tokens"`
	ContextHitRate  float64 `json:"context_hit_rate"` // share of the snippets of questions that the answers cite
	TokenEfficiency float64 `json:"token_efficiency"` // the same in tokens
}

// Empty reports whether nothing was noted.
func (t Totals) Empty() bool { return t.Queries+t.Searches+t.Contexts == 0 }

// A sum gathers what Totals are made of.
type sum struct {
	t                               Totals
	took, retrieval, scores         []float64
	unsupported, questionTokens     int
	useful, questionSnippets, cited int
}

func (s *sum) add(m memory.Metric) {
	switch m.Op {
	case memory.OpSearch:
		s.t.Searches++
	case memory.OpContext:
		s.t.Contexts++
	case memory.OpQuery:
		s.addQuery(m)
	default:
		return
	}
	if m.Retrieval > 0 {
		s.retrieval = append(s.retrieval, m.Retrieval.Seconds()*1000)
	}
	s.t.Snippets += m.Snippets
	s.t.ContextTokens += m.ContextTokens
}

func (s *sum) addQuery(m memory.Metric) {
	s.t.Queries++
	switch m.Outcome {
	case memory.NothingFound:
		s.t.Nothing++
	case memory.Refused:
		s.t.Refused++
	case memory.Failed:
		s.t.Errors++
	default:
		s.t.Answered++
	}
	if m.Score != nil {
		s.scores = append(s.scores, *m.Score)
	}
	if m.Duration > 0 {
		s.took = append(s.took, m.Duration.Seconds()*1000)
	}
	s.t.Claims += m.Claims
	s.unsupported += m.Unsupported
	s.t.CacheHits += m.CacheHits
	s.t.Calls += m.Calls
	s.t.TokensIn += m.TokensIn
	s.t.TokensCached += m.TokensCached
	s.t.TokensOut += m.TokensOut
	s.t.USD += m.USD
	s.questionSnippets += m.Snippets
	s.cited += m.SnippetsUsed
	s.questionTokens += m.ContextTokens
	s.useful += m.UsefulTokens
}

func (s *sum) totals() Totals {
	t := s.t
	t.Verified, t.Accuracy = len(s.scores), mean(s.scores)
	t.Hallucination = portion(s.unsupported, t.Claims)
	t.CachedShare = portion(t.TokensCached, t.TokensIn)
	t.CacheHitRate = portion(t.CacheHits, t.CacheHits+t.Calls)
	t.USD = round(t.USD, 6)
	t.MeanMs, t.P95Ms, t.RetrievalMs = round(mean(s.took), 1), round(percentile(s.took, 95), 1), round(mean(s.retrieval), 1)
	t.ContextHitRate, t.TokenEfficiency = portion(s.cited, s.questionSnippets), portion(s.useful, s.questionTokens)
	return t
}

func portion(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return round(float64(part)/float64(whole), 4)
}

// percentile is by nearest rank: a figure that was noted.
func percentile(list []float64, percent int) float64 {
	if len(list) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(list))
	return sorted[max((len(sorted)*percent+99)/100, 1)-1]
}

// A builder reads metrics once.
type builder struct {
	first      string
	all        sum
	steps      map[string]*sum // by day and by month
	complexity map[string]int
	agents     map[string]int
	phases     map[string]*phaseSum
	order      []string // of the phases as they were met
}

type phaseSum struct {
	questions int
	ms, whole float64
}

// monthName is the month of a day: 2025-12 of 2025-12-11.
func monthName(day string) string { return day[:min(len(day), len("2006-01"))] }

func newBuilder() *builder {
	return &builder{steps: map[string]*sum{}, complexity: map[string]int{}, agents: map[string]int{}, phases: map[string]*phaseSum{}}
}

func (b *builder) add(m memory.Metric) error {
	if m.Op != memory.OpQuery && m.Op != memory.OpSearch && m.Op != memory.OpContext {
		return nil
	}
	if b.first == "" || m.Day < b.first {
		b.first = m.Day
	}
	b.all.add(m)
	for _, name := range []string{m.Day, monthName(m.Day)} {
		if b.steps[name] == nil {
			b.steps[name] = &sum{}
		}
		b.steps[name].add(m)
	}
	if m.Agent != "" {
		b.agents[m.Agent]++
	}
	if m.Op != memory.OpQuery {
		return nil
	}
	if m.Complexity != "" {
		b.complexity[m.Complexity]++
	}
	for _, p := range m.Phases {
		s := b.phases[p.Phase]
		if s == nil {
			s = &phaseSum{}
			b.phases[p.Phase] = s
			b.order = append(b.order, p.Phase)
		}
		s.questions++
		s.ms += p.DurationMs
		s.whole += m.Duration.Seconds() * 1000
	}
	return nil
}

// phaseOrder is the order in which phases work.
var phaseOrder = []string{
	"GUARDRAILS", "ASSESS", "RETRIEVE", "DECOMPOSE", "VERIFY", "ROUTE", "COLLECT", "SYNTHESIZE", "VERIFY (Synthesis)", "RECORD", "RESPOND",
}

// place is where a phase stands; one that is not known comes last.
func place(phase string) int {
	if at := slices.Index(phaseOrder, phase); at >= 0 {
		return at
	}
	return len(phaseOrder)
}

// phaseMeans lists the phases in the order of their work, and names the one that took most.
func (b *builder) phaseMeans() (list []PhaseMean, bottleneck string) {
	top := 0.0
	list = []PhaseMean{}
	slices.SortStableFunc(b.order, func(x, y string) int { return place(x) - place(y) })
	for _, name := range b.order {
		s := b.phases[name]
		p := PhaseMean{Phase: name, Questions: s.questions, MeanMs: round(s.ms/float64(s.questions), 1)}
		if s.whole > 0 {
			p.Percentage = round(100*s.ms/s.whole, 1)
		}
		list = append(list, p)
		if s.ms > top {
			top, bottleneck = s.ms, name
		}
	}
	return list, bottleneck
}
