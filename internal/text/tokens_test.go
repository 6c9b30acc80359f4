package text

import (
	"go/build"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTokenize(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"camelCase", "getUserData", "get user data getuserdata"},
		{"PascalCase", "TokenizerFactory", "tokenizer factory tokenizerfactory"},
		{"snake_case", "user_manager", "user manager user_manager"},
		{"SCREAMING_SNAKE", "MAX_RETRY_COUNT", "max retry count max_retry_count"},
		{"dots", "auth.oauth.client", "auth oauth client"},
		{"acronym first", "HTTPRequest", "http request httprequest"},
		{"acronym with s", "HTTPSConnection", "https connection httpsconnection"},
		{"acronym last", "parseJSON", "parse json parsejson"},
		{"acronym alone", "HTTP", "http"},
		{"acronym plural", "userIDs", "user ids userids"},
		{"acronym plural inside", "URLsToFetch", "urls to fetch urlstofetch"},
		{"acronym plural, then digits", "IDs2", "ids2"},
		{"acronym before a word with s", "DNSServer", "dns server dnsserver"},
		{"acronym before a lower s", "HTTPstatus", "htt pstatus httpstatus"},
		{"mixed", "getUserData.auth_token", "get user data getuserdata auth token auth_token"},
		{"mixed in one", "get_userData", "get user data get_userdata"},
		{"empty", "", ""},
		{"no letters", " .,;-+*/(){}[]\n\t", ""},
		{"underscores only", "_ __ ___", ""},
		{"address", "user@email.com", "user email com"},
		{"kebab", "my-web-component", "my web component"},
		{"digits inside", "utf8Decode", "utf8 decode utf8decode"},
		{"digits before a capital", "sha256Sum", "sha256 sum sha256sum"},
		{"digits last", "base64", "base64"},
		{"digits alone", "42 007 1.5", "42 007 1 5"},
		{"digits after underscore", "x86_64", "x86 64 x86_64"},
		{"leading underscore", "_private", "private _private"},
		{"dunder", "__init__", "init __init__"},
		{"stop words stay", "get_the_user", "get the user get_the_user"},
		{"no stemming", "running tokens", "running tokens"},
		{"one letter", "a B c", "a b c"},
		{"letters of Unicode", "größeÄndern", "größe ändern größeändern"},
		{"Greek", "ΑλφαΒήτα", "αλφα βήτα αλφαβήτα"},
		{"letters without case", "変数名 日本", "変数名 日本"},
		{"combining mark", "cafe\u0301Bar", "cafe\u0301 bar cafe\u0301bar"},
		{"invalid bytes separate", "ab\xffcd\xc3", "ab cd"},
		{"a prose sentence", "It's the user's token.", "it s the user s token"},
		{"a call", "s.Store.GetByID(ctx, id)", "s store get by id getbyid ctx id"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := Tokenize(tc.in); !slices.Equal(got, strings.Fields(tc.want)) {
				t.Errorf("Tokenize(%q) = %q, want %q", tc.in, got, strings.Fields(tc.want))
			}
		})
	}
}

func TestTokenizeEmptyIsNotNil(t *testing.T) {
	if got := Tokenize(""); got == nil {
		t.Error("Tokenize(\"\") = nil, want an empty list")
	}
}

func TestTokenizeNoise(t *testing.T) {
	long := strings.Repeat("x", MaxToken)
	for _, tc := range []struct {
		name, in string
		want     []string
	}{
		{"longest token", long, []string{long}},
		{"too long for a token", long + "x", nil},
		{"too long a whole keeps its parts", long + "Part", []string{long, "part"}},
		{"too long for a name", strings.Repeat("wordPart", 100) + " next", []string{"next"}},
		{"base64", "aGVsbG8gd29ybGQhIFRoaXMgaXM=", []string{"agvsbg8gd29ybgqhifroaxmgaxm"}},
		{"a long name is not noise", "TestServerRejectsOversizedFrames",
			[]string{"test", "server", "rejects", "oversized", "frames", "testserverrejectsoversizedframes"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := Tokenize(tc.in); !slices.Equal(got, tc.want) {
				t.Errorf("Tokenize(%q) = %q, want %q", tc.in, got, tc.want)
			}
		})
	}
}

