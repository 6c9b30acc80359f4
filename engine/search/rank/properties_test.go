package rank

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine/search/querytext"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/git"
	"github.com/aurora-sidecar/aurora/memory"
)

func recordCandidate(content string, matched ...string) *Candidate {
	return &Candidate{Record: &memory.Hit{Record: memory.Record{Content: content}}, wordMatch: wordMatch{BM25: 2, Matched: matched}}
}

// paths are those of candidates, in order.
func paths(list []*Candidate) string {
	var all []string
	for _, c := range list {
		all = append(all, c.path())
	}
	return strings.Join(all, " ")
}

func TestNewness(t *testing.T) {
	now := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
	for days, want := range map[int]float64{0: 1, 30: 0.5, 60: 0.25, -5: 1} {
		if got := NewnessOf(git.ChangedFile{LastModified: now.AddDate(0, 0, -days)}, now); !near(got, want) {
			t.Errorf("%d days: %v, want %v", days, got, want)
		}
	}
	if got := NewnessOf(git.ChangedFile{Uncommitted: true}, now); got != 1 {
		t.Errorf("uncommitted: %v", got)
	}
}

// TestPreferRecent holds that old code loses half of its score within its tier at most, and that nothing changes tier.
func TestPreferRecent(t *testing.T) {
	newness := map[string]float64{"old.go": 0, "half.go": 0.5, "new.go": 1}
	rank := func(bias float64) []*Candidate {
		list := []*Candidate{testCandidate("old.go", "f", 0), testCandidate("half.go", "f", 0), testCandidate("new.go", "f", 0), testCandidate("unknown.go", "f", 0)}
		for i, c := range list {
			c.Tier, c.Final = Folded, tierFloor[Folded]+0.04-float64(i)*0.001
		}
		record := recordCandidate("r")
		record.Final = 0.3
		list = append(list, record)
		(&Ranking{}).PreferRecent(list, bias, func(f *index.File) (float64, bool) { n, known := newness[f.Path]; return n, known })
		return list
	}
	within := func(list []*Candidate, path string) float64 {
		i := slices.IndexFunc(list, func(c *Candidate) bool { return c.path() == path })
		return list[i].Final - tierFloor[Folded]
	}
	if got := paths(rank(0)); got != "old.go half.go new.go unknown.go " {
		t.Errorf("without a bias: %s", got)
	}
	for _, bias := range []float64{1, 7} {
		list := rank(bias)
		if got := paths(list); got != "new.go unknown.go half.go old.go " {
			t.Errorf("bias %v: %s", bias, got)
		}
		for path, want := range map[string]float64{"old.go": 0.04 * 0.5, "half.go": 0.039 * 0.75, "new.go": 0.038, "unknown.go": 0.037} {
			if got := within(list, path); !near(got, want) {
				t.Errorf("bias %v: %s has %v of its tier, want %v", bias, path, got, want)
			}
		}
	}
	if got := within(rank(0.5), "old.go"); !near(got, 0.04*0.75) {
		t.Errorf("bias 0.5: %v", got)
	}
}

// TestConfidenceByTier holds that a name is surer than words, and words surer the more of the query they hold.
func TestConfidenceByTier(t *testing.T) {
	r := New(querytext.Parse("where are parcel weights summed up quickly"), Options{})
	confidence := func(change func(*Candidate)) float64 {
		c := testCandidate("a.go", "f", 1, r.Terms...)
		c.Coverage = 1
		change(c)
		return r.Confidence(c, []*Candidate{c})
	}
	steps := []float64{
		r.Confidence(nil, nil),
		confidence(func(c *Candidate) { c.Matched, c.Coverage = nil, 0 }),
		confidence(func(c *Candidate) { c.Matched, c.Coverage = r.Terms[:1], 0.2 }),
		confidence(func(c *Candidate) { c.Matched, c.Coverage = r.Terms[:2], 0.5 }),
		confidence(func(c *Candidate) {}),
		confidence(func(c *Candidate) { c.Tier, c.Closeness = Nearby, 1 }),
		confidence(func(c *Candidate) { c.Tier = Folded }),
		confidence(func(c *Candidate) { c.Tier = Exact }),
	}
	if !slices.IsSorted(steps) || steps[1] >= minConfidence || steps[3] < maxByText*minConfidence || steps[4] > maxByText {
		t.Errorf("%v", steps)
	}
	if least, most := confidence(func(c *Candidate) { c.Tier = Nearby }), confidence(func(c *Candidate) { c.Tier, c.Closeness = Nearby, 1 }); !near(least, 0.6) || !near(most, 0.85) {
		t.Errorf("near names: %v to %v", least, most)
	}
	known := confidence(func(c *Candidate) { c.Matched, c.Coverage = r.Terms[:1], 0.2 })
	r.Unknown = r.Terms[1:3]
	if unknown := confidence(func(c *Candidate) { c.Matched, c.Coverage = r.Terms[:1], 0.2 }); unknown >= known {
		t.Errorf("words that no text holds change %v to %v", known, unknown)
	}
	c := testCandidate("a.go", "f", 1, r.Terms[0])
	why := r.WhyImplausible(c)
	for _, want := range []string{"no text holds", r.Terms[1], r.Terms[2], "the best match holds only", r.Terms[0]} {
		if !strings.Contains(why, want) {
			t.Errorf("no %q in: %s", want, why)
		}
	}
}

