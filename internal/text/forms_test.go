package text

import (
	"slices"
	"strings"
	"testing"
)

func TestFormsInTexts(t *testing.T) {
	f := NewForms([]string{"retry", "gateways", "größe", "sha256"})
	for text, want := range map[string][]string{
		"":                                     nil,
		"It retries, and so does the gateway.": {"retry", "gateways"},
		"the Größe of sha256Sum":               {"größe", "sha256"},
		"re-tried grants shallow gates":        nil,
		"Gateway|retrying|GRÖSSE|Größe":        {"retry", "gateways", "größe"},
	} {
		if got := f.In(strings.Split(text, "|")...); !slices.Equal(got, want) {
			t.Errorf("In(%q) = %q, want %q", text, got, want)
		}
	}
}

// Forms looks only at words that begin as a stem does.
func FuzzStemsBeginAsTheirWords(f *testing.F) {
	for _, word := range []string{"retries", "dying", "skies", "yes", "idly", "generously", "ssss", "yyyy"} {
		f.Add(word)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, token := range Tokenize(s) {
			if stem := Stem(token); stem == "" || stem[0] != token[0] {
				t.Errorf("the stem of %q is %q", token, stem)
			}
		}
	})
}
