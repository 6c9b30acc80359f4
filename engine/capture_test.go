package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine/capture"
	"github.com/aurora-sidecar/aurora/engine/fault"
)

const (
	taxReason = "We round down on purpose, because the tax office rejects a cent too much."
	taxFile   = "package price\n\n// WithTax adds the tax.\nfunc WithTax(cents int) int {\n\tsum := cents * 119\n\treturn sum / 100\n}\n\nfunc Other() {}\n"
)

// offers are those that a request finds.
func (w *testWorkspace) offers(r CaptureRequest) *capture.Found {
	w.Helper()
	found, err := w.engine.Capture().Offers(context.Background(), r)
	if err != nil {
		w.Fatal(err)
	}
	return found
}

// commitTax changes WithTax, with a message.
func (w *testWorkspace) commitTax(message string) {
	w.Helper()
	w.write("price/tax.go", taxFile)
	w.git("add", ".")
	w.git("commit", "-q", "--allow-empty", "-m", message)
	w.wait()
}

func TestCapture(t *testing.T) {
	w := openWorkspace(t, shop)
	if found := w.offers(CaptureRequest{}); len(found.Offers) != 0 || found.Commits != 1 {
		t.Errorf("of a commit without a reason: %+v", found)
	}
	w.commitTax("price: round down\r\n\r\n" + taxReason + "\r\n")
	found := w.offers(CaptureRequest{})
	if len(found.Offers) != 1 {
		t.Fatalf("%+v", found)
	}
	o := found.Offers[0]
	if o.Text != "price: round down\n\n"+taxReason || len(o.Places) == 0 || o.Places[0].Path != "price/tax.go" || o.Places[0].Name != "WithTax" || o.Places[0].Line != 4 {
		t.Errorf("%+v", o)
	}
	ctx := context.Background()
	if hits := w.search(SearchRequest{Query: "tax office cent"}).Hits; len(hits) > 0 && hits[0].Source == "memory" {
		t.Error("it was remembered before anybody accepted it")
	}
	id, created, err := w.engine.Capture().Accept(ctx, "", o.Commit[:10])
	if err != nil || !created {
		t.Fatal(id, created, err)
	}
	entry, err := w.engine.Memory().RecordEntry(ctx, id)
	if err != nil || entry.Text != o.Text {
		t.Errorf("%+v, %v", entry, err)
	}
	if found := w.offers(CaptureRequest{}); len(found.Offers) != 0 {
		t.Errorf("accepted, and offered again: %+v", found.Offers)
	}
	w.git("commit", "-q", "--amend", "-m", "price: round down\n\n"+taxReason, "--date", "2001-01-01T00:00:00")
	if found := w.offers(CaptureRequest{}); len(found.Offers) != 0 {
		t.Errorf("accepted, amended, and offered again: %+v", found.Offers)
	}
	var failed *fault.Error
	if _, _, err := w.engine.Capture().Accept(ctx, "", "HEAD"); !errors.As(err, &failed) || failed.Kind != fault.Invalid {
		t.Errorf("accepted twice: %v", err)
	}
}

func TestCaptureDismissed(t *testing.T) {
	w := openWorkspace(t, shop)
	w.commitTax("price: round down\n\n" + taxReason)
	if err := w.engine.Capture().Dismiss(context.Background(), "", "HEAD"); err != nil {
		t.Fatal(err)
	}
	if found := w.offers(CaptureRequest{}); len(found.Offers) != 0 {
		t.Errorf("%+v", found.Offers)
	}
}

func TestCaptureOfOthers(t *testing.T) {
	w := openWorkspace(t, shop)
	w.commitTax("price: round down\n\n" + taxReason)
	w.git("commit", "-q", "--amend", "--author", "Other <other@example.com>", "-m", "price: round down\n\n"+taxReason)
	w.git("config", "user.email", "me@example.com")
	if found := w.offers(CaptureRequest{}); len(found.Offers) != 0 {
		t.Errorf("of somebody else: %+v", found.Offers)
	}
	if found := w.offers(CaptureRequest{Everyone: true}); len(found.Offers) != 1 || found.Offers[0].Author != "Other" {
		t.Errorf("of everyone: %+v", found.Offers)
	}
	w.git("commit", "-q", "--amend", "--author", "dependabot[bot] <b@example.com>", "-m", "price: round down\n\n"+taxReason)
	if found := w.offers(CaptureRequest{Everyone: true}); len(found.Offers) != 0 {
		t.Errorf("of a robot: %+v", found.Offers)
	}
}

func TestCaptureSince(t *testing.T) {
	w := openWorkspace(t, shop)
	w.commitTax("price: round down\n\n" + taxReason)
	w.git("checkout", "-q", "--detach")
	if found := w.offers(CaptureRequest{Since: "HEAD~1"}); len(found.Offers) != 1 {
		t.Errorf("detached: %+v", found)
	}
	if found := w.offers(CaptureRequest{Since: "HEAD"}); len(found.Offers)+found.Commits != 0 {
		t.Errorf("since the last: %+v", found)
	}
	for _, since := range []string{"no-such", "--output=x", "HEAD..HEAD", "-1"} {
		var failed *fault.Error
		if _, err := w.engine.Capture().Offers(context.Background(), CaptureRequest{Since: since}); !errors.As(err, &failed) || failed.Kind != fault.Invalid {
			t.Errorf("since %q: %v", since, err)
		}
	}
}

