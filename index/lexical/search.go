package lexical

import (
	"math"
	"slices"

	"github.com/aurora-sidecar/aurora/internal/text"
)

// Limits of a search.
const (
	defaultLimit   = 100
	maxQueryTokens = 64 // so that the tokens found in a document fit one word
)

// A Query asks for documents by their tokens.
type Query struct {
	Terms []QueryTerm // nil means the tokens of Text
	Text  string
	Limit int // most results; 0 or less means 100
	// Accept drops documents before the cut; nil accepts all. It is only asked about live documents that hold a token of
	// the query, in ascending order of view and document.
	Accept func(view int, doc uint32) bool
	// Corpus is what the documents are weighed by when those searched are a part of more; nil means by themselves. The frequency
	// of a token that it does not tell is that of the views.
	Corpus *Corpus
}

// A QueryTerm is one word of a query with the tokens that count as it. A document that holds several of them holds the term
// as often as all of them together.
type QueryTerm struct {
	Token  string  // by which Result.Matched and Found.IDF name the term
	Weight float64 // of what the term adds to a score; 0 means 1
	Forms  []Form  // nil means Token alone

	Required bool // no document without it is found
	Unwanted bool // no document with it is found; it adds nothing to a score
}

// A Form is a token that stands for a term.
type Form struct {
	Token  string
	Weight float64 // of one occurrence, against 1 for the term itself
}

// A Result is one document that holds at least one of the query's tokens.
type Result struct {
	View    int // index into the views searched
	Doc     uint32
	Score   float64  // > 0
	Matched []string // the query's tokens that occur in a field whose weight is not 0, in order of the query
}

// Search returns the best documents of all views, by descending score, then by view and document.
//
// The score is BM25F with one length normalisation. With tf and len the sums over the fields of the term's
// frequency and of the field's length, both times the field's weight, each distinct token of the query adds
//
//	idf · tf · (k1 + 1) / (tf + k1 · (1 - b + b · len / avglen))      idf = log(1 + (N - n + 0.5) / (n + 0.5))
//
// where N counts the live documents, n those of them that hold the token, and avglen averages len over them; all
// three are exact over the union of the views. With weights of 1 this is Okapi BM25 over the concatenated fields.
// A token that no document holds adds 0. A token that the query repeats counts once,
// because repetition there is an accident of identifiers that share words. Of more than 64 distinct tokens the 64
// rarest count. A term of several forms adds what a token of their weighted frequencies together would; its n is the sum
// over the forms, at most N.
func Search(views []View, q Query, p Params) Found {
	s := newSearch(views, q, p.normal())
	if len(s.terms) > 0 && !s.none {
		w := windows.Get().(*window)
		for i := range s.views {
			s.scan(i, w)
		}
		windows.Put(w) // not deferred: a window left by a panicking Accept is not clean
	}
	return Found{Results: s.results(), Total: s.total, IDF: s.idf, Unknown: s.unknown}
}

// A Found is what a search found, and what it weighed it by.
type Found struct {
	Results []Result
	Total   int                // live documents that hold a token of the query and that Accept, asked about all of them, takes
	IDF     map[string]float64 // of every term of the query, also of one that no document holds
	Unknown []string           // the terms that no document holds
}

// IDF returns the weight of a token that df of docs documents hold: log(1 + e^raw) of the Robertson-Spärck Jones
// weight raw = log((docs - df + 0.5) / (df + 0.5)), so that it is positive even for a token in every document.
func IDF(docs, df int) float64 {
	df = min(df, docs)
	return math.Log1p((float64(docs-df) + 0.5) / (float64(df) + 0.5))
}

// A search is the state of one call of Search.
type search struct {
	views   []View
	accept  func(view int, doc uint32) bool
	corpus  *Corpus
	params  Params
	tfs     [256]float64 // weighted frequency of a mask byte that holds it all
	average float64      // weighted length over the live documents
	terms   []searchTerm
	idf     map[string]float64
	best    topK
	bounds  bounds
	none    bool // a required term is in no document
	unknown []string
	total   int
	termBits
}

// termBits are sets of terms: bit i for the i-th.
type termBits struct {
	counts uint64 // that add to a score
	need   uint64 // required
	unwant uint64 // unwanted
}

// A searchTerm is one distinct term of the query that some live document holds.
type searchTerm struct {
	term  QueryTerm
	df    int     // of all forms together, an upper bound when there are several
	gain  float64 // weight · idf · (k1 + 1): what it adds at most
	forms []searchForm
}

// A searchForm is one of a term's tokens.
type searchForm struct {
	weight float64
	lists  [][]byte // postings by view, nil where there are none
}