// TestOffTopic holds that a question whose plain words stand apart, with nothing near to what it means, is off topic, and that what says
// what code does, is short, has a name, is narrowed by a path or was not compared by meaning is not.
func TestOffTopic(t *testing.T) {
	const question = "why are seven lamps burning behind a broken window"
	ask := func(words string, options Options, cosine float64, matched ...string) (*Ranking, []*Candidate) {
		r := New(querytext.Parse(words), options)
		c := testCandidate("panel.go", "draw", 1)
		c.Matched, c.Coverage, c.Cosine = matched, r.share(matched), cosine
		return &r, []*Candidate{c}
	}
	off := func(r *Ranking, list []*Candidate) bool { return r.Plausible(list) && OffTopic(r, list) }
	half := []string{"broken", "window", "lamps"}
	if r, list := ask(question, Options{}, 0.15, half...); !off(r, list) {
		t.Error("half of the words, apart and far in meaning, are on topic")
	}
	if r, list := ask(question, Options{}, 0.5, half...); off(r, list) {
		t.Error("what is near in meaning is off topic")
	}
	if r, list := ask(question, Options{}, 0, half...); off(r, list) {
		t.Error("what was not compared by meaning is off topic")
	}
	if r, list := ask(question, Options{Narrow: true}, 0.15, half...); off(r, list) {
		t.Error("what is narrowed by a path is off topic")
	}
	if r, list := ask("remove seven lamps burning behind a broken window", Options{}, 0.15, half...); off(r, list) {
		t.Error("what says what code does is off topic")
	}
	if r, list := ask("broken window", Options{}, 0.15, "window"); off(r, list) {
		t.Error("two words are off topic")
	}
	r, list := ask(question, Options{}, 0.15, half...)
	list[0].Tier = Folded
	if off(r, list) {
		t.Error("a name is off topic")
	}
}

// TestPlausible holds that only the best ten candidates, names, placed records and own providers keep a search from abstaining.
func TestPlausible(t *testing.T) {
	r := New(querytext.Parse("where are parcel weights summed up quickly"), Options{})
	r.Unknown = r.Terms
	poor := func() *Candidate { return testCandidate("a.go", "g", 1) }
	list := make([]*Candidate, 0, 12)
	for range 12 {
		list = append(list, poor())
	}
	if r.Plausible(list) || r.Plausible(nil) {
		t.Error("nothing is plausible")
	}
	named := poor()
	named.Tier = Nearby
	if list[10] = named; r.Plausible(list) {
		t.Error("the eleventh counts")
	}
	if list[9] = named; !r.Plausible(list) {
		t.Error("the tenth does not count")
	}
	provided := poor()
	provided.ProviderScore = 0.1
	about := recordCandidate("about this place")
	for _, c := range []*Candidate{provided, about} {
		if !r.Plausible([]*Candidate{c}) {
			t.Errorf("%+v", c)
		}
	}
}

func TestWeakRecords(t *testing.T) {
	r := &Ranking{Terms: []string{"a", "b", "c"}}
	for _, tt := range []struct {
		matched   []string
		closeness float64
		weak      bool
	}{
		{[]string{"a", "b"}, 0, false}, {[]string{"a"}, 0.7, true}, {[]string{"a"}, 0.77, false}, {[]string{"a", "x", "y"}, 0, true}, {nil, 0.2, true},
	} {
		c := recordCandidate("r", tt.matched...)
		c.Closeness, c.SemanticOnly = tt.closeness, len(tt.matched) == 0
		if got := r.Weak(c); got != tt.weak {
			t.Errorf("%+v: %v", tt, got)
		}
	}
	if r.Weak(recordCandidate("about this place")) || r.Weak(testCandidate("a.go", "f", 1)) || (&Ranking{}).Weak(recordCandidate("r", "a")) {
		t.Error("what is about a place, code, and what was not asked in words is never weak")
	}
}

