package lexical

// A Corpus is what scores need to know of all documents together. Those of several indexes are added, so that each of them scores
// as if it held all of the documents.
type Corpus struct {
	Docs   int            // live ones
	Tokens [scored]uint64 // of them, by field
	Holds  map[string]int // documents that hold a token, by token
}

// CorpusOf counts the live documents of the views, and which of them hold the tokens of some terms.
func CorpusOf(views []View, terms []QueryTerm) Corpus {
	c := Corpus{Holds: map[string]int{}}
	for i := range views {
		live := views[i].counts()
		c.Docs += live.docs
		for f, n := range live.tokens {
			c.Tokens[f] += n
		}
	}
	for _, t := range terms {
		forms := t.Forms
		if forms == nil {
			forms = []Form{{t.Token, 1}}
		}
		for _, form := range forms {
			if _, known := c.Holds[form.Token]; !known {
				c.Holds[form.Token] = countIn(views, form.Token)
			}
		}
	}
	return c
}

func countIn(views []View, token string) (n int) {
	for i := range views {
		v := &views[i]
		if v.Seg == nil {
			continue
		}
		if e, ok := v.Seg.words.find(token); ok {
			n += liveCount(e, v)
		}
	}
	return n
}

// Plus returns the corpus of the documents of both.
func (c Corpus) Plus(d Corpus) Corpus {
	sum := Corpus{Docs: c.Docs + d.Docs, Tokens: c.Tokens, Holds: make(map[string]int, len(c.Holds))}
	for f, n := range d.Tokens {
		sum.Tokens[f] += n
	}
	for _, holds := range []map[string]int{c.Holds, d.Holds} {
		for token, n := range holds {
			sum.Holds[token] += n
		}
	}
	return sum
}
