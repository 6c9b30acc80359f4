package codeintel

import "testing"

func TestSummarise(t *testing.T) {
	for code, want := range map[string]astSummary{
		"":                                  {"low", 0, 0},
		"// if for while\nx := \"if\" # if": {"low", 0, 0},
		"if a {\n} else if b {\n}\nfor x := range y { }": {"medium", 2, 1},
		"a ? b : c":             {"low", 1, 0},
		"/* if\nfor */ return1": {"low", 0, 0},
	} {
		if got := summarise(code); got != want {
			t.Errorf("%q: %+v, want %+v", code, got, want)
		}
	}
}