// TestRecordsInDoubt holds the order of records with the same words: whole, changed, gone, wrong.
func TestRecordsInDoubt(t *testing.T) {
	record := func(state memory.CitationState, tags ...string) *Candidate {
		c := recordCandidate("x y", "x", "y")
		c.Record.Tags = tags
		c.Record.Citations = []memory.Citation{{State: memory.Valid}, {State: state}}
		return c
	}
	order := []*Candidate{record(memory.Valid), record(memory.Changed), record(memory.Gone), record(memory.Valid, memory.Incorrect), record(memory.Gone, memory.Incorrect)}
	list := slices.Clone(order)
	slices.Reverse(list)
	(&Ranking{Terms: []string{"x", "y"}, lower: "x y"}).Rank(list)
	if !slices.Equal(list, order) {
		t.Error("another order")
	}
	used, unused := recordCandidate("x", "x"), recordCandidate("x", "x")
	used.Record.Activation, unused.Record.Activation = 3, -3
	list = []*Candidate{unused, used}
	(&Ranking{Terms: []string{"x", "y"}, lower: "x y"}).Rank(list)
	if gain := used.Final - unused.Final; list[0] != used || gain > 0.2 {
		t.Errorf("use lifts by %v", gain)
	}
}

func TestNearnessOfCosines(t *testing.T) {
	for _, endpoint := range []bool{false, true} {
		n := NearnessOf(endpoint)
		if n.Of(n.from) != 0 || n.Of(n.to) != 1 || n.Of(-1) != 0 || n.Of(2) != 1 || !near(n.Of((n.from+n.to)/2), 0.5) {
			t.Errorf("%+v", n)
		}
		if n.Least < n.from || n.Sure <= n.Least {
			t.Errorf("%+v", n)
		}
	}
}

func TestRecordsAreComparedByTheModelOfCodeToo(t *testing.T) {
	record := func(closeness, asCode float64) float64 {
		c := &Candidate{Record: &memory.Hit{}, nameMatch: nameMatch{Closeness: closeness}, semanticMatch: semanticMatch{AsCode: asCode}}
		return nearRecord(c)
	}
	usual := recordRules.UsualAsCode
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		{"not compared", record(0.5, 0), 0.5}, {"as usual", record(0.5, usual), 0.5}, {"far", record(0, -1), 0}, {"near by both", record(1, 1), 1},
	} {
		if !near(c.got, c.want) {
			t.Errorf("%s: %v, want %v", c.what, c.got, c.want)
		}
	}
	if record(0.5, usual+0.3) <= record(0.55, usual-0.1) {
		t.Error("the model of code does not decide between records that are about as near")
	}
	if record(0.4, usual+0.3) >= record(0.7, usual) {
		t.Error("the model of code outweighs the sentence transformer")
	}
}

func TestConversations(t *testing.T) {
	r := &Ranking{Terms: []string{"a", "b"}}
	before := []snippet.Hit{{Relevance: snippet.Relevance{Score: 0.2}}}
	for matched, want := range map[int]float64{0: 0, 1: 0.25, 2: 0.5, 5: 0.5} {
		if got := r.ConversationScore(matched, nil); got != want {
			t.Errorf("%d words: %v, want %v", matched, got, want)
		}
		if got := r.ConversationScore(matched, before); got != min(want, 0.2) {
			t.Errorf("%d words after a hit of 0.2: %v", matched, got)
		}
	}
	low, high := 0.49, 0.5
	hit := func(source string, activation *float64) snippet.Hit {
		h := snippet.Hit{Source: source}
		h.Scores.Activation = activation
		return h
	}
	if !WeakMemory(nil) || !WeakMemory([]snippet.Hit{hit("memory", &low), hit("code", &high), hit("memory", nil)}) || WeakMemory([]snippet.Hit{hit("memory", &high)}) {
		t.Error("memory is weak unless a record of it is active")
	}
}

