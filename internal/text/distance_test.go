package text

import "testing"

func TestDistance(t *testing.T) {
	tests := []struct {
		a, b  string
		limit int
		want  int
	}{
		{"", "", -1, 0}, {"", "abc", -1, 3}, {"abc", "", -1, 3}, {"same", "same", 2, 0},
		{"kitten", "sitting", -1, 3}, {"teh", "the", 2, 1}, {"größe", "grösse", -1, 2}, {"ca", "abc", -1, 3},
		{"parse", "prase", 1, 1}, {"getPage", "getPages", 1, 1},
	}
	for _, test := range tests {
		if got := Distance([]rune(test.a), []rune(test.b), test.limit); got != test.want {
			t.Errorf("Distance(%q, %q) = %d, want %d", test.a, test.b, got, test.want)
		}
		if got := Distance([]rune(test.b), []rune(test.a), test.limit); got != test.want {
			t.Errorf("Distance(%q, %q) = %d, want %d", test.b, test.a, got, test.want)
		}
	}
	if got := Distance([]rune("completely"), []rune("different!"), 2); got <= 2 {
		t.Errorf("beyond the limit: %d", got)
	}
}
