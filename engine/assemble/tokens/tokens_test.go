package tokens

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tiktoken-go/tokenizer/codec"
)

// blankLine is where the other program ends a piece at the first line's end instead of the last one's (its regular expression is
// compiled wrongly); "\n   \n" is one token of the vocabulary.
var blankLine = regexp.MustCompile(`[\r\n][\s\v\x{85}\p{Z}]*[\t\v\f\x{85}\p{Z}][\s\v\x{85}\p{Z}]*[\r\n]`)

// reference counts as another program does.
func reference(t *testing.T) func(s string) int {
	t.Helper()
	base := codec.NewCl100kBase()
	return func(s string) int {
		n, err := base.Count(s)
		if err != nil {
			t.Fatalf("%.200q: %v", s, err)
		}
		return n
	}
}

// TestLinesAddUp compares texts that are counted line by line, as a whole, and by another program.
func TestLinesAddUp(t *testing.T) {
	files, err := filepath.Glob("../*.go")
	more, _ := filepath.Glob("../../../docs/*.md")
	if files = append(files, more...); err != nil || len(files) < 20 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	texts := []string{strings.Repeat("ab", 3000), strings.Repeat("=", 3000)}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	for range 20_000 {
		texts = append(texts, randomText())
	}
	count, err := New(Exact)
	if err != nil {
		t.Fatal(err)
	}
	want := reference(t)
	for _, s := range texts {
		whole := exact(s)
		if got := count(s); got != whole {
			t.Errorf("%.200q: %d tokens by lines, %d as a whole", s, got, whole)
		}
		if want := want(s); whole != want && !blankLine.MatchString(s) {
			t.Errorf("%.200q: %d tokens, want %d", s, whole, want)
		}
	}
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

// TestCounts compares with what OpenAI's tiktoken gives for cl100k_base.
func TestCounts(t *testing.T) {
	exact, err := New("")
	if err != nil {
		t.Fatal(err)
	}
	for s, want := range map[string]int{
		"": 0, "\n   \n": 1, "hello world": 2, "tiktoken is great!": 6, "antidisestablishmentarianism": 6, "2 + 2 = 4": 7, "お誕生日おめでとう": 9,
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
	for _, s := range []string{"<|endoftext|>", "\xff\xfe\x00", strings.Repeat("a", 20_000), strings.Repeat("=", 20_000), strings.Repeat("ab ", 20_000)} {
		if got := exact(s); got < 1 || got > len(s) {
			t.Errorf("%.20q: %d tokens", s, got)
		}
	}
}
