package lexical

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/text"
)

// split distributes the documents over views at random, kills some, and returns the views and, in order, the place
// of every document that stayed alive.
func split(r *rand.Rand, docs []Document) (views []View, alive []Document, places [][2]int) {
	b := NewBuilder()
	var dead []uint32
	flush := func() {
		v := NewView(b.Build(), nil).without(dead...)
		if r.IntN(2) == 0 {
			v = View{Seg: v.Seg, Dead: v.Dead} // as a caller writes it, uncounted
		}
		views, dead = append(views, v), nil
	}
	for _, d := range docs {
		doc := b.Add(d)
		if r.IntN(4) == 0 {
			dead = append(dead, uint32(doc))
		} else {
			alive, places = append(alive, d), append(places, [2]int{len(views), doc})
		}
		if r.IntN(5) == 0 {
			flush()
		}
	}
	flush()
	return views, alive, places
}

func TestManySegmentsScoreAsOneFreshSegment(t *testing.T) {
	for seed := range uint64(80) {
		r := rand.New(rand.NewPCG(seed, 2))
		views, alive, places := split(r, randomDocs(r, r.IntN(120)))
		q := Query{Text: randomWords(r, 8), Limit: 1 + r.IntN(50)}

		want := resultsOf(viewOf(alive...), q, DefaultParams)
		for i, res := range want {
			want[i].View, want[i].Doc = places[res.Doc][0], uint32(places[res.Doc][1])
		}
		if got := resultsOf(views, q, DefaultParams); !slices.EqualFunc(got, want, sameResult) {
			t.Fatalf("seed %d: %d views answer\n%v\none answers\n%v", seed, len(views), got, want)
		}
	}
}

func TestMergeKeepsEveryAnswer(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 3))
		views, alive, places := split(r, randomDocs(r, r.IntN(80)))
		merged, remap := Merge(views)

		if fresh := segmentOf(alive...); !slices.Equal(merged.Bytes(), fresh.Bytes()) {
			t.Fatalf("seed %d: merging %d views differs from building their live documents", seed, len(views))
		}
		moved := 0
		for i, place := range places {
			if remap[place[0]][place[1]] != int32(i) {
				t.Fatalf("seed %d: document %v went to %d, want %d", seed, place, remap[place[0]][place[1]], i)
			}
		}
		for _, m := range remap {
			for _, to := range m {
				if to >= 0 {
					moved++
				}
			}
		}
		if moved != len(alive) {
			t.Fatalf("seed %d: %d documents moved, want %d", seed, moved, len(alive))
		}
	}
}

func TestMergeOfNothing(t *testing.T) {
	for name, views := range map[string][]View{"none": nil, "nil segment": {{}}, "empty": viewOf(), "all dead": {viewOf(body("a"))[0].without(0)}} {
		seg, _ := Merge(views)
		if seg.Docs() != 0 || seg.Terms() != 0 {
			t.Errorf("%s: %d documents, %d terms", name, seg.Docs(), seg.Terms())
		}
		open(t, seg.Bytes())
	}
}

func TestEqualScoresKeepTheOrderOfViewAndDocument(t *testing.T) {
	same := make([]Document, 50)
	for i := range same {
		same[i] = body("alpha")
	}
	views := []View{viewOf(same...)[0], viewOf(same...)[0]}
	for _, limit := range []int{1, 7, 50, 73, 200} {
		got := resultsOf(views, Query{Text: "alpha", Limit: limit}, flat)
		if len(got) != min(limit, 100) {
			t.Fatalf("limit %d: %d results", limit, len(got))
		}
		for i, res := range got {
			if res.View != i/50 || res.Doc != uint32(i%50) {
				t.Fatalf("limit %d: result %d is %d:%d", limit, i, res.View, res.Doc)
			}
		}
	}
}

func TestAcceptComesBeforeTheCut(t *testing.T) {
	docs := make([]Document, 500)
	for i := range docs {
		docs[i] = body(strings.Repeat("alpha ", 1+i%7) + strings.Repeat("beta ", i%11))
	}
	views := viewOf(docs...)
	odd := func(_ int, doc uint32) bool { return doc%2 == 1 }
	got := resultsOf(views, Query{Text: "alpha", Limit: 20, Accept: odd}, flat)
	all := resultsOf(views, Query{Text: "alpha", Limit: 500}, flat)
	want := slices.DeleteFunc(all, func(r Result) bool { return r.Doc%2 == 0 })[:20]
	if !slices.EqualFunc(got, want, sameResult) {
		t.Errorf("got %v, want %v", got, want)
	}
	if none := resultsOf(views, Query{Text: "alpha", Accept: func(int, uint32) bool { return false }}, flat); len(none) != 0 {
		t.Errorf("accepting nothing: %v", none)
	}
}

