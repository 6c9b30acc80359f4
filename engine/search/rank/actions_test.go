package rank

import "testing"

// TestDescribesAction holds which questions say what code does: those that begin with a verb that is no noun, too.
func TestDescribesAction(t *testing.T) {
	for words, want := range map[string]bool{
		"parse the header of a request":     true,
		"Parses the header of a request":    true,
		"fix crash when the file is gone":   true,
		"Copies all fields into a new one":  true,
		"Sets the limit of retries":         true,
		"add: support for trailing commas":  true,
		"set operations":                    false,
		"request and response interceptors": false,
		"how are redirects followed":        false,
		"where is the cache filled":         false,
		"requests that fail":                false,
		"parse":                             false,
		"":                                  false,
		"s t":                               false,
	} {
		if got := describesAction(words); got != want {
			t.Errorf("%q: %v", words, got)
		}
	}
}

// TestAsksHow holds which questions are about how something is done: what documentation of a function hardly ever begins with.
func TestAsksHow(t *testing.T) {
	for words, want := range map[string]bool{
		"how are redirects followed":         true,
		"Where is the cache filled":          true,
		"why, then, does it wait":            true,
		"parsing of headers":                 true,
		"string length with color codes":     false,
		"when specified, the path is joined": false,
		"parse the header of a request":      false,
		"request and response interceptors":  false,
		"how":                                false,
		"":                                   false,
	} {
		if got := asksHow(words); got != want {
			t.Errorf("%q: %v", words, got)
		}
	}
}
