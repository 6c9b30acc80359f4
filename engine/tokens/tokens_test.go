package tokens

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer/codec"
)

// blankLine is what the library cuts in two although its pattern does not.
var blankLine = regexp.MustCompile(`[\r\n][\r\n]*[^\S\r\n][\p{Z}\s\x{85}]*[\r\n]|[\r\n][\p{Z}\x{85}][\p{Z}\s\x{85}]*[\r\n]`)

// TestCountsAreTheLibrarys compares with the library that the vocabulary comes from.
func TestCountsAreTheLibrarys(t *testing.T) {
	library := codec.NewCl100kBase()
	check := func(s string) {
		t.Helper()
		if s = blankLine.ReplaceAllString(s, "\n"); blankLine.MatchString(s) {
			return
		}
		want, err := library.Count(s)
		if err != nil {
			t.Fatal(err)
		}
		if got := exact(s); got != want {
			t.Errorf("%.200q: %d tokens, want %d", s, got, want)
		}
	}
	files, err := filepath.Glob("../../*/*.go")
	more, _ := filepath.Glob("../../docs/*.md")
	if files = append(files, more...); err != nil || len(files) < 100 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		check(string(text))
	}
	for range 20_000 {
		check(randomText())
	}
	check(strings.Repeat("ab", 3000))
	check(strings.Repeat("=", 3000))
}

// randomText returns a few pieces that tokenizers find hard.
func randomText() string {
	words := []string{
		"a", "I", "'s", "'S", "'ll", "'rE", "'x", "'", "don't", "12", "3", "½", "Ⅻ", "٣", " ", "  ", "\t", "\n", "\r\n", "\n\n", "\u00a0",
		"\u0085", "\u2028", "\u200b", "é", "e\u0301", "ß", "日本", "ا", "😀", "👩\u200d👧", "_", "(", "){", "...", "//", "\x00", "\xff", "\xc3",
		"\xed\xa0\x80", "getPageCount", "<|endoftext|>", "\ufffd", "ſ", "'ſ",
	}
	var s strings.Builder
	for range 1 + rand.IntN(8) {
		s.WriteString(words[rand.IntN(len(words))])
	}
	return s.String()
}

// TestPiecesAreThePatterns compares the cutting with the pattern as package regexp reads it, which has no (?!\S).
func TestPiecesAreThePatterns(t *testing.T) {
	const space = `[\s\x{b}\x{85}\p{Z}]`
	pattern := regexp.MustCompile(`^(?:'(?:[sStTmMdD]|[rR][eE]|[vV][eE]|[lL][lL])|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\x{b}\x{85}\p{Z}\p{L}\p{N}]+[\r\n]*|` + space + `*[\r\n]+)`)
	spaces := regexp.MustCompile(`^` + space + `+`)
	for range 50_000 {
		s := strings.ToValidUTF8(randomText(), "?")
		for at := 0; at < len(s); {
			want := len(pattern.FindString(s[at:]))
			if want == 0 {
				blank := spaces.FindString(s[at:])
				want = len(blank)
				if _, last := utf8.DecodeLastRuneInString(blank); at+len(blank) < len(s) && len(blank) > last {
					want -= last
				}
			}
			if got := piece(s[at:]); got != want {
				t.Fatalf("%q at %d: %d bytes, want %d", s, at, got, want)
			}
			at += want
		}
	}
}

func TestDamagedVocabulary(t *testing.T) {
	for _, bad := range [][]byte{nil, packed[:len(packed)/2], []byte("nonsense")} {
		if v, err := unpack(bad); err == nil && len(v) > 0 {
			t.Errorf("%d bytes gave %d tokens", len(bad), len(v))
		}
	}
}

func BenchmarkExact(b *testing.B) {
	text, err := os.ReadFile("../../engine/engine.go")
	if err != nil {
		b.Skip(err)
	}
	library := codec.NewCl100kBase()
	b.Run("own", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			exact(string(text))
		}
	})
	b.Run("library", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			if _, err := library.Count(string(text)); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("load", func(b *testing.B) {
		for b.Loop() {
			if _, err := unpack(packed); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// TestCounts compares with what OpenAI's tiktoken gives for cl100k_base.
func TestCounts(t *testing.T) {
	exact, err := New("")
	if err != nil {
		t.Fatal(err)
	}
	for s, want := range map[string]int{
		"": 0, "hello world": 2, "tiktoken is great!": 6, "antidisestablishmentarianism": 6, "2 + 2 = 4": 7, "お誕生日おめでとう": 9,
	} {
		if got := exact(s); got != want {
			t.Errorf("%q: %d tokens, want %d", s, got, want)
		}
	}
	fast, err := New(Fast)
	if err != nil {
		t.Fatal(err)
	}
	if got := fast("abcde"); got != 2 {
		t.Errorf("estimate %d", got)
	}
	if _, err := New("words"); err == nil {
		t.Error("an unknown counter was taken")
	}
}

// TestHostileText has what breaks tokenizers: special tokens, broken UTF-8, long rows without a space.
func TestHostileText(t *testing.T) {
	exact, _ := New(Exact)
	long := make([]byte, 20_000)
	for i := range long {
		long[i] = 'a'
	}
	for _, s := range []string{"<|endoftext|>", "\xff\xfe\x00", string(long)} {
		if got := exact(s); got < 1 || got > len(s) {
			t.Errorf("%.20q: %d tokens", s, got)
		}
	}
}
