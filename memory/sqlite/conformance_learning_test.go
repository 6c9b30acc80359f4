package sqlite

import (
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/memory"
)

func (s *suite) restore() {
	saved := s.remember(memory.Record{Content: "to be missed", Tags: []string{"x"}})
	if _, err := s.store.Forget(s.ctx, []string{saved.ID}); err != nil {
		s.Fatal(err)
	}
	list, err := s.store.Forgotten(s.ctx)
	if err != nil || len(list) != 1 || list[0].ID != saved.ID || list[0].At.IsZero() {
		s.Fatalf("forgotten: %+v, %v", list, err)
	}
	for _, want := range [][]string{{saved.ID}, nil} {
		if back, err := s.store.Restore(s.ctx, []string{saved.ID, "know:nobody"}); !slices.Equal(back, want) || err != nil {
			s.Errorf("restored %q, %v; want %q", back, err, want)
		}
	}
	s.expect(memory.Query{Text: "missed", Tags: []string{"x"}}, "to be missed")
	if list, err := s.store.Forgotten(s.ctx); len(list) != 0 || err != nil {
		s.Errorf("still forgotten: %+v, %v", list, err)
	}
}

func (s *suite) describes() {
	saved := s.remember(memory.Record{Content: "OAuth tokens expire after an hour. The OAuth provider revokes tokens.", Type: memory.Reasoning})
	if saved.Domain != "security" || saved.SemanticRole != "oauth-decomposition-pattern" ||
		!slices.Equal(saved.Keywords[:2], []string{"oauth", "tokens"}) || len(saved.Keywords) > 7 || slices.Contains(saved.Keywords, "the") {
		s.Errorf("described as %q, %q, %q", saved.Domain, saved.SemanticRole, saved.Keywords)
	}
	given := s.remember(memory.Record{Content: "x", Subject: memory.Subject{Domain: "fintech", SemanticRole: "role", Keywords: []string{"k"}}})
	if got, err := s.store.Get(s.ctx, given.ID); err != nil || got.Domain != "fintech" || got.SemanticRole != "role" || !slices.Equal(got.Keywords, []string{"k"}) {
		s.Errorf("given words became %+v, %v", got.Record, err)
	}
	for name, bad := range map[string]memory.Record{
		"score": {Content: "x", Quality: memory.Quality{SuccessScore: share(2)}}, "confidence": {Content: "x", Quality: memory.Quality{Confidence: share(math.NaN())}},
		"chunk": {Content: "x", Chunk: []byte("{")},
	} {
		if _, _, err := s.store.Remember(s.ctx, bad); !errors.Is(err, memory.ErrInvalid) {
			s.Errorf("bad %s: %v", name, err)
		}
	}
	kept := s.remember(memory.Record{Content: "with a chunk", Chunk: []byte(`{"n": 12345678901234567890, "s": "password = \"hunter2hunter2\""}`)})
	if text := string(kept.Chunk); !strings.Contains(text, "12345678901234567890") || strings.Contains(text, "hunter2") {
		s.Errorf("chunk %s", text)
	}
}

func share(f float64) *float64 { return &f }

func (s *suite) judgements() {
	saved := s.remember(memory.Record{Content: "an answer", Type: memory.Reasoning, Quality: memory.Quality{SuccessScore: share(0.85), Pattern: true}, Tags: []string{"answer", "pattern"}})
	for _, step := range []struct {
		judgement  memory.Judgement
		confidence float64
		pattern    bool
		tags       []string
	}{
		{memory.Judgement{Confidence: 0.1}, 0.95, true, []string{"answer", "pattern"}},
		{memory.Judgement{Confidence: 0.1}, 1, true, []string{"answer", "pattern"}},
		{memory.Judgement{Insufficient: true}, 1, false, []string{"answer"}},
		{memory.Judgement{Wrong: true}, 0, false, []string{"answer", memory.Incorrect}},
		{memory.Judgement{Wrong: true}, 0, false, []string{"answer", memory.Incorrect}},
		{memory.Judgement{Confidence: 0.1}, 0.1, false, []string{"answer"}},
	} {
		if err := s.store.Judge(s.ctx, saved.ID, step.judgement); err != nil {
			s.Fatal(err)
		}
		got, err := s.store.Get(s.ctx, saved.ID)
		if err != nil || got.Confidence == nil || math.Abs(*got.Confidence-step.confidence) > 1e-9 || got.Pattern != step.pattern || !slices.Equal(got.Tags, step.tags) {
			s.Errorf("%+v: confidence %v, pattern %v, tags %q, %v", step.judgement, got.Confidence, got.Pattern, got.Tags, err)
		}
	}
	s.expect(memory.Query{Tags: []string{"answer"}, Text: "answer"}, "an answer")
	if err := s.store.Judge(s.ctx, "reas:nobody", memory.Judgement{Wrong: true}); !errors.Is(err, memory.ErrNotFound) {
		s.Errorf("judge nobody: %v", err)
	}
	for _, bad := range []float64{2, math.NaN()} {
		if err := s.store.Judge(s.ctx, saved.ID, memory.Judgement{Confidence: bad}); !errors.Is(err, memory.ErrInvalid) {
			s.Errorf("judge by %v: %v", bad, err)
		}
	}
}

