package engine

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/lifespan"
)

func TestAudit(t *testing.T) {
	w := openWorkspace(t, map[string]string{"price/tax.go": taxGo})
	ctx := context.Background()
	store := w.engine.opts.Memory
	remember := func(r memory.Record) string {
		t.Helper()
		saved, _, err := store.Remember(ctx, r)
		if err != nil {
			t.Fatal(err)
		}
		return saved.ID
	}
	w.rememberAt("price/tax.go", "return cents", "Rounding goes down, says the law.")
	w.write("price/tax.go", strings.ReplaceAll(taxGo, "119", "125"))
	w.refresh()
	score := 0.6
	first := remember(memory.Record{Content: "The gateway locks an account after six failed attempts in a row"})
	second := remember(memory.Record{Content: "the gateway locks an account after six failed attempts, in a row!"})
	remember(memory.Record{Content: "The gateway opens an account again after an hour without any attempt"})
	run := remember(memory.Record{Content: "Plan of a run", Type: memory.Reasoning, Quality: memory.Quality{SuccessScore: &score}})
	secret := remember(memory.Record{Content: "Rotate the keys", Tags: []string{"security"}})
	used := remember(memory.Record{Content: "Used ever since"})
	if err := store.Relate(ctx, []memory.Link{{From: first, To: used, Type: memory.Contradicts, Weight: 1}, {From: first, To: "code:x", Type: memory.Contradicts, Weight: 1}}); err != nil {
		t.Fatal(err)
	}
	if err := w.engine.Memory().Use(ctx, []string{used}, "accepted", 0); err != nil {
		t.Fatal(err)
	}
	policies, err := lifespan.New(nil, "")
	if err != nil {
		t.Fatal(err)
	}
	w.rewire(func(o *Options) { o.Lifespan = policies })
	in := func(days int) *Audit {
		t.Helper()
		w.engine.now = func() time.Time { return time.Now().AddDate(0, 0, days) }
		w.engine.wire()
		a, err := w.engine.Memory().Audit(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}

	today := in(0)
	if today.Records != 7 || len(today.Stale) != 1 || !strings.Contains(today.Stale[0].Reason, "price/tax.go:4 WithTax has changed") {
		t.Errorf("%d records, stale %+v", today.Records, today.Stale)
	}
	if len(today.Duplicates) != 1 || today.Duplicates[0].ID != second || today.Duplicates[0].Other != first {
		t.Errorf("duplicates %+v", today.Duplicates)
	}
	if len(today.Contradicted) != 1 || today.Contradicted[0].ID != used || today.Contradicted[0].Other != first {
		t.Errorf("contradicted %+v", today.Contradicted)
	}
	if len(today.NeverUsed)+len(today.Expiring)+len(today.Expired)+len(today.Inactive) != 0 {
		t.Errorf("of today's records: never used %v, expiring %v, expired %v, inactive %v", today.NeverUsed, today.Expiring, today.Expired, today.Inactive)
	}
	if later := in(31); len(later.NeverUsed) != 6 { // all but the used one
		t.Errorf("never used after a month: %+v", later.NeverUsed)
	}
	// Of the policies that fit, "inactive" comes before "default": what lies idle decays and is kept.
	if later := in(91); len(later.Inactive) != 6 || len(later.Expired) != 0 {
		t.Errorf("after 91 days: inactive %+v, expired %+v", later.Inactive, later.Expired)
	}
	if later := in(355); len(later.Expiring) != 1 || later.Expiring[0].ID != secret {
		t.Errorf("expiring after 355 days: %+v", later.Expiring)
	}
	late := in(366)
	if len(late.Expired) != 1 || late.Expired[0].ID != secret || late.Expired[0].Policy != "security_critical" {
		t.Fatalf("expired after a year: %+v", late.Expired)
	}
	if _, err := store.Get(ctx, secret); err != nil {
		t.Errorf("an audit alone forgot something: %v", err)
	}
	if n, err := w.engine.Memory().Maintain(ctx, late); n != 1 || err != nil {
		t.Errorf("maintained %d, %v", n, err)
	}
	if back, err := store.Restore(ctx, []string{secret}); len(back) != 1 || err != nil {
		t.Errorf("restored %q, %v", back, err)
	}
	if _, err := store.Get(ctx, run); err != nil {
		t.Error(err)
	}
}

func TestAuditOfManyRecordsEnds(t *testing.T) {
	w := openWorkspace(t, map[string]string{"a.go": "package a\n"})
	for i := range 300 { // all alike
		r := memory.Record{Content: fmt.Sprintf("the same words over and over again but for the number at the very end of this sentence %d", i)}
		if _, _, err := w.engine.opts.Memory.Remember(context.Background(), r); err != nil {
			t.Fatal(err)
		}
	}
	a, err := w.engine.Memory().Audit(context.Background())
	if err != nil || len(a.Duplicates) != 299 {
		t.Errorf("%d duplicates, %v", len(a.Duplicates), err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := w.engine.Memory().Audit(ctx); err == nil {
		t.Error("a cancelled audit is no error")
	}
}

// What is linked with what one works on comes first of equals.
func TestNear(t *testing.T) {
	w := openWorkspace(t, map[string]string{"a.go": "package a\n"})
	ctx := context.Background()
	var ids []string
	for _, content := range []string{"orchard one", "orchard two"} {
		id, _, err := w.engine.Memory().Remember(ctx, RememberRequest{Content: content})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	for _, id := range ids {
		link := memory.Link{From: "code:a.go:" + id, To: id, Type: "explains", Weight: 1}
		if err := w.engine.opts.Memory.Relate(ctx, []memory.Link{link}); err != nil {
			t.Fatal(err)
		}
		hits := w.search(SearchRequest{Query: "orchard", Scope: Scope{Types: []string{"knowledge"}, Near: []string{link.From}}}).Hits
		if len(hits) != 2 || hits[0].ID != id {
			t.Errorf("near %s: %v", link.From, names(hits))
		}
	}
}
