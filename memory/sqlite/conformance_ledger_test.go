package sqlite

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/memory"
)

func (s *suite) ledger() {
	s.remember(memory.Record{Content: "the queue is bounded", Author: memory.Author{GoalID: "G-1"}})
	gone := s.remember(memory.Record{Content: "the queue is not", Author: memory.Author{GoalID: "G-1"}})
	if _, err := s.store.Forget(s.ctx, []string{gone.ID}); err != nil {
		s.Fatal(err)
	}
	for _, g := range []memory.Goal{{ID: "G-2", Title: "Ship it", Status: memory.GoalDone}, {ID: "G-1", Title: "Bound the queue"}} {
		if err := s.store.SetGoal(s.ctx, g); err != nil {
			s.Fatal(err)
		}
	}
	goals, err := s.store.Goals(s.ctx)
	if err != nil || len(goals) != 2 || goals[0].ID != "G-1" || goals[0].Title != "Bound the queue" || goals[0].Status != memory.GoalActive ||
		goals[0].Records != 1 || goals[1].Status != memory.GoalDone || goals[1].Records != 0 {
		s.Errorf("goals %+v, %v", goals, err)
	}
	s.remember(memory.Record{Content: "one more", Author: memory.Author{GoalID: "G-2"}}) // tells neither title nor status
	if goals, err := s.store.Goals(s.ctx); err != nil || goals[1].Title != "Ship it" || goals[1].Status != memory.GoalDone || goals[1].Records != 1 {
		s.Errorf("goals %+v, %v", goals, err)
	}
	for _, bad := range []memory.Goal{{}, {ID: " "}, {ID: "x", Status: "later"}} {
		if err := s.store.SetGoal(s.ctx, bad); !errors.Is(err, memory.ErrInvalid) {
			s.Errorf("%+v: %v", bad, err)
		}
	}

	now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	metrics := []memory.Metric{
		{At: now, Op: "query", TaskID: "a", ModelUse: memory.ModelUse{TokensIn: 100, TokensOut: 10}}, {At: now, Op: "decompose", ModelUse: memory.ModelUse{TokensIn: 5}},
		{At: now.Add(time.Hour), Op: "query", TaskID: "b", ModelUse: memory.ModelUse{TokensIn: 1, TokensOut: 1}}, {At: now.AddDate(0, 0, -40), Op: "query", ModelUse: memory.ModelUse{TokensIn: 1 << 30}},
	}
	if err := s.store.AddMetrics(s.ctx, metrics); err != nil {
		s.Fatal(err)
	}
	sums, err := s.store.MetricSums(s.ctx, now)
	want := []memory.MetricSum{
		{Op: "query", Count: 2, TokensInput: 101, TokensOutput: 11, Last: now.Add(time.Hour)}, {Op: "decompose", Count: 1, TokensInput: 5, Last: now},
	}
	if err != nil || !slices.Equal(sums, want) {
		s.Errorf("metrics %+v, %v", sums, err)
	}
}

func (s *suite) annotates() {
	r := s.remember(memory.Record{Content: "an answer", Type: memory.Reasoning})
	before, err := s.store.Get(s.ctx, r.ID)
	if err != nil {
		s.Fatal(err)
	}
	secret := "ghp_" + strings.Repeat("a1B2", 9)
	if err := s.store.Annotate(s.ctx, r.ID, []byte(`{"note": "`+secret+`"}`)); err != nil {
		s.Fatal(err)
	}
	after, err := s.store.Get(s.ctx, r.ID)
	if err != nil || string(after.Chunk) == "" || strings.Contains(string(after.Chunk), secret) || after.AccessCount != before.AccessCount {
		s.Errorf("chunk %s, %d uses, %v", after.Chunk, after.AccessCount, err)
	}
	if err := s.store.Annotate(s.ctx, r.ID, []byte(`{`)); !errors.Is(err, memory.ErrInvalid) {
		s.Errorf("no JSON: %v", err)
	}
	if err := s.store.Annotate(s.ctx, "know:nobody", []byte(`{}`)); !errors.Is(err, memory.ErrNotFound) {
		s.Errorf("nobody: %v", err)
	}
}

func (s *suite) logs() {
	file := memory.LoggedFile{
		File: "2025/12/oauth-2025-12-13.md", Stamp: "1", Topic: "oauth", Query: "How do we log in?", QueryID: "aurora-1", Workspace: "/shop",
		Date: time.Date(2025, 12, 13, 0, 0, 0, 0, time.UTC),
		Sections: []memory.LoggedSection{
			{Section: "Phase 1: ASSESS", Phase: 1, LineStart: 11, LineEnd: 20, Keywords: []string{"OAuth", "login"}},
			{Section: "Phase 9: RESPOND", Phase: 9, LineStart: 45, LineEnd: 78, Keywords: []string{"oauth", "redirect"}},
		},
	}
	if err := s.store.IndexLog(s.ctx, file); err != nil {
		s.Fatal(err)
	}
	find := func(q memory.LogQuery) []memory.LogHit {
		s.Helper()
		hits, err := s.store.SearchLogs(s.ctx, q)
		if err != nil {
			s.Fatal(err)
		}
		return hits
	}
	hits := find(memory.LogQuery{Words: []string{"OAUTH", "redirect"}})
	if len(hits) != 1 || hits[0].LineStart != 45 || hits[0].LineEnd != 78 || hits[0].Section != "Phase 9: RESPOND" || hits[0].QueryID != "aurora-1" ||
		!hits[0].Date.Equal(file.Date) || len(hits[0].Matched) != 2 {
		s.Errorf("hits %+v", hits)
	}
	for _, q := range []memory.LogQuery{
		{}, {Words: []string{"absent"}}, {Words: []string{"oauth"}, Workspaces: []string{"/other"}}, {Words: []string{"oauth"}, Phases: []int{3}},
	} {
		if hits := find(q); len(hits) != 0 {
			s.Errorf("%+v: %+v", q, hits)
		}
	}
	file.Stamp, file.Sections = "2", file.Sections[:1]
	if err := s.store.IndexLog(s.ctx, file); err != nil {
		s.Fatal(err)
	}
	if hits := find(memory.LogQuery{Words: []string{"redirect"}}); len(hits) != 0 {
		s.Errorf("what is no longer in the file: %+v", hits)
	}
	if files, err := s.store.LoggedFiles(s.ctx); err != nil || len(files) != 1 || files[file.File] != "2" {
		s.Errorf("files %v, %v", files, err)
	}
	if n, err := s.store.LoggedSections(s.ctx); err != nil || n != len(file.Sections) {
		s.Errorf("%d sections, want %d; %v", n, len(file.Sections), err)
	}
	if err := s.store.UnindexLogs(s.ctx, []string{file.File, "unknown"}); err != nil {
		s.Fatal(err)
	}
	if hits := find(memory.LogQuery{Words: []string{"oauth"}}); len(hits) != 0 {
		s.Errorf("after it was forgotten: %+v", hits)
	}
}
