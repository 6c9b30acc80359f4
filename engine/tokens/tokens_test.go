package tokens

import "testing"

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