func (s *suite) searchMetadata() {
	s.remember(memory.Record{Content: "alpha one", Subject: memory.Subject{Domain: "security", SemanticRole: "auth-handler", Keywords: []string{"login"}}, Importance: 0.9})
	s.remember(memory.Record{Content: "alpha two", Subject: memory.Subject{Domain: "data"}, Importance: 0.2, Chunk: []byte(`{"content":{"tools_used":[{"tools":["websearch","grep"]}]}}`)})
	for _, test := range []struct {
		q    memory.Query
		want string
	}{
		{memory.Query{Metadata: memory.Metadata{Domain: "Security"}}, "alpha one"},
		{memory.Query{Metadata: memory.Metadata{SemanticRole: "auth"}}, "alpha one"},
		{memory.Query{Metadata: memory.Metadata{Keyword: "LOGIN"}}, "alpha one"},
		{memory.Query{MinImportance: 0.5}, "alpha one"},
		{memory.Query{Metadata: memory.Metadata{Field: "websearch"}}, "alpha two"},
	} {
		s.expect(test.q, test.want)
		test.q.Text = "alpha"
		s.expect(test.q, test.want)
	}
	s.expect(memory.Query{Text: "alpha", Metadata: memory.Metadata{Domain: "nowhere"}})
}

func (s *suite) recency() {
	s.remember(memory.Record{Content: "zebra zebra zebra"})
	s.remember(memory.Record{Content: "zebra in a much longer text than the first one, which it ranks below"})
	for _, bias := range []float64{0, 1, 7, math.NaN()} { // both are of today, so nothing changes
		hits := s.search(memory.Query{Text: "zebra", RecencyBias: bias})
		if len(hits) != 2 || hits[0].Content != "zebra zebra zebra" {
			s.Errorf("bias %v: %+v", bias, hits)
		}
	}
}

func (s *suite) citations() {
	saved := s.remember(memory.Record{Content: "why it locks", SourceRef: "a/b.go:3", Citations: []memory.Citation{{
		Folder: "/w", Path: "a/b.go", StartLine: 3, EndLine: 9, ChunkID: "code:a/b.go:Lock", Name: "Lock", Signature: "func Lock()",
		TextHash: "00ff", Excerpt: "func Lock() { password = \"hunter2hunter2\" }" + strings.Repeat("x", 5000),
	}}})
	hit, err := s.store.Get(s.ctx, saved.ID)
	if err != nil || len(hit.Citations) != 1 {
		s.Fatalf("citations %+v, %v", hit.Citations, err)
	}
	c := hit.Citations[0]
	if c.NowPath != "a/b.go" || c.NowChunkID != c.ChunkID || c.EndLine != 9 || strings.Contains(c.Excerpt, "hunter2") || len(c.Excerpt) > memory.MaxExcerpt {
		s.Errorf("citation %+v", c)
	}
	err = s.store.Follow(s.ctx, []memory.Move{{Record: saved.ID, Path: "a/b.go", StartLine: 3, ChunkID: c.ChunkID,
		NowPath: "c/d.go", NowChunkID: "code:c/d.go:Guard"}})
	if err != nil {
		s.Fatal(err)
	}
	for _, ref := range []string{"c/d.go", "code:c/d.go:Guard"} {
		hits := s.search(memory.Query{Refs: []string{ref}})
		if len(hits) != 1 || hits[0].Citations[0].NowPath != "c/d.go" || hits[0].Citations[0].Path != "a/b.go" {
			s.Errorf("by %s: %+v", ref, hits)
		}
	}
	s.expect(memory.Query{Refs: []string{"code:c/d.go:Other"}})
	s.remember(memory.Record{Content: "why it locks", Citations: hit.Citations}) // the same again is one citation
	if hit, err = s.store.Get(s.ctx, saved.ID); err != nil || len(hit.Citations) != 1 {
		s.Errorf("cited twice: %+v, %v", hit.Citations, err)
	}
}

