package api_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/sqlite"
	"github.com/aurora-sidecar/aurora/memory/sqlite/sqlitetest"
)

// A shelf is one memory that several projects share, each with an engine of its own.
type shelf struct {
	*testing.T
	store  *sqlite.Store
	places []*place
	owners map[string]string // project by record
}

// A place is a copy of a project.
type place struct {
	project, dir string
	client       api.Client
}

func newShelf(t *testing.T) *shelf {
	s := &shelf{T: t, store: sqlitetest.Open(t, sqlite.Options{}), owners: map[string]string{}}
	t.Cleanup(func() { _ = s.store.Close() })
	return s
}

func (s *shelf) git(dir string, args ...string) {
	s.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=Ada", "-c", "user.email=ada@example.com"}, args...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		s.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// repository makes a project with one file, whose only commit differs from that of others.
func (s *shelf) repository(project string) string {
	dir := filepath.Join(s.TempDir(), project)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		s.Fatal(err)
	}
	code := "package pay\n\n// Retry sends the payment again.\nfunc Retry() int {\n\treturn 3\n}\n"
	if err := os.WriteFile(filepath.Join(dir, "pay.go"), []byte(code), 0o644); err != nil {
		s.Fatal(err)
	}
	s.git(dir, "init", "-q", "-b", "main")
	s.git(dir, "add", ".")
	s.git(dir, "commit", "-q", "-m", "Begin "+project)
	return dir
}

// open starts an engine on a folder that holds a copy of the project.
func (s *shelf) open(project, dir string) *place {
	s.Helper()
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		s.Fatal(err)
	}
	ix, err := index.Open(s.Context(), index.Options{Folders: []string{dir}, NoWatch: true})
	if err != nil {
		s.Fatal(err)
	}
	e := engine.New(engine.Options{Index: ix, Memory: s.store, Version: "test"})
	s.Cleanup(func() {
		if err := errors.Join(e.Close(), ix.Shutdown()); err != nil {
			s.Error(err)
		}
	})
	if err := ix.WaitReady(s.Context()); err != nil {
		s.Fatal(err)
	}
	p := &place{project, dir, api.Client{Backend: api.Local(e)}}
	s.places = append(s.places, p)
	return p
}

func (s *shelf) remember(p *place, params *api.RememberParams) string {
	s.Helper()
	r, err := api.Remember.Call(s.Context(), p.client, params)
	if err != nil {
		s.Fatal(err)
	}
	s.owners[r.ID] = p.project
	if params.Personal {
		s.owners[r.ID] = ""
	}
	return r.ID
}

// shown is all that a project gets to see of memory, as JSON.
func (s *shelf) shown(p *place) string {
	s.Helper()
	var all []byte
	add := func(result any, err error) {
		if err != nil {
			s.Fatal(err)
		}
		text, err := json.Marshal(result)
		if err != nil {
			s.Fatal(err)
		}
		all = append(all, text...)
	}
	search := func(words string, atLeast int) {
		r, err := api.Search.Call(s.Context(), p.client, &api.SearchParams{Query: words, Limit: 50, AtLeast: atLeast, Text: true})
		add(r, err)
	}
	search("payment retry decision", 0)
	search("why do we send payments again", 3)
	search("pay.go", 0)
	context, err := api.Context.Call(s.Context(), p.client, &api.ContextParams{Query: "retry a payment", BudgetTokens: 4000})
	add(context, err)
	answer, err := api.Query.Call(s.Context(), p.client, &api.QueryParams{Query: "what did we decide about payments?"})
	add(answer, err)
	records, err := api.Records.Call(s.Context(), p.client, &api.RecordsParams{Limit: 100})
	add(records, err)
	active, err := api.Records.Call(s.Context(), p.client, &api.RecordsParams{View: "active", Limit: 100})
	add(active, err)
	return string(all)
}

// checkNoneLeaks fails when a project sees a record of another one.
func (s *shelf) checkNoneLeaks(step string) {
	s.Helper()
	for _, p := range s.places {
		shown := s.shown(p)
		for id, owner := range s.owners {
			if owner != "" && owner != p.project && strings.Contains(shown, `"`+id+`"`) {
				s.Fatalf("%s: %s in %s shows %s of %s", step, p.project, p.dir, id, owner)
			}
		}
	}
}

// TestNoRecordOfAnotherProjectIsShown does what users do, at random, in copies of three projects with one memory.
func TestNoRecordOfAnotherProjectIsShown(t *testing.T) {
	if testing.Short() {
		t.Skip("opens five workspaces")
	}
	s := newShelf(t)
	for _, project := range []string{"north", "south", "east"} {
		s.open(project, s.repository(project))
	}
	north := s.places[0].dir
	tree, clone := filepath.Join(t.TempDir(), "tree"), filepath.Join(t.TempDir(), "clone")
	s.git(north, "worktree", "add", "-q", tree)
	s.git(north, "clone", "-q", north, clone)
	s.open("north", tree)
	s.open("north", clone)

	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 1))
	for step := range 60 {
		did := s.act(random, step)
		if step%12 == 11 {
			s.checkNoneLeaks(fmt.Sprintf("step %d, %s", step, did))
		}
	}
	s.checkCopiesAgree()
}