func TestCaptureOfMerge(t *testing.T) {
	w := openWorkspace(t, shop)
	w.git("checkout", "-q", "-b", "topic")
	w.commitTax("Round down")
	w.git("checkout", "-q", "main")
	w.git("merge", "-q", "--no-ff", "topic", "-m", "Merge pull request #7 from a/topic\n\nprice: round down\n\n"+taxReason)
	w.wait()
	found := w.offers(CaptureRequest{})
	if len(found.Offers) != 1 || len(found.Offers[0].Places) == 0 || found.Offers[0].Places[0].Name != "WithTax" {
		t.Errorf("%+v", found.Offers)
	}
}

func TestCaptureOfComment(t *testing.T) {
	w := openWorkspace(t, shop)
	w.write("price/tax.go", strings.Replace(taxFile, "\treturn", "\t// DECISION: rounded down, never up.\n\treturn", 1))
	w.git("commit", "-q", "-am", "price: round down")
	w.wait()
	found := w.offers(CaptureRequest{})
	if len(found.Offers) != 1 || found.Offers[0].Text != "price: round down\n\nrounded down, never up." || len(found.Offers[0].Places) != 1 || found.Offers[0].Places[0].Name != "WithTax" {
		t.Errorf("%+v", found.Offers)
	}
}

func TestCaptureSecrets(t *testing.T) {
	w := openWorkspace(t, shop)
	secret := "ghp_" + strings.Repeat("a1B2c3", 6)
	w.commitTax("price: round down\n\nWe keep the token " + secret + " here on purpose, because the server wants it.")
	found := w.offers(CaptureRequest{})
	if len(found.Offers) != 1 || strings.Contains(found.Offers[0].Text, secret) {
		t.Errorf("%+v", found.Offers)
	}
}

func TestCaptureHugeMessage(t *testing.T) {
	w := openWorkspace(t, shop)
	file := w.path("../message")
	if err := os.WriteFile(file, []byte("price: round down\n\n"+taxReason+"\n\n"+strings.Repeat("word ", 200_000)), 0o600); err != nil {
		t.Fatal(err)
	}
	defer os.Remove(file)
	w.write("price/tax.go", taxFile)
	w.git("commit", "-q", "-a", "-F", file)
	if found := w.offers(CaptureRequest{}); len(found.Offers) != 1 || len(found.Offers[0].Text) > 400 {
		t.Errorf("%+v", found.Offers)
	}
}

func TestCaptureWhereHistoryEnds(t *testing.T) {
	w := openWorkspace(t, shop)
	w.commitTax("price: round down\n\n" + taxReason)
	w.write(".git/shallow", w.offers(CaptureRequest{}).Offers[0].Commit+"\n")
	found := w.offers(CaptureRequest{})
	if len(found.Offers) != 0 || len(found.Notes) == 0 || !strings.Contains(found.Notes[0], "shallow") {
		t.Errorf("%+v", found)
	}
}

func TestCaptureWithoutCommits(t *testing.T) {
	w := newWorkspace(t, shop)
	w.open()
	var failed *fault.Error
	if _, err := w.engine.Capture().Offers(context.Background(), CaptureRequest{}); !errors.As(err, &failed) || failed.Kind != fault.Invalid {
		t.Errorf("without git: %v", err)
	}
	empty := newWorkspace(t, shop)
	empty.git("init", "-q", "-b", "main")
	empty.open()
	if found := empty.offers(CaptureRequest{}); len(found.Offers)+found.Commits != 0 {
		t.Errorf("without commits: %+v", found)
	}
}

// TestCaptureUnasked offers what a commit of this moment says once in an hour, where the person has not said never.
func TestCaptureUnasked(t *testing.T) {
	w := openWorkspace(t, shop)
	w.git("config", "user.email", "ada@example.com")
	now := time.Now()
	w.engine.Capture().Now = func() time.Time { return now }
	reasons := 0
	commit := func(at time.Duration, body string) {
		w.Helper()
		reasons++
		w.clock = now.Add(at - time.Minute)
		w.commitTax(fmt.Sprintf("price: round down %d\n\n%s", reasons, body))
		w.write("price/tax.go", strings.Replace(taxFile, "119", fmt.Sprint(119+reasons), 1))
		w.git("commit", "-q", "--amend", "-a", "--no-edit")
	}
	check := func(want int, what string) {
		w.Helper()
		if found := w.offers(CaptureRequest{Unasked: true}); len(found.Offers) != want {
			t.Errorf("%s: %+v", what, found)
		}
	}
	commit(-time.Hour, taxReason)
	check(0, "of an hour ago")
	commit(0, "It is better so.")
	check(0, "without a reason")
	commit(0, taxReason)
	check(1, "of now")
	check(0, "a second time")
	commit(0, strings.Replace(taxReason, "tax office", "town hall", 1))
	now = now.Add(5 * time.Minute)
	check(0, "within the hour")
	now = now.Add(time.Hour)
	check(0, "too late")
	commit(0, strings.Replace(taxReason, "tax office", "court", 1))
	w.git("config", "user.email", "other@example.com")
	check(0, "of somebody else")
	w.git("config", "user.email", "ada@example.com")
	w.git("checkout", "-q", "-b", "topic")
	commit(-2*time.Hour, strings.Replace(taxReason, "tax office", "bank", 1))
	w.git("checkout", "-q", "main")
	w.clock = now
	w.git("merge", "-q", "--no-ff", "topic", "-m", "Merge topic")
	check(1, "that a merge of now brought")
	now = now.Add(2 * time.Hour)
	if err := w.engine.Capture().Never(context.Background(), ""); err != nil {
		t.Fatal(err)
	}
	commit(0, strings.Replace(taxReason, "tax office", "guild", 1))
	check(0, "never")
	if found := w.offers(CaptureRequest{}); len(found.Offers) == 0 {
		t.Error("nothing is offered to somebody who asks")
	}
}
