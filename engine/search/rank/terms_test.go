package rank

import (
	"reflect"
	"slices"
	"testing"

	"github.com/aurora-sidecar/aurora/engine/search/querytext"
	"github.com/aurora-sidecar/aurora/index/lexical"
)

func TestClassify(t *testing.T) {
	for words, want := range map[string]queryKind{
		"getUserData": SymbolQuery, "retry": SymbolQuery, "engine.Search": SymbolQuery, "std::vector": SymbolQuery, "(*Cart).Total()": SymbolQuery,
		"engine/search.go": PlaceQuery, "search.go": PlaceQuery, `engine\rank.go`: PlaceQuery, "internal/": SymbolQuery, "a/b": PlaceQuery,
		"how are tokens split": ProseQuery, "": ProseQuery, "http://example.com/x": SymbolQuery, "path/(.*)+": SymbolQuery,
	} {
		if got := Classify(words); got != want {
			t.Errorf("classify(%q) = %d, want %d", words, got, want)
		}
	}
}

func TestWordForms(t *testing.T) {
	for _, tt := range []struct{ word, form string }{
		{"handle", "handler"}, {"handling", "handles"}, {"parsing", "parser"}, {"validation", "validate"}, {"validate", "validator"},
		{"retries", "retry"}, {"retry", "retried"}, {"stop", "stopped"}, {"mapping", "mapped"}, {"requests", "request"}, {"connection", "connect"},
		{"middleware", "middlewares"}, {"caching", "cache"}, {"serialization", "serialize"},
		{"revocation", "revoked"}, {"invoke", "invocation"}, {"verification", "verify"}, {"notifies", "notification"}, {"resolution", "resolve"},
		{"conversion", "convert"}, {"extending", "extension"}, {"subscriptions", "subscribe"}, {"reduce", "reduction"}, {"consumption", "consumer"},
	} {
		if forms := wordForms(tt.word); !slices.Contains(forms, tt.form) {
			t.Errorf("%s: %q lack %s", tt.word, forms, tt.form)
		}
	}
	for word, no := range map[string]string{"send": "sensor", "location": "look", "version": "vert"} {
		if slices.Contains(wordForms(word), no) {
			t.Errorf("%s has the form %s", word, no)
		}
	}
	for word, short := range map[string]string{"implementations": "impls", "repositories": "repos", "parameters": "params"} {
		t.Run(word, func(t *testing.T) {
			if term := lexicalTerm(word, ProseQuery); !slices.ContainsFunc(term.Forms, func(f lexical.Form) bool { return f.Token == short }) {
				t.Errorf("%v lack %s", term.Forms, short)
			}
		})
	}
	for _, word := range []string{"get", "id", "x", "sha256", "user_name", "größe", ""} {
		if forms := wordForms(word); forms != nil {
			t.Errorf("%q has forms %q", word, forms)
		}
	}
}

func TestLexicalTerms(t *testing.T) {
	tokens := func(q querytext.Query) (list []string) {
		for _, t := range Terms(q, Classify(q.Words)) {
			list = append(list, t.Token)
		}
		return list
	}
	for _, tt := range []struct {
		query string
		want  []string
	}{
		{"how are the tokens split", []string{"tokens", "split", "tokenssplit"}},
		{"get_the_user", []string{"get", "the", "user", "get_the_user"}}, // nothing of a name is dropped
		{"what is the", []string{"what", "is", "the", "whatis", "isthe"}},
		{`"open store" -test`, []string{"open", "store", "openstore", "test"}},
	} {
		if got := tokens(querytext.Parse(tt.query)); !slices.Equal(got, tt.want) {
			t.Errorf("%q: %q, want %q", tt.query, got, tt.want)
		}
	}
}

func TestContentTerms(t *testing.T) {
	tests := []struct {
		words string
		want  []string
	}{
		{"how do we parse the config", []string{"parse", "config"}},
		{"getUserData", []string{"get", "user", "data", "getuserdata"}},
		{"what is it", []string{"what", "is", "it"}},
		{"parse parse", []string{"parse"}},
	}
	for _, tt := range tests {
		if got := contentTerms(tt.words); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("contentTerms(%q) = %q, want %q", tt.words, got, tt.want)
		}
	}
}