func TestRecordTermsByStem(t *testing.T) {
	h := &memory.Hit{Record: memory.Record{Title: "Retries", Content: "of the gateways"}}
	if got := recordTerms(h, []string{"retry", "gateway", "other"}); !slices.Equal(got, []string{"retry", "gateway"}) {
		t.Errorf("%v", got)
	}
	h.Matched = []string{"other"}
	if got := recordTerms(h, []string{"retry"}); !slices.Equal(got, h.Matched) {
		t.Errorf("what the store says counts: %v", got)
	}
}

// TestPrototypes holds that the header's line of a function comes after its body, and keeps its place without one.
func TestPrototypes(t *testing.T) {
	function := func(path string, bodied bool) *Candidate {
		c := testCandidate(path, "parse", 5, "parse")
		k := &c.Ref.File.Chunks[0]
		k.Signature.End, k.Span.End = 20, 21
		if bodied {
			k.Span.End = 400
		}
		c.Ref.File.Language = "c"
		return c
	}
	header, body := function("a.h", false), function("b.c", true)
	list := []*Candidate{header, body}
	(&Ranking{Terms: []string{"parse"}, lower: "parse"}).Rank(list)
	if list[0] != body || header.demoted != "a prototype" || body.demoted != "" {
		t.Errorf("%s; %q %q", paths(list), header.demoted, body.demoted)
	}
	alone := function("a.h", false)
	(&Ranking{Terms: []string{"parse"}, lower: "parse"}).Rank([]*Candidate{alone})
	if alone.demoted != "" {
		t.Errorf("a prototype without a body is %q", alone.demoted)
	}
}

// TestSymbolShares holds which of several definitions of one name is meant: the larger one, and a class before a function before a
// method.
func TestSymbolShares(t *testing.T) {
	define := func(kind chunk.Type, lines int) *Candidate {
		c := testCandidate("a.go", "parse", 0)
		c.Ref.File = &index.File{Path: string(kind) + ".go", Abs: string(kind), File: &chunk.File{Chunks: []chunk.Chunk{{Type: kind, Name: "parse", LineRange: chunk.LineRange{StartLine: 1, EndLine: lines}}}}}
		c.Raise(Exact, "parse")
		return c
	}
	r := New(querytext.Parse("parse"), Options{})
	list := []*Candidate{define(chunk.Method, 10), define(chunk.Function, 10), define(chunk.Class, 10)}
	order := []*Candidate{list[2], list[1], list[0]}
	r.Rank(list)
	if !slices.Equal(list, order) {
		t.Errorf("%s", paths(list))
	}
	small, large := define(chunk.Function, 2), define(chunk.Function, 200)
	large.Ref.File.Path, large.Ref.File.Abs = "z.go", "z"
	list = []*Candidate{small, large}
	if r.Rank(list); list[0] != large {
		t.Error("the stub comes first")
	}
	if s := define(chunk.Function, 1<<20).sizeShare(); s != 1 || define(chunk.Function, 1).sizeShare() != 0 {
		t.Errorf("%v", s)
	}
	symbol := define(chunk.Class, 100)
	symbol.Symbol = &chunk.Symbol{Kind: chunk.Field}
	if symbol.sizeShare() != 0 || symbol.typeShare() != 0.4 {
		t.Errorf("a symbol has the shares of its chunk: %v, %v", symbol.sizeShare(), symbol.typeShare())
	}
}

// TestOneDefinitionPerName holds that a question with a name in it is not answered by all overloads alone.
func TestOneDefinitionPerName(t *testing.T) {
	file := testCandidate("a.go", "parse", 0).Ref.File
	define := func(f *index.File) *Candidate {
		c := testCandidate("x.go", "parse", 1, "parse")
		if f != nil {
			c.Ref.File = f
		}
		c.Raise(Exact, "parse")
		return c
	}
	first, second, elsewhere := define(file), define(file), define(nil)
	r := New(querytext.Parse("how does parse read the header of a parcel"), Options{})
	if r.Kind != ProseQuery {
		t.Fatalf("kind %v", r.Kind)
	}
	r.Rank([]*Candidate{first, second, elsewhere})
	if (first.Tier == Exact) == (second.Tier == Exact) || elsewhere.Tier != Exact {
		t.Errorf("tiers %v, %v, %v", first.Tier, second.Tier, elsewhere.Tier)
	}
	for _, c := range []*Candidate{first, second} {
		if c.Tier == ByText && c.Final > tierSpan[ByText] {
			t.Errorf("%v in the lowest tier", c.Final)
		}
	}
}

