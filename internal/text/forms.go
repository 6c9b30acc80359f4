package text

// Forms tells of which words texts have a form. It is not safe for concurrent use.
type Forms struct {
	words, stems []string
	begins       [256]bool // with which bytes stems begin: no form of an English word begins with another letter than its stem
	tokenizer    Tokenizer
}

// NewForms looks for tokens, none of which is empty.
func NewForms(words []string) *Forms {
	f := &Forms{words: words, stems: make([]string, len(words))}
	for i, word := range words {
		f.stems[i] = Stem(word)
		f.begins[f.stems[i][0]] = true
	}
	return f
}

// In returns those of the words of which the parts of a text have a form.
func (f *Forms) In(parts ...string) []string {
	has, missing := make([]bool, len(f.stems)), len(f.stems)
	for _, part := range parts {
		f.tokenizer.Each([]byte(part), func(token []byte) {
			if missing == 0 || !f.begins[token[0]] {
				return
			}
			stem := Stem(string(token))
			for i := range f.stems {
				if !has[i] && f.stems[i] == stem {
					has[i] = true
					missing--
				}
			}
		})
	}
	var found []string
	for i, word := range f.words {
		if has[i] {
			found = append(found, word)
		}
	}
	return found
}
