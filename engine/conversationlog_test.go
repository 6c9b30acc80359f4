package engine

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine/agents"
	"github.com/aurora-sidecar/aurora/engine/journal"
	"github.com/aurora-sidecar/aurora/engine/llm/llmtest"
	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/convlog"
	"github.com/aurora-sidecar/aurora/memory/lifespan"
)

// keepJournal has the workspace's engine keep a journal, in its memory.
func (w *testWorkspace) keepJournal(o journal.Options) {
	w.rewire(func(p *Options) { p.Journal = journal.Open(p.Memory.(memory.Journal), o) })
}

// keepLogs has the workspace's engine write conversations down.
func (w *testWorkspace) keepLogs() *convlog.Book {
	w.Helper()
	book := convlog.New(convlog.Options{Dir: filepath.Join(w.TempDir(), "conversations"), RetentionDays: 90})
	w.keepJournal(journal.Options{Logs: book})
	return book
}

// ask queries, and waits until it is written down.
func (w *testWorkspace) ask(r QueryRequest) *QueryResult {
	w.Helper()
	result := w.query(r)
	w.engine.reasoner.Close()
	return result
}

// logOf reads the file of a query.
func (w *testWorkspace) logOf(book *convlog.Book, id string) (*convlog.Conversation, string) {
	w.Helper()
	file, err := book.Find(w.Context(), id)
	if err != nil {
		w.Fatal(err)
	}
	c, err := book.Read(file)
	if err != nil {
		w.Fatal(err)
	}
	text, err := book.Text(file, 1<<20)
	if err != nil {
		w.Fatal(err)
	}
	return c, text
}

var headings = []string{
	"Phase 1: ASSESS", "Phase 2: RETRIEVE", "Phase 3: DECOMPOSE", "Phase 4: VERIFY (Decomposition)", "Phase 5: ROUTE",
	"Phase 6: COLLECT (Agent Outputs)", "Phase 7: SYNTHESIZE", "Phase 4b: VERIFY (Synthesis)", "Phase 8: RECORD", "Phase 9: RESPOND",
	"Execution Summary",
}

// checkSections holds that a file has every heading of the format, in order, and that every block below them is JSON.
func checkSections(t *testing.T, c *convlog.Conversation) map[string]map[string]any {
	t.Helper()
	var titles []string
	blocks := map[string]map[string]any{}
	for _, s := range c.Sections {
		titles = append(titles, s.Title)
		for _, m := range regexp.MustCompile("(?s)```json\n(.*?)\n```").FindAllStringSubmatch(s.Text, -1) {
			var value map[string]any
			if err := json.Unmarshal([]byte(m[1]), &value); err != nil {
				t.Errorf("%s: %v in\n%s", s.Title, err, m[1])
			}
			blocks[s.Title] = value
		}
	}
	if !slices.Equal(titles, headings) {
		t.Errorf("headings %q, want %q", titles, headings)
	}
	return blocks
}