// TestPasted holds that a line that was pasted comes first, the surest of them before others.
func TestPasted(t *testing.T) {
	sure, likely, best := testCandidate("sure.go", "f", 1), testCandidate("likely.go", "f", 30, "x"), testCandidate("best.go", "x", 40, "x")
	sure.Paste("the line", 1)
	likely.Paste("the message", 0.5)
	likely.Paste("less sure", 0.2)
	list := []*Candidate{best, likely, sure}
	(&Ranking{Terms: []string{"x"}, lower: "x"}).Rank(list)
	if paths(list) != "sure.go likely.go best.go" || likely.Why != "the message" {
		t.Errorf("%s; %s", paths(list), likely.Why)
	}
}

// TestProvidersLiftWithinTheirTier holds that an own provider moves a hit towards the top of its tier, and never out of it.
func TestProvidersLiftWithinTheirTier(t *testing.T) {
	last := -1.0
	for _, score := range []float64{0, 0.5, 1, 9} {
		c := testCandidate("a.go", "f", 0)
		c.ProviderScore, c.Final = score, 0.3
		c.lift()
		if c.Final < last || c.Final > tierSpan[ByText] || score == 0 && c.Final != 0.3 || score == 0.5 && !near(c.Final, 0.3+0.5*(0.74-0.3)) {
			t.Errorf("%v: %v", score, c.Final)
		}
		last = c.Final
	}
	if last != tierSpan[ByText] {
		t.Errorf("the surest provider lifts to %v", last)
	}
}

// TestBestCovered holds that none is listed that holds less than half of what the best one holds.
func TestBestCovered(t *testing.T) {
	r := &Ranking{Terms: []string{"a", "b", "c", "d"}}
	all, half, less := testCandidate("all.go", "f", 1, "a", "b", "c", "d"), testCandidate("half.go", "f", 9, "a", "b"), testCandidate("less.go", "f", 20, "a")
	stronger := testCandidate("stronger.go", "f", 10, "c", "d")
	list := []*Candidate{less, half, stronger, all, recordCandidate("r", "a", "b", "c", "d"), testCandidate("none.go", "f", 0, "a", "b", "c")}
	if got := paths(r.BestCovered(list, 10)); got != "all.go stronger.go half.go" {
		t.Errorf("%s", got)
	}
	if got := paths(r.BestCovered(list, 2)); got != "all.go stronger.go" {
		t.Errorf("%s", got)
	}
}

// TestFusions holds what each fusion makes of two providers that do not agree.
func TestFusions(t *testing.T) {
	for fusion, want := range map[string]string{byScores: "b.go a.go c.go", byRanks: "a.go b.go c.go", byCascade: "a.go b.go c.go"} {
		a, b, c, named := testCandidate("a.go", "f", 0), testCandidate("b.go", "f", 0), testCandidate("c.go", "f", 0), testCandidate("z.go", "f", 0)
		a.Propose("words", 10)
		b.Propose("words", 9)
		b.Propose("words", 1) // the best counts
		c.Propose("words", 1)
		a.Propose("meaning", 0.1)
		b.Propose("meaning", 0.9)
		named.Raise(Exact, "f")
		providers := []Weighted{{"words", 1}, {"meaning", 0.5}, {"nobody", 9}}
		if fusion == byRanks {
			providers[1].Weight = 0.1
		}
		list := []*Candidate{c, b, a, named}
		(&Ranking{}).Fuse(fusion, list, providers)
		if got := paths(list); got != "z.go "+want {
			t.Errorf("%s: %s", fusion, got)
		}
		for _, x := range list {
			if math.IsNaN(x.Final) || x.Final < 0 || x.Final > 1 {
				t.Errorf("%s: %s has %v", fusion, x.path(), x.Final)
			}
		}
		if fusion == byScores && !near(b.Final, tierSpan[ByText]*(0.9+0.5)/1.5) {
			t.Errorf("the weighted average is %v", b.Final)
		}
	}
}

