package signal

import "testing"

func TestDetect(t *testing.T) {
	for text, want := range map[string]Signal{
		"":                            {},
		"thanks":                      {Class: Positive, Confidence: 1, Keyword: "thanks", Whole: true},
		" Thanks! ":                   {Class: Positive, Confidence: 1, Keyword: "thanks", Whole: true},
		"Great, thanks":               {Class: Positive, Confidence: 1, Keyword: "great", Whole: true},
		"Perfect. And who calls it?":  {Class: Positive, Confidence: 0.9, Keyword: "perfect", Rest: "And who calls it?"},
		"also show its tests":         {Class: Followup, Confidence: 0.8, Keyword: "also", Rest: "show its tests"},
		"and, who calls it":           {Class: Followup, Confidence: 0.9, Keyword: "and", Rest: "who calls it"},
		"No, it was the other one":    {Class: Negative, Confidence: 0.9, Keyword: "no", Rest: "it was the other one"},
		"That’s not right":            {Class: Negative, Confidence: 1, Keyword: "that's not right", Whole: true},
		"not what I meant by retry":   {Class: Negative, Confidence: 0.8, Keyword: "not what i meant", Rest: "by retry"},
		"try again with the tests":    {Class: Recourse, Confidence: 0.8, Keyword: "try again", Rest: "with the tests"},
		"Never mind.":                 {Class: Abort, Confidence: 1, Keyword: "never mind", Whole: true},
		"stop":                        {Class: Abort, Confidence: 1, Keyword: "stop", Whole: true},
		"no model is configured, why": {Class: Negative, Confidence: 0.4, Keyword: "no"},
		"where do we retry":           {Class: Recourse, Confidence: 0.4, Keyword: "retry"},
		"what does Great do":          {Class: Positive, Confidence: 0.4, Keyword: "great"},
		"goodness":                    {},
		"android and iOS":             {Class: Followup, Confidence: 0.4, Keyword: "and"},
		"!!!":                         {},
	} {
		if got := Usual().Detect(text); got != want {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
	}
}

func TestWordsAndThresholdAreSettings(t *testing.T) {
	d := New(Keywords{Positive: {"  Danke  Schön ", "", "merci"}, Abort: {"laß’ gut sein"}}, 0.95)
	for text, want := range map[string]Class{
		"danke schön!": Positive, "Merci": Positive, "laß' gut sein": Abort, "thanks": None, "merci, and who calls it": None,
	} {
		if got := d.Classify(text).Class; got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	if got := New(nil, 0).Classify("thanks"); got != (Signal{}) {
		t.Errorf("without words: %+v", got)
	}
}

// FuzzDetect holds that no text makes it fail.
func FuzzDetect(f *testing.F) {
	f.Add("No, İstanbul")
	f.Add("also \xff")
	f.Fuzz(func(t *testing.T, text string) {
		if s := Usual().Detect(text); s.Confidence < 0 || s.Confidence > 1 || s.Whole && s.Rest != "" {
			t.Errorf("%q: %+v", text, s)
		}
	})
}
