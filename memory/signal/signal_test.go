package signal

import "testing"

func TestDetect(t *testing.T) {
	for text, want := range map[string]Signal{
		"":                            {},
		"thanks":                      {Positive, 1, "thanks", true},
		" Thanks! ":                   {Positive, 1, "thanks", true},
		"Great, thanks":               {Positive, 1, "great", true},
		"Perfect. And who calls it?":  {Positive, 0.9, "perfect", false},
		"also show its tests":         {Followup, 0.8, "also", false},
		"and, who calls it":           {Followup, 0.9, "and", false},
		"No, it was the other one":    {Negative, 0.9, "no", false},
		"That’s not right":            {Negative, 1, "that's not right", true},
		"not what I meant by retry":   {Negative, 0.8, "not what i meant", false},
		"try again with the tests":    {Recourse, 0.8, "try again", false},
		"Never mind.":                 {Abort, 1, "never mind", true},
		"stop":                        {Abort, 1, "stop", true},
		"no model is configured, why": {Negative, 0.4, "no", false},
		"where do we retry":           {Recourse, 0.4, "retry", false},
		"what does Great do":          {Positive, 0.4, "great", false},
		"goodness":                    {},
		"android and iOS":             {Followup, 0.4, "and", false},
		"!!!":                         {},
	} {
		if got := Detect(text); got != want {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
	}
}