// act does one thing in one of the places, and says what.
func (s *shelf) act(random *rand.Rand, step int) string {
	p := s.places[random.IntN(len(s.places))]
	anyID := ""
	for id, owner := range s.owners {
		if owner == p.project {
			anyID = id
			break
		}
	}
	text := fmt.Sprintf("Decision %d: a payment is sent again", random.IntN(8)) // the same in several projects
	what := random.IntN(8)
	var err error
	switch {
	case what == 0 && anyID != "":
		_, err = api.Rate.Call(s.Context(), p.client, &api.RateParams{IDs: []string{anyID}, Action: "accepted"})
	case what == 1 && anyID != "":
		content := fmt.Sprintf("Decision revised in step %d: a payment is sent again", step)
		var r *api.ReviseResult
		if r, err = api.Revise.Call(s.Context(), p.client, &api.ReviseParams{ID: anyID, Content: &content}); err == nil {
			s.owners[r.ID] = p.project
		}
	case what == 2 && anyID != "":
		if _, err = api.Forget.Call(s.Context(), p.client, &api.ForgetParams{IDs: []string{anyID}}); err == nil {
			_, err = api.Restore.Call(s.Context(), p.client, &api.RestoreParams{IDs: []string{anyID}})
		}
	case what == 3:
		s.remember(p, &api.RememberParams{Content: fmt.Sprintf("Personal %d: payments need tea", step), Personal: true})
	case what == 4:
		s.remember(p, &api.RememberParams{Content: text, SourceRef: "pay.go:4"})
	case what == 5:
		r, failed := api.Learn.Call(s.Context(), p.client, &api.LearnParams{Query: "how is a payment retried?", Result: text, Score: 0.9})
		if err = failed; err == nil {
			s.owners[r.ChunkID] = p.project
		}
	case what == 6:
		query := fmt.Sprintf("how often is a payment sent, asked in step %d?", step)
		if _, err = api.Outcome.Call(s.Context(), p.client, &api.OutcomeParams{Query: query, Result: text, Score: 0.9}); err == nil {
			err = s.store.Records(s.Context(), func(h memory.Hit) error {
				if _, known := s.owners[h.ID]; !known {
					s.owners[h.ID] = p.project
				}
				return nil
			})
		}
	default:
		s.remember(p, &api.RememberParams{Content: text})
	}
	if err != nil {
		s.Fatalf("step %d: %v", step, err)
	}
	return fmt.Sprintf("action %d in %s", what, p.dir)
}

// checkCopiesAgree fails when the copies of a project list different records.
func (s *shelf) checkCopiesAgree() {
	s.Helper()
	totals := map[string]int{}
	for _, p := range s.places {
		r, err := api.Records.Call(s.Context(), p.client, &api.RecordsParams{})
		if err != nil {
			s.Fatal(err)
		}
		if before, ok := totals[p.project]; ok && before != r.Total {
			s.Errorf("%s has %d records in %s, %d elsewhere", p.project, r.Total, p.dir, before)
		}
		totals[p.project] = r.Total
	}
	if totals["north"] == 0 {
		s.Error("the copies agree on nothing")
	}
}

// TestACloneHasTheMemoryOfItsRepository follows citations into a clone, after the folder where they were made is gone.
func TestACloneHasTheMemoryOfItsRepository(t *testing.T) {
	s := newShelf(t)
	origin := s.repository("north")
	s.git(origin, "remote", "add", "origin", "git@example.com:Team/north.git")
	clone := filepath.Join(t.TempDir(), "clone")
	s.git(origin, "clone", "-q", origin, clone)
	s.git(clone, "remote", "set-url", "origin", "https://ada:pw@example.com/team/north")
	id := s.remember(s.open("north", origin), &api.RememberParams{Content: "Three retries are enough for a payment", SourceRef: "pay.go:4"})
	if err := os.RemoveAll(origin); err != nil {
		t.Fatal(err)
	}
	r, err := api.Records.Call(t.Context(), s.open("north", clone).client, &api.RecordsParams{})
	if err != nil || len(r.Records) != 1 || r.Records[0].Hit.ID != id || r.Records[0].Stale != "" {
		t.Fatalf("the clone lists %+v, %v", r, err)
	}
	if cited := r.Records[0].Hit.Citations; len(cited) != 1 || cited[0].State != "valid" {
		t.Errorf("cites %+v", cited)
	}
}

// TestEarlierRecordsAreAssigned has records as earlier versions filed them: under folders.
func TestEarlierRecordsAreAssigned(t *testing.T) {
	s := newShelf(t)
	origin, err := filepath.EvalSymlinks(s.repository("north"))
	if err != nil {
		t.Fatal(err)
	}
	tree := filepath.Join(t.TempDir(), "tree")
	s.git(origin, "worktree", "add", "-q", tree)
	for workspace, content := range map[string]string{origin: "Kept by the folder", "/gone/north": "Of a folder that is gone"} {
		if _, _, err := s.store.Remember(t.Context(), memory.Record{Content: content, Workspace: workspace}); err != nil {
			t.Fatal(err)
		}
	}
	p := s.open("north", tree)
	audit, err := api.Audit.Call(t.Context(), p.client, &api.AuditParams{})
	if err != nil || len(audit.Misplaced) != 1 || audit.Misplaced[0] != (api.MisplacedNotes{Folder: "/gone/north", Records: 1}) {
		t.Fatalf("audit %+v, %v", audit, err)
	}
	for want, params := range []*api.AuditParams{1: {}, 2: {Assign: "/gone/north"}} {
		if params == nil {
			continue
		}
		if _, err := api.Audit.Call(t.Context(), p.client, params); err != nil {
			t.Fatal(err)
		}
		if r, err := api.Records.Call(t.Context(), p.client, &api.RecordsParams{}); err != nil || r.Total != want {
			t.Errorf("%+v: %d records, %v; want %d", params, r.Total, err, want)
		}
	}
	if _, err := api.Audit.Call(t.Context(), p.client, &api.AuditParams{Assign: origin}); err == nil {
		t.Error("records of a folder that is there were assigned")
	}
}
