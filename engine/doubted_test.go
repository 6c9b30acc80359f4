package engine

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/lifespan"
)

// limits are three records about one thing, of which the first one is the best match.
func (w *testWorkspace) limits() (best, second, third string) {
	s := w.selection("cart/cart.go", "sum += price.WithTax(item.Cents)")
	best = w.remember(RememberRequest{Content: "Upload limit: the upload limit is 64 MiB", Select: &s})
	second = w.remember(RememberRequest{Content: "The upload limit of the gateway holds for avatars, too, and it counts bytes after the transport has unpacked them", Select: &s})
	third = w.remember(RememberRequest{Content: "Whoever raises the limit of an upload asks operations first, since the proxies before the gateway have limits of their own", Select: &s})
	return best, second, third
}

// placeOf returns the place of a record in a search, from 1, with its score; 0 when it is not there.
func (w *testWorkspace) placeOf(id string) (place int, score float64, explanation string) {
	w.Helper()
	for i, h := range recallOf(w, "upload limit", 3).Hits {
		if h.ID == id {
			return i + 1, h.Score, h.Explanation + "\n" + h.Text
		}
	}
	return 0, 0, ""
}

func (w *testWorkspace) relate(from, to, kind string) error {
	return w.engine.Ledger().Relate(context.Background(), []Link{{From: from, To: to, Type: kind, Weight: 1}})
}

func TestWhatIsSaidAgainstARecordLowersIt(t *testing.T) {
	for name, c := range map[string]struct {
		against     func(w *testWorkspace, best, other string) error
		place       int     // of the record that was first
		most, least float64 // of what is left of its score
		says        string
	}{
		"rated badly once": {func(w *testWorkspace, best, _ string) error {
			return w.engine.Memory().Use(context.Background(), []string{best}, "rated", -1)
		}, 3, 0.41, 0.2, "rated badly: -1.0"},
		"rejected": {func(w *testWorkspace, best, _ string) error {
			return w.engine.Memory().Use(context.Background(), []string{best}, "rejected", 0)
		}, 3, 0.41, 0.2, "rated badly: -1.0"},
		"rated badly, then four times well": {func(w *testWorkspace, best, _ string) error {
			for _, value := range []float64{-1, 1, 1, 1, 1} {
				if err := w.engine.Memory().Use(context.Background(), []string{best}, "rated", value); err != nil {
					return err
				}
			}
			return nil
		}, 1, 1.3, 1, "upload limit"},
		"contradicted": {func(w *testWorkspace, best, other string) error { return w.relate(other, best, memory.Contradicts) },
			3, 0.51, 0.49, "contradicted by know:"},
	} {
		t.Run(name, func(t *testing.T) {
			w := openMeaning(t)
			best, other, _ := w.limits()
			before, scored, _ := w.placeOf(best)
			if err := c.against(w, best, other); err != nil {
				t.Fatal(err)
			}
			after, score, text := w.placeOf(best)
			t.Logf("place %d -> %d, score %.3f -> %.3f", before, after, scored, score)
			if before != 1 || after != c.place || score > c.most*scored || score < c.least*scored || !strings.Contains(text, c.says) {
				t.Errorf("place %d -> %d, score %.3f -> %.3f: %s", before, after, scored, score, text)
			}
		})
	}
}

func TestFadingRecordsAreLowered(t *testing.T) {
	w := openMeaning(t)
	best, other, third := w.limits()
	for range 3 { // what is used more often does not fade
		if err := w.engine.Memory().Use(context.Background(), []string{other, third}, "opened", 0); err != nil {
			t.Fatal(err)
		}
	}
	before, scored, _ := w.placeOf(best)
	policies, err := lifespan.New(nil, "")
	if err != nil {
		t.Fatal(err)
	}
	w.rewire(func(o *Options) { o.Lifespan = policies })
	w.engine.now = func() time.Time { return time.Now().AddDate(0, 0, 100) }
	w.engine.wire()
	after, score, text := w.placeOf(best)
	t.Logf("place %d -> %d, score %.3f -> %.3f", before, after, scored, score)
	if before != 1 || after == 1 || score > 0.71*scored || !strings.Contains(text, "doubted: 70 %") {
		t.Errorf("place %d -> %d, score %.3f -> %.3f: %s", before, after, scored, score, text)
	}
}

func TestASupersededRecordIsInNoAnswerAndCounted(t *testing.T) {
	w := openMeaning(t)
	old, recent, third := w.limits()
	if h := w.hover("cart/cart.go", "func (c *Cart) Total|Price"); h == nil || !strings.Contains(h.Markdown, "Upload limit: the") {
		t.Fatalf("hover: %+v", h)
	}
	if err := w.relate(recent, old, memory.Supersedes); err != nil {
		t.Fatal(err)
	}
	found := recallOf(w, "upload limit", 3)
	if place, _, _ := w.placeOf(old); place != 0 || len(found.Hits) != 2 || !strings.Contains(strings.Join(found.Notes, "\n"), "1 superseded record left out") {
		t.Errorf("place %d, notes %q", place, found.Notes)
	}
	if _, _, text := w.placeOf(recent); !strings.Contains(text, "[supersedes "+old+"]") {
		t.Errorf("the later record says nothing of it: %s", text)
	}
	list, hidden, err := w.engine.Memory().Records(context.Background(), 3)
	if err != nil || len(list) != 2 || hidden != 1 {
		t.Errorf("the most active: %v, %d hidden, %v", names(list), hidden, err)
	}
	if h := w.hover("cart/cart.go", "func (c *Cart) Total|Price"); h == nil || strings.Contains(h.Markdown, "Upload limit: the") {
		t.Errorf("hover shows it: %+v", h)
	}
	c := w.context(ContextRequest{Query: "upload limit"})
	if strings.Contains(c.Text, "Upload limit: the") || !strings.Contains(strings.Join(c.Notes, "\n"), "1 superseded record left out") {
		t.Errorf("context: %s\nnotes %q", c.Text, c.Notes)
	}
	if entry, err := w.engine.Memory().RecordEntry(context.Background(), old); err != nil || !strings.Contains(entry.Name, "Upload limit") {
		t.Errorf("by its id: %+v, %v", entry, err)
	}
	if err := w.relate(third, recent, memory.Supersedes); err != nil {
		t.Fatal(err)
	}
	if err := w.relate(old, third, memory.Supersedes); err == nil {
		t.Error("three records supersede each other, and none is shown")
	}
	if _, err := w.engine.Memory().Forget(context.Background(), []string{recent}); err != nil {
		t.Fatal(err)
	}
	if place, _, _ := w.placeOf(old); place == 0 {
		t.Error("what superseded it is forgotten, and it is still hidden")
	}
}