// TestStems holds which words are taken for forms of one word.
func TestStems(t *testing.T) {
	for word, want := range map[string]string{
		"handles": "handl", "handling": "handl", "handled": "handl", "handler": "handl", "stopped": "stop", "stopping": "stop", "classes": "class",
		"class": "class", "falling": "fall", "passed": "pass", "gas": "gas", "bus": "bus", "added": "add", "adding": "add", "runs": "run", "egg": "egg",
	} {
		if got := stemOf(word); got != want {
			t.Errorf("%s: %s, want %s", word, got, want)
		}
	}
	for word, want := range map[string][]string{"stop": {"stops", "stopped", "stopping", "stopper"}, "handle": {"handler", "handled"}, "walks": {"walk", "walked"}} {
		forms := wordForms(word)
		for _, form := range want {
			if !slices.Contains(forms, form) {
				t.Errorf("%s has no form %s: %v", word, form, forms)
			}
		}
		if slices.Contains(forms, word) {
			t.Errorf("%s is a form of itself", word)
		}
	}
	for _, word := range []string{"run", "x2go", "Handle", "http2"} {
		if forms := wordForms(word); len(forms) > 0 {
			t.Errorf("%s has forms: %v", word, forms)
		}
	}
	if slices.Contains(wordForms("handle"), "handllin") || slices.Contains(wordForms("handle"), "handlled") {
		t.Error("a long stem is doubled")
	}
}

// TestEachSignalRaisesTheScore holds that more of any one signal never costs, that each counts, and that a score stays in 0..1.
func TestEachSignalRaisesTheScore(t *testing.T) {
	for _, question := range []string{"how is the parcel weight added to prices", "parcel weight tables", "parcelWeight"} {
		r := New(querytext.Parse(question), Options{})
		for name, set := range map[string]func(*Candidate, float64){
			"words":                 func(c *Candidate, v float64) { c.Normalised = v },
			"coverage":              func(c *Candidate, v float64) { c.Normalised, c.Coverage = 1, v },
			"meaning":               func(c *Candidate, v float64) { c.Similarity = v },
			"the name of the file":  func(c *Candidate, v float64) { c.file.name = v },
			"the rest of the file":  func(c *Candidate, v float64) { c.file.score = v },
			"words of the file":     func(c *Candidate, v float64) { c.file.cover = v },
			"meaning of the file":   func(c *Candidate, v float64) { c.file.semantic = v },
			"the name of the chunk": func(c *Candidate, v float64) { c.asked = v },
		} {
			score := func(v float64) float64 {
				c := testCandidate("a.go", "f", 1)
				set(c, v)
				return r.scoreText(c)
			}
			none, half, all := score(0), score(0.5), score(1)
			silent := strings.HasPrefix(name, "meaning") && r.wordy() == 0
			if !(none >= 0 && all <= 1) || !silent && !(none < half && half < all) || silent && none != all {
				t.Errorf("%s: %s: %v, %v, %v", question, name, none, half, all)
			}
		}
		c := testCandidate("a.go", "f", 1)
		c.Normalised, c.Coverage, c.Similarity, c.asked = 1, 1, 1, 1
		c.file = evidence{name: 1, score: 1, cover: 1, semantic: 1}
		if got := r.scoreText(c); !near(got, 1) {
			t.Errorf("%s: all there is comes to %v", question, got)
		}
		remainder := testCandidate("a.go", "", 1)
		remainder.wordMatch, remainder.semanticMatch, remainder.file, remainder.asked = c.wordMatch, c.semanticMatch, c.file, c.asked
		if got := r.scoreText(remainder); got >= 1 {
			t.Errorf("%s: what lies between definitions has %v", question, got)
		}
	}
	if one, two, four := New(querytext.Parse("parcel"), Options{}), New(querytext.Parse("parcel weights"), Options{}), New(querytext.Parse("parcel weights tables prices"), Options{}); one.wordy() != 0 || !(two.wordy() > 0 && two.wordy() < four.wordy()) || four.wordy() != 1 {
		t.Errorf("%v, %v, %v", one.wordy(), two.wordy(), four.wordy())
	}
}

// TestPlacesAmongNames holds that a score falls with the place in a list, from its first.
func TestPlacesAmongNames(t *testing.T) {
	for name, at := range map[string]func(int) float64{"closeness": ClosenessAt, "score": NameScoreAt} {
		for i := range 50 {
			if before, after := at(i), at(i+1); !(after < before && before <= 1 && after > 0) {
				t.Errorf("%s at %d and after: %v, %v", name, i, before, after)
			}
		}
	}
	if ClosenessAt(0) != 1 || !near(ClosenessAt(10), 0.5) || NameScoreAt(0) != 0.8 || !near(NameScoreAt(20), 0.4) {
		t.Error("not from 1 and 0.8")
	}
}