func TestOfflineQueriesAreWrittenDown(t *testing.T) {
	w := openWorkspace(t, shop)
	book := w.keepLogs()
	r := w.ask(QueryRequest{Query: "Where is WithTax defined?"})
	c, text := w.logOf(book, r.QueryID)
	blocks := checkSections(t, c)
	input := blocks["Phase 1: ASSESS"]["input"].(map[string]any)
	output := blocks["Phase 9: RESPOND"]["output"].(map[string]any)
	if input["query"] != "Where is WithTax defined?" || input["mode"] != "auto" || input["workspace"] != w.dir || output["response"] != r.Answer {
		t.Errorf("%v, %v", input, output)
	}
	if status := blocks["Phase 3: DECOMPOSE"]["status"]; status != "skipped" {
		t.Errorf("a phase that did not run is %v", status)
	}
	for _, want := range []string{"# Conversation: withtax", "**User Query**: \"Where is WithTax defined?\"", "- **ACT-R Storage**: No (nothing verified to remember)", "- **Tokens Used**: 0 total"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}

func TestQueriesWithModelsAreWrittenDown(t *testing.T) {
	w := openWorkspace(t, shop)
	book := w.keepLogs()
	w.withModel(ample)
	policies, err := lifespan.New(nil, "")
	if err != nil {
		t.Fatal(err)
	}
	w.rewire(func(o *Options) { o.Lifespan = policies })
	r := w.ask(QueryRequest{Query: "Compare the cart and the tax", Mode: "soar"})
	c, text := w.logOf(book, r.QueryID)
	blocks := checkSections(t, c)
	plan, review := blocks["Phase 3: DECOMPOSE"]["output"].(map[string]any), blocks["Phase 4: VERIFY (Decomposition)"]["output"].(map[string]any)
	if len(plan["subgoals"].([]any)) != len(r.Subgoals) || review["verdict"] != "PASS" || len(review["scores"].(map[string]any)) != 4 {
		t.Errorf("plan %v, review %v", plan, review)
	}
	for _, want := range []string{"**Agent SG1: ", "**Agent SG3: ", "**Synthesis (Natural Language Recomposition)**", "- **ACT-R Storage**: Yes (score ≥ 0.5)", "3 subgoals"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	stored := blocks["Phase 8: RECORD"]["output"].(map[string]any)
	if stored["chunk_id"] != r.ChunkID || r.ChunkID == "" || stored["lifespan_policy"] != "patterns" {
		t.Errorf("stored as %v, not %s", stored, r.ChunkID)
	}

	record, err := w.engine.opts.Memory.Get(w.Context(), r.ChunkID)
	if err != nil || !record.Pattern || record.SuccessScore == nil || *record.SuccessScore != *r.OverallScore || record.AccessCount != 1 {
		t.Errorf("record %+v, %v", record, err)
	}
	var chunk struct {
		Content struct {
			Subgoals []any             `json:"subgoals"`
			Routing  map[string]string `json:"routing"`
		} `json:"content"`
		Governance struct {
			Decision string `json:"policy_decision"`
		} `json:"governance"`
		Log *struct {
			File    string `json:"file"`
			Section string `json:"section"`
			Lines   [2]int `json:"line_range"`
		} `json:"conversation_log_reference"`
	}
	if err := json.Unmarshal(record.Chunk, &chunk); err != nil || chunk.Log == nil {
		t.Fatalf("chunk %s, %v", record.Chunk, err)
	}
	if chunk.Log.File != c.File.Name || chunk.Log.Section != "Phase 3: DECOMPOSE" || len(chunk.Content.Subgoals) != 3 || len(chunk.Content.Routing) != 3 {
		t.Errorf("chunk %s", record.Chunk)
	}
	if chunk.Governance.Decision != "patterns" {
		t.Errorf("governed by %+v", chunk.Governance)
	}
	if line := strings.Split(text, "\n")[chunk.Log.Lines[0]-1]; line != "### Phase 3: DECOMPOSE" {
		t.Errorf("the chunk points at the line %q", line)
	}
}

// TestBadAnswersAreNoPatterns: they are in the log, and nowhere else.
func TestBadAnswersAreNoPatterns(t *testing.T) {
	w := openWorkspace(t, shop)
	book, low := w.keepLogs(), 0.45
	server, _ := w.withModel(ample)
	server.Script(llmtest.Step{Task: "verify_synthesis", Scores: &low, Issue: "beside the point"})
	r := w.ask(QueryRequest{Query: "Compare the cart and the tax"})
	if _, text := w.logOf(book, r.QueryID); !strings.Contains(text, "- **ACT-R Storage**: No (") {
		t.Errorf("the log says:\n%s", text)
	}
	if stats, err := w.engine.opts.Memory.Stats(w.Context()); err != nil || r.ChunkID != "" || len(stats.Records) != 0 {
		t.Errorf("chunk %q, stats %+v, %v", r.ChunkID, stats, err)
	}
}

// A run that came to nothing is written down like any other; one that was refused or cancelled leaves nothing.
func TestWhatIsWrittenDown(t *testing.T) {
	w := openWorkspace(t, shop)
	book := w.keepLogs()
	server, _ := w.withModel(ample)
	server.Script(llmtest.Step{Fault: llmtest.Unavailable})
	r := w.ask(QueryRequest{Query: "What is WithTax?"})
	_, text := w.logOf(book, r.QueryID)
	if !strings.Contains(text, `"error": `) || !strings.Contains(text, "HTTP 503") || !strings.Contains(text, "price/tax.go:4") {
		t.Errorf("the failure is not told:\n%s", text)
	}
	server.Reset()

	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := w.engine.Query(ended, QueryRequest{Query: "What is WithTax?"}, nil); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	w.engine.opts.Models.PII = "reject"
	if _, err := w.engine.Query(context.Background(), QueryRequest{Query: "Mail ada@example.com the tax"}, nil); err == nil {
		t.Fatal("nothing was refused")
	}
	w.engine.reasoner.Close()
	files, err := book.Files(t.Context(), convlog.Span{})
	if err != nil || len(files) != 1 {
		t.Errorf("%d files, %v", len(files), err)
	}

	w.engine.opts.Models.PII = "redact"
	r = w.ask(QueryRequest{Query: "Does ada@example.com pay tax?"})
	if _, text := w.logOf(book, r.QueryID); strings.Contains(text, "ada@example.com") {
		t.Errorf("personal data that models must not see were written:\n%s", text)
	}
}

func TestNothingIsLostWhenLogsCannotBeWritten(t *testing.T) {
	w := openWorkspace(t, shop)
	blocked := filepath.Join(w.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	w.keepJournal(journal.Options{Logs: convlog.New(convlog.Options{Dir: blocked})})
	if r := w.ask(QueryRequest{Query: "Where is WithTax defined?"}); !strings.Contains(r.Answer, "price/tax.go") {
		t.Errorf("answer %q", r.Answer)
	}
	w.search(SearchRequest{Query: "zebra crossings", Scope: Scope{Types: []string{"knowledge"}}})
}

// told writes a conversation of another time.
func told(t *testing.T, book *convlog.Book, workspace, query, answer string, confidence float64) *convlog.Conversation {
	t.Helper()
	c, err := book.Write(convlog.Entry{ID: "aurora-20260101-000000-abc123", At: time.Now(), Query: query, Phases: []convlog.Phase{
		{Name: "assess", Title: headings[0], Blocks: []convlog.Block{{Value: map[string]any{"input": map[string]any{"query": query, "workspace": workspace}}}}},
		{Name: "respond", Title: headings[9], Blocks: []convlog.Block{{Value: map[string]any{"output": map[string]any{"response": answer, "confidence": confidence}}}}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestSearchFallsBackOnConversations(t *testing.T) {
	w := openWorkspace(t, shop)
	book := w.keepLogs()
	c := told(t, book, w.dir, "Why did the kangaroo exporter stall?", "Its mutex was held over the upload.", 0.8)
	told(t, book, "/elsewhere", "Why did the kangaroo importer stall?", "Nobody knows.", 0.8)
	told(t, book, w.dir, "Does the kangaroo exporter sing?", "I can't answer this.", 0)
	hits := w.search(SearchRequest{Query: "kangaroo exporters stall"}).Hits
	if len(hits) != 1 {
		t.Fatalf("hits %v", names(hits))
	}
	h := hits[0]
	base := strings.TrimSuffix(filepath.Base(c.File.Path), ".md")
	if h.Origin != OriginLog || h.Source != "log" || h.Type != "knowledge" || h.Abs != c.File.Path || !strings.HasPrefix(h.ID, "conv-"+base+"-phase") ||
		h.Range.Start.Line+1 != c.Sections[1].Start || !strings.Contains(h.Explanation, "kangaroo") {
		t.Errorf("hit %+v", h)
	}
	if m := h.Metadata; m == nil || m.SourceFile != c.File.Path || m.PhaseNumber < 1 || m.PhaseNumber > 9 || m.PhaseName == "" || strings.Contains(m.PhaseName, "Phase") ||
		m.ConversationDate != c.File.Date.Format(time.DateOnly) || m.Query != "Why did the kangaroo exporter stall?" {
		t.Errorf("metadata %+v", m)
	}
	if hits := w.search(SearchRequest{Query: "mutex upload"}).Hits; len(hits) != 1 || !strings.Contains(hits[0].Text, "held over the upload") {
		t.Errorf("by the answer's words: %v", names(hits))
	}
	for _, r := range []SearchRequest{
		{Query: "kangaroo exporter", Scope: Scope{Types: []string{"function"}}}, {Query: "kangaroo exporter", Scope: Scope{Tags: []string{"x"}}},
		{Query: "kangaroo -mutex upload held"}, {Query: `"kangaroo carrier"`}, {Query: "kangaroo exporter", MinScore: 0.9},
		{Query: "kangaroo zebra lion tiger panda"},
	} {
		for _, h := range w.search(r).Hits {
			if h.Origin == OriginLog {
				t.Errorf("%+v found %s", r, h.ID)
			}
		}
	}
	// What memory answers well needs no conversation.
	id, _, err := w.engine.Memory().Remember(w.Context(), RememberRequest{Content: "The kangaroo exporter stalls when the mutex is held."})
	if err != nil {
		t.Fatal(err)
	}
	hits = w.search(SearchRequest{Query: "kangaroo exporter stall", Scope: Scope{Types: []string{"knowledge"}}}).Hits
	if len(hits) == 0 || hits[0].ID != id || slices.ContainsFunc(hits, func(h Hit) bool { return h.Origin == OriginLog }) {
		t.Errorf("hits %v", names(hits))
	}
	if err := os.Remove(c.File.Path); err != nil {
		t.Fatal(err)
	}
	if hits := w.search(SearchRequest{Query: "mutex upload"}).Hits; len(hits) > 0 && hits[0].Origin == OriginLog {
		t.Errorf("the file is gone, and %s is found", hits[0].ID)
	}
}

// TestTalksWithAgentsAreWrittenDown holds that what the person was asked, and said, is in the conversation.
func TestTalksWithAgentsAreWrittenDown(t *testing.T) {
	w := openWorkspace(t, shop)
	book := w.keepLogs()
	w.withModel(ample)
	w.rewire(func(o *Options) { o.Agents = agents.Open(agents.Options{Fallback: "ask"}) })
	yes := func(context.Context, Question) (string, bool, error) { return "yes", true, nil }
	r, err := w.engine.Query(w.Context(), QueryRequest{Query: "Compare the cart and the tax", Caller: Caller{Ask: yes}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	w.engine.reasoner.Close()
	_, text := w.logOf(book, r.QueryID)
	for _, want := range []string{"**User Interaction 1**", `"question": "aurora: No agents found. Proceed with LLM-only mode?"`, `"reply": "yes"`, "1 user interactions"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%.4000s", want, text)
		}
	}
	record, err := w.engine.opts.Memory.Get(w.Context(), r.ChunkID)
	if err != nil || record.SemanticRole == "" {
		t.Fatal(record.SemanticRole, err)
	}
	for _, again := range []bool{false, true} { // the index follows from the files, of which the role is a part
		if again {
			known, err := w.engine.opts.Memory.LoggedFiles(w.Context())
			if err := errors.Join(err, w.engine.opts.Memory.UnindexLogs(w.Context(), slices.Collect(maps.Keys(known)))); err != nil {
				t.Fatal(err)
			}
			if err := book.Sync(w.Context(), w.engine.opts.Memory); err != nil {
				t.Fatal(err)
			}
		}
		places, err := w.engine.opts.Memory.SearchLogs(w.Context(), memory.LogQuery{Words: []string{"cart", "tax"}})
		if err != nil || len(places) == 0 || places[0].Topic != record.SemanticRole {
			t.Errorf("indexed again %v: the topic is not %q: %+v, %v", again, record.SemanticRole, places, err)
		}
	}
}

func TestAnswersPointAtConversations(t *testing.T) {
	w := openWorkspace(t, shop)
	book := w.keepLogs()
	told(t, book, w.dir, "Why did the kangaroo exporter stall?", "Its mutex was held over the upload.", 0.8)
	r := w.ask(QueryRequest{Query: "kangaroo exporter stall?"})
	if !strings.Contains(r.Answer, "Earlier conversations") || !strings.Contains(r.Answer, "[1]") || len(r.Citations) != 1 || r.Citations[0].Origin != OriginLog {
		t.Errorf("%q, citing %v", r.Answer, names(r.Citations))
	}

	server, _ := w.withModel(ample)
	r = w.ask(QueryRequest{Query: "Compare the kangaroo exporter with the cart"})
	prompts := ""
	for _, call := range server.Calls() {
		for _, m := range call.Messages {
			prompts += m.Content
		}
	}
	if !strings.Contains(prompts, "The conversation is in 20") || strings.Contains(prompts, "mutex") {
		t.Errorf("models are shown more, or less, than the place:\n%.3000s", prompts)
	}
	if _, text := w.logOf(book, r.QueryID); !regexp.MustCompile(`"log_references": \[\s+"20\d\d/\d\d/kangaroo-[-\w]+\.md lines \d+-\d+ \(Phase \d: `).MatchString(text) {
		t.Errorf("the references are not written down:\n%.3000s", text)
	}
}

func TestKnowledgeOfDocuments(t *testing.T) {
	files := map[string]string{"docs/adr/0001-queue.md": "# Why the queue is bounded\n\nThe tax office floods us with invoices.\n"}
	for name, text := range shop {
		files[name] = text
	}
	w := openWorkspace(t, files)
	note, _, err := w.engine.Memory().Remember(w.Context(), RememberRequest{Content: "Invoices are numbered without gaps."})
	if err != nil {
		t.Fatal(err)
	}
	hits := w.search(SearchRequest{Query: "invoices flood the queue", Scope: Scope{Types: []string{"knowledge"}}}).Hits
	if len(hits) < 2 || hits[0].Origin != OriginDocs || hits[0].Type != "knowledge" || hits[0].Path != "docs/adr/0001-queue.md" {
		t.Fatalf("hits %v", names(hits))
	}
	if i := slices.IndexFunc(hits, func(h Hit) bool { return h.ID == note }); i < 0 || hits[i].Origin != OriginRemembered {
		t.Errorf("hits %v", names(hits))
	}
	hits = w.search(SearchRequest{Query: "value added tax", Scope: Scope{Types: []string{"knowledge"}}}).Hits
	if len(hits) == 0 || hits[0].Origin != OriginAPI || hits[0].Name != "WithTax" {
		t.Errorf("comments: %v", names(hits))
	}
	for _, h := range hits {
		if h.Name == "describe_cart" || strings.HasPrefix(h.Name, "Test") {
			t.Errorf("%s has no comment for others", h.Name)
		}
	}
	if hits := w.search(SearchRequest{Query: "value added tax", Scope: Scope{Types: []string{"knowledge", "reasoning"}}}).Hits; len(hits) != 0 {
		t.Errorf("what memory holds: %v", names(hits))
	}
	if hits := w.search(SearchRequest{Query: "type:knowledge"}).Hits; len(hits) != 1 || hits[0].ID != note {
		t.Errorf("a list of what is remembered: %v", names(hits))
	}
}

// What an answer cites has helped, and what went badly is marked; what no model reviewed teaches nothing.
func TestAnswersTeach(t *testing.T) {
	w := openWorkspace(t, shop)
	w.withModel(ample)
	note, _, err := w.engine.Memory().Remember(w.Context(), RememberRequest{Content: "The tax is added per item of the cart."})
	if err != nil {
		t.Fatal(err)
	}
	activation := func() float64 {
		t.Helper()
		r, err := w.engine.opts.Memory.Get(w.Context(), note)
		if err != nil {
			t.Fatal(err)
		}
		return r.Parts.BaseLevel
	}
	before := activation()
	w.search(SearchRequest{Query: "tax per item of the cart", Scope: Scope{Types: []string{"knowledge"}}})
	if now := activation(); now > before {
		t.Errorf("a search raised %.3f to %.3f", before, now)
	}
	w.ask(QueryRequest{Query: "What is WithTax?"})
	if now := activation(); now > before {
		t.Errorf("an answer that nobody reviewed raised %.3f to %.3f", before, now)
	}
	before = activation()
	if r := w.ask(QueryRequest{Query: "Compare the tax with the item of the cart"}); !r.Verified {
		t.Fatalf("%+v", r)
	}
	if now := activation(); now < before+0.1 {
		t.Errorf("a good answer left %.3f at %.3f", before, now)
	}
}