// newSearch gathers the statistics that the scores need.
func newSearch(views []View, q Query, p Params) *search {
	s := &search{views: slices.Clone(views), accept: q.Accept, corpus: q.Corpus, params: p}
	s.best.limit = q.Limit
	if q.Limit <= 0 {
		s.best.limit = defaultLimit
	}
	s.tfs = uniformFrequencies(&p.Weights)
	docs := s.countDocs()
	s.idf = map[string]float64{}
	s.terms = keepRarest(s.find(q.terms()), maxQueryTokens)
	for token := range s.idf {
		s.idf[token] = IDF(docs, 0)
	}
	for i := range s.terms {
		t := &s.terms[i]
		idf := IDF(docs, t.df)
		s.idf[t.term.Token] = idf
		if t.gain = t.term.Weight * idf * (s.params.K1 + 1); t.gain > 0 {
			s.counts |= 1 << i
		}
		if t.term.Required {
			s.need |= 1 << i
		}
		if t.term.Unwanted {
			s.unwant |= 1 << i
		}
	}
	s.bounds = boundsOf(s.terms)
	return s
}

// terms returns the terms of the query.
func (q *Query) terms() []QueryTerm {
	if q.Terms != nil {
		return q.Terms
	}
	tokens := text.Tokenize(q.Text)
	terms := make([]QueryTerm, len(tokens))
	for i, token := range tokens {
		terms[i].Token = token
	}
	return terms
}

// countDocs returns the number of live documents and sets their average length.
func (s *search) countDocs() int {
	var sum liveCounts
	for i := range s.views {
		v := &s.views[i]
		if !v.counted {
			*v = NewView(v.Seg, v.Dead)
		}
		sum.docs += v.live.docs
		for f, n := range v.live.tokens {
			sum.tokens[f] += n
		}
	}
	if s.corpus != nil {
		sum = liveCounts{s.corpus.Docs, s.corpus.Tokens}
	}
	total := 0.0
	for f, n := range sum.tokens {
		total += s.params.Weights[f] * float64(n)
	}
	s.average = total / float64(max(sum.docs, 1))
	return sum.docs
}

// find looks every distinct term up in every view.
func (s *search) find(terms []QueryTerm) []searchTerm {
	var found []searchTerm
	for _, t := range terms {
		if _, seen := s.idf[t.Token]; seen {
			continue
		}
		s.idf[t.Token] = 0
		if t.Weight <= 0 {
			t.Weight = 1
		}
		if t.Unwanted {
			t.Weight = 0
		}
		st := searchTerm{term: t}
		if t.Forms == nil {
			s.addForm(&st, Form{t.Token, 1})
		}
		for _, form := range t.Forms {
			s.addForm(&st, form)
		}
		if st.df > 0 {
			found = append(found, st)
			continue
		}
		s.unknown = append(s.unknown, t.Token)
		s.none = s.none || t.Required
	}
	return found
}

// addForm looks a form up in every view.
func (s *search) addForm(t *searchTerm, form Form) {
	f := searchForm{weight: form.Weight, lists: make([][]byte, len(s.views))}
	df := 0
	for i := range s.views {
		v := &s.views[i]
		if v.Seg == nil {
			continue
		}
		if e, ok := v.Seg.words.find(form.Token); ok {
			f.lists[i] = e.postings
			df += liveCount(e, v)
		}
	}
	all := df
	if s.corpus != nil {
		if n, known := s.corpus.Holds[form.Token]; known {
			all = n
		}
	}
	if df > 0 {
		t.forms = append(t.forms, f)
	}
	t.df += all
}

// liveCount returns how many live documents of the view are in the entry.
func liveCount(e entry, v *View) int {
	if !v.anyDead() {
		return e.df
	}
	return countLive(e.postings, v.Seg.docs, v.Dead)
}

// keepRarest returns the n terms with the fewest documents, in their old order.
func keepRarest(terms []searchTerm, n int) []searchTerm {
	if len(terms) <= n {
		return terms
	}
	dfs := make([]int, len(terms))
	for i, t := range terms {
		dfs[i] = t.df
	}
	slices.Sort(dfs)
	bound := dfs[n-1]
	atBound := n
	for _, df := range dfs {
		if df < bound {
			atBound--
		}
	}
	return slices.DeleteFunc(terms, func(t searchTerm) bool {
		if t.df == bound {
			atBound--
			return atBound < 0
		}
		return t.df > bound
	})
}

// results turns the best documents into the answer.
func (s *search) results() []Result {
	found := s.best.sorted()
	results := make([]Result, len(found))
	for i, c := range found {
		r := Result{View: c.view, Doc: c.doc, Score: c.score}
		for t := range s.terms {
			if c.matched&(1<<t) != 0 {
				r.Matched = append(r.Matched, s.terms[t].term.Token)
			}
		}
		results[i] = r
	}
	return results
}