func (s *suite) links() {
	migration := s.remember(memory.Record{Content: "how we write a migration"})
	schema := s.remember(memory.Record{Content: "what the schema holds"})
	rollback := s.remember(memory.Record{Content: "how a rollback goes", Citations: []memory.Citation{{Path: "r.go", ChunkID: "code:r.go:Roll", TextHash: "x"}}})
	err := s.store.Relate(s.ctx, []memory.Link{
		{From: migration.ID, To: schema.ID, Type: "uses", Weight: 1}, {From: schema.ID, To: migration.ID, Type: "used by", Weight: 1},
		{From: schema.ID, To: rollback.ID, Type: "uses", Weight: 0.5},
	})
	if err != nil {
		s.Fatal(err)
	}
	near := func(active string) map[string]float64 {
		s.Helper()
		found := map[string]float64{}
		for _, hit := range s.search(memory.Query{Active: []string{active}}) {
			found[hit.ID] = hit.Parts.Spreading
			if math.Abs(hit.Activation-hit.Parts.Activation()) > 1e-12 {
				s.Errorf("activation %v of %+v", hit.Activation, hit.Parts)
			}
		}
		return found
	}
	// 0.7 over one link; 0.7 · 0.7 · 0.5 over two.
	if got := near(migration.ID); math.Abs(got[schema.ID]-0.7) > 1e-9 || math.Abs(got[rollback.ID]-0.245) > 1e-9 || got[migration.ID] != 0 {
		s.Errorf("from the migration %v", got)
	}
	// Code activates what cites it.
	if got := near("code:r.go:Roll"); math.Abs(got[rollback.ID]-0.7) > 1e-9 {
		s.Errorf("from code %v", got)
	}
	for _, bad := range []memory.Link{{From: "a", To: "b", Weight: 1}, {From: "a", To: "b", Type: "t", Weight: 2}, {From: "a", To: "b", Type: "t", Weight: math.NaN()}} {
		if err := s.store.Relate(s.ctx, []memory.Link{bad}); !errors.Is(err, memory.ErrInvalid) {
			s.Errorf("link %+v: %v", bad, err)
		}
	}
}

func (s *suite) learns() {
	good := s.remember(memory.Record{Content: "good", Type: memory.Reasoning})
	bad := s.remember(memory.Record{Content: "bad"})
	control := s.remember(memory.Record{Content: "control"}) // of the same age, which nothing is learned of
	level := func(id string) float64 {
		s.Helper()
		levels, err := s.store.Activation(s.ctx, []string{id, control.ID})
		if err != nil {
			s.Fatal(err)
		}
		return levels[id] - levels[control.ID]
	}
	for _, test := range []struct {
		score             float64
		want              memory.Learned
		goodDiff, badDiff float64
	}{
		{0.9, memory.Learned{Cached: true, Pattern: true, Adjusted: 2}, 0.2, 0.2},
		{0.8, memory.Learned{Cached: true, Pattern: true, Adjusted: 2}, 0.2, 0.2},
		{0.6, memory.Learned{Cached: true, Adjusted: 2}, 0.05, -0.05},
		{0.5, memory.Learned{Cached: true, Adjusted: 2}, 0.05, -0.05},
		{0.4, memory.Learned{Difficult: true, Adjusted: 1}, -0.1, 0}, // of what is retrieved, only reasoning pays
	} {
		goodBefore, badBefore := level(good.ID), level(bad.ID)
		got, err := s.store.Learn(s.ctx, memory.Outcome{Query: "how do we deploy", Score: test.score, Helpful: []string{good.ID}, Unhelpful: []string{bad.ID}})
		if err != nil || got != test.want {
			s.Errorf("score %v: %+v, %v", test.score, got, err)
		}
		if diff := level(good.ID) - goodBefore; math.Abs(diff-test.goodDiff) > 0.02 {
			s.Errorf("score %v changes what helped by %v", test.score, diff)
		}
		if diff := level(bad.ID) - badBefore; math.Abs(diff-test.badDiff) > 0.02 {
			s.Errorf("score %v changes what did not help by %v", test.score, diff)
		}
	}
	for _, query := range []string{"Deploy! how DO we?", ""} { // the same words; none
		if _, err := s.store.Learn(s.ctx, memory.Outcome{Query: query, Score: 0.1}); err != nil {
			s.Fatal(err)
		}
	}
	if list, err := s.store.Difficult(s.ctx); err != nil || len(list) != 1 || list[0].Failures != 2 || list[0].Query != "how do we deploy" {
		s.Errorf("difficult: %+v, %v", list, err)
	}
	for range 30 { // bounded, whatever happens
		if _, err := s.store.Learn(s.ctx, memory.Outcome{Query: "q", Score: 1, Helpful: []string{good.ID}}); err != nil {
			s.Fatal(err)
		}
	}
	if diff := level(good.ID); diff > 1.1 {
		s.Errorf("activation %v", diff)
	}
	if hit, err := s.store.Get(s.ctx, good.ID); err != nil || hit.AccessCount != 1 {
		s.Errorf("outcomes count as %d uses, %v", hit.AccessCount, err)
	}
	if _, err := s.store.Learn(s.ctx, memory.Outcome{Score: 1.5}); !errors.Is(err, memory.ErrInvalid) {
		s.Errorf("score 1.5: %v", err)
	}
}