func TestMatchedTokens(t *testing.T) {
	views := viewOf(fields("getUser", "", "", "", "user data"), body("data only"))
	got := resultsOf(views, Query{Text: "data getUser data nothing"}, flat)
	if want := []string{"data", "get", "user", "getuser"}; !slices.Equal(got[0].Matched, want) {
		t.Errorf("matched %q, want %q", got[0].Matched, want)
	}
	p := flat
	p.Weights[Name] = 0
	got = resultsOf(views, Query{Text: "get"}, p)
	if len(got) != 0 {
		t.Errorf("a token in a field of weight 0 matched: %v", got)
	}
}

func TestRepeatedTokenCountsOnce(t *testing.T) {
	views := viewOf(body("alpha beta"), body("beta"))
	once, thrice := resultsOf(views, Query{Text: "alpha beta"}, flat), resultsOf(views, Query{Text: "alpha beta alpha alpha"}, flat)
	if !slices.EqualFunc(once, thrice, sameResult) {
		t.Errorf("once %v, three times %v", once, thrice)
	}
}

func TestLongQueryKeepsTheRarestTokens(t *testing.T) {
	var docs []Document
	var query []string
	for i := range 200 {
		text := "common "
		for j := i; j < 200; j++ {
			text += fmt.Sprintf("t%d ", j) // t0 is in one document, t199 in all
		}
		docs, query = append(docs, body(text)), append(query, fmt.Sprintf("t%d", 199-i))
	}
	got := resultsOf(viewOf(docs...), Query{Terms: termsOf(append(query, "common")), Limit: 1}, flat)
	if len(got) != 1 || len(got[0].Matched) != 64 || got[0].Matched[0] != "t63" || got[0].Matched[63] != "t0" {
		t.Errorf("got %v, want t63 ... t0", got)
	}
}

func TestSearchAcrossWindows(t *testing.T) {
	docs := make([]Document, 3*windowSize+17)
	for i := range docs {
		docs[i] = body("common")
		if i%(windowSize-1) == 0 {
			docs[i] = body("common rare")
		}
	}
	views := viewOf(docs...)
	for range 2 { // the second search meets the windows of the first
		got := resultsOf(views, Query{Text: "rare common", Limit: 10}, flat)
		var at []uint32
		for _, res := range got[:4] {
			at = append(at, res.Doc)
		}
		if want := []uint32{0, windowSize - 1, 2 * (windowSize - 1), 3 * (windowSize - 1)}; !slices.Equal(at, want) {
			t.Errorf("rare documents %v, want %v", at, want)
		}
		if got[4].Doc != 1 || len(got[4].Matched) != 1 {
			t.Errorf("fifth is %v, want document 1", got[4])
		}
	}
}

func TestConcurrentSearches(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	views, _, _ := split(r, randomDocs(r, 300))
	var wg sync.WaitGroup
	for i := range 8 {
		p := DefaultParams
		p.Weights[Body] = float64(1 + i%3)
		want := resultsOf(views, Query{Text: "w0 w1 w2 w3"}, p)
		wg.Go(func() {
			for range 20 {
				if got := resultsOf(views, Query{Text: "w0 w1 w2 w3"}, p); !slices.EqualFunc(got, want, sameResult) {
					t.Errorf("weights %v: another answer under load", p.Weights)
				}
			}
		})
	}
	wg.Wait()
}

// TestQueryTokensSurviveTheTokeniser keeps the two ways to ask in step.
func TestQueryTokensSurviveTheTokeniser(t *testing.T) {
	views := viewOf(body("parseHTTPRequest user_manager"))
	for _, q := range []string{"parseHTTPRequest", "user_manager", "request"} {
		byText := resultsOf(views, Query{Text: q}, flat)
		byTokens := resultsOf(views, Query{Terms: termsOf(strings.Fields(strings.Join(text.Tokenize(q), " ")))}, flat)
		if len(byText) != 1 || !slices.EqualFunc(byText, byTokens, sameResult) {
			t.Errorf("%q: %v by text, %v by tokens", q, byText, byTokens)
		}
	}
}
