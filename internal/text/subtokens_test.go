package text

import (
	"slices"
	"strings"
	"testing"
)

func subtokens(s string) []string {
	var t Subtokenizer
	tokens := []string{}
	t.Each([]byte(s), func(token []byte) bool {
		tokens = append(tokens, string(token))
		return true
	})
	return tokens
}

func TestSubtokenizer(t *testing.T) {
	long := strings.Repeat("a", 41)
	tests := []struct{ in, want string }{
		{"", ""},
		{"getUserData", "get user data getuserdata"},
		{"user_data", "user data userdata"},
		{"__init__", "init"},
		{"$scope.$apply", "scope apply"},
		{"HTTPServer", "http server httpserver"},
		{"userIDs", "user ids userids"},
		{"IDs", "ids"},
		{"IDsOf", "ids of idsof"},
		{"URLString", "url string urlstring"},
		{"URLset", "ur lset urlset"}, // no dictionary says that the word is "set"
		{"sha256Sum", "sha 256 sum sha256sum"},
		{"x", ""},
		{"x_y", "xy"},
		{"1234 12345", "1234"},
		{"a plain sentence, with words", "plain sentence with words"},
		{"größe Ölstand naïve", "größe ölstand naïve"},
		{"日本語 x日", "日本語 x日"},
		{"日", ""},
		{long, ""},
		{long + "_ok", "ok " + long + "ok"},
		{strings.Repeat("ab_", 22), ""}, // 66 bytes
		{"bad\xff\xfebytes", "bad bytes"},
		{"don't stop", "don stop"},
	}
	for _, test := range tests {
		if got := strings.Join(subtokens(test.in), " "); got != test.want {
			t.Errorf("%q: %q, want %q", test.in, got, test.want)
		}
	}
}

func TestSubtokenizerStops(t *testing.T) {
	var s Subtokenizer
	var got []string
	s.Each([]byte("oneTwo three größe four"), func(token []byte) bool {
		got = append(got, string(token))
		return len(got) < 4
	})
	if want := []string{"one", "two", "onetwo", "three"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestSubtokenizerAllocatesNothing(t *testing.T) {
	src := []byte("func (s *HTTPServer) readUserIDs(größe int) error { return parse_it($x, sha256) }")
	var s Subtokenizer
	n := 0
	count := func([]byte) bool { n++; return true }
	s.Each(src, count)
	if allocs := testing.AllocsPerRun(100, func() { s.Each(src, count) }); allocs != 0 {
		t.Errorf("%v allocations for each text", allocs)
	}
	if n == 0 {
		t.Error("no tokens")
	}
}

func BenchmarkSubtokenizer(b *testing.B) {
	src := []byte(strings.Repeat("func (s *HTTPServer) readUserIDs(n int) error { return parse_it(ctx, sha256) }\n", 100))
	var s Subtokenizer
	n := 0
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		s.Each(src, func([]byte) bool { n++; return true })
	}
}