// TestTokenizerKeepsNoState checks that a Tokenizer that has seen other text answers as a fresh one.
func TestTokenizerKeepsNoState(t *testing.T) {
	var used Tokenizer
	used.Each([]byte("userIDs"), func([]byte) {})
	used.Each([]byte(strings.Repeat("A", 10_000)), func([]byte) {})
	var got []string
	used.Each([]byte("sHTTPServer"), func(b []byte) { got = append(got, string(b)) })
	if want := Tokenize("sHTTPServer"); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTokenizerDoesNotAllocate(t *testing.T) {
	src := []byte(strings.Repeat("func (s *Server) HandleHTTPRequest(größe int, user_ids []string) {}\n", 50))
	var tokenizer Tokenizer
	count := 0
	yield := func([]byte) { count++ }
	tokenizer.Each(src, yield)
	if allocs := testing.AllocsPerRun(20, func() { tokenizer.Each(src, yield) }); allocs != 0 {
		t.Errorf("%v allocations per run, want 0", allocs)
	}
}

// reference is the specification of ASCII tokens, written with regular expressions instead of a state machine.
func reference(s string) []string {
	tokens := []string{}
	for _, run := range wordRE.FindAllString(s, -1) {
		if len(run) > maxRun {
			continue
		}
		var parts []string
		for _, piece := range strings.FieldsFunc(run, func(r rune) bool { return r == '_' }) {
			parts = append(parts, splitCase(piece)...)
		}
		if len(parts) == 0 {
			continue
		}
		if len(run) < noiseRun || len(run) >= len(parts)*noisePart {
			tokens = append(tokens, parts...)
			if len(parts) == 1 && len(parts[0]) == len(run) {
				continue
			}
		}
		tokens = append(tokens, run)
	}
	tokens = slices.DeleteFunc(tokens, func(s string) bool { return len(s) > MaxToken })
	for i := range tokens {
		tokens[i] = strings.ToLower(tokens[i])
	}
	return tokens
}

var (
	wordRE   = regexp.MustCompile(`[A-Za-z0-9_]+`)
	humpRE   = regexp.MustCompile(`([a-z0-9\x01])([A-Z])`)
	acroRE   = regexp.MustCompile(`([A-Z])([A-Z][a-z])`)
	pluralRE = regexp.MustCompile(`([A-Z]{2})s([^a-z]|$)`)
)

func splitCase(piece string) []string {
	for range 2 { // matches overlap
		piece = pluralRE.ReplaceAllString(piece, "$1\x01$2") // hides the s from the other rules
	}
	for range 2 {
		piece = acroRE.ReplaceAllString(piece, "$1 $2")
		piece = humpRE.ReplaceAllString(piece, "$1 $2")
	}
	return strings.Fields(strings.ReplaceAll(piece, "\x01", "s"))
}

// FuzzTokenize checks that Tokenize and Tokenizer.Each agree with the reference on ASCII, and on any bytes that
// tokens are short, lower-case and free of separators.
func FuzzTokenize(f *testing.F) {
	for _, s := range []string{
		"", "getUserData", "HTTPSConnection", "userIDs", "IDsX URLs2 ABs_c", "a_b__C", "sha256Sum x86_64",
		"größeÄndern", "\xff\xc3(", "_", strings.Repeat("aB3", 99), strings.Repeat("ABs", 40),
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Tokenize(s)
		var each []string
		var tokenizer Tokenizer
		tokenizer.Each([]byte("warmUp_IDs"), func([]byte) {})
		tokenizer.Each([]byte(s), func(b []byte) { each = append(each, string(b)) })
		if !slices.Equal(got, each) {
			t.Fatalf("Tokenize(%q) = %q, Each = %q", s, got, each)
		}
		ascii := true
		for i := range len(s) {
			ascii = ascii && s[i] < utf8.RuneSelf
		}
		if want := reference(s); ascii && !slices.Equal(got, want) {
			t.Fatalf("Tokenize(%q) = %q, want %q", s, got, want)
		}
		for _, token := range got {
			if token == "" || len(token) > MaxToken || !utf8.ValidString(token) || strings.ContainsAny(token, " .-/ABCXYZ") {
				t.Fatalf("Tokenize(%q) yields %q", s, token)
			}
		}
	})
}

func BenchmarkTokenizer(b *testing.B) {
	src, err := os.ReadFile(filepath.Join(build.Default.GOROOT, "src/net/http/server.go"))
	if err != nil {
		b.Skip("no Go sources here: ", err)
	}
	var tokenizer Tokenizer
	tokens := 0
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		tokenizer.Each(src, func([]byte) { tokens++ })
	}
}
