package workspace

import (
	"reflect"
	"slices"
	"testing"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/aurora-sidecar/aurora/memory/signal"
)

// TestDefaultSignalsAgree holds that the settings' defaults are those of the engine and of the detector.
func TestDefaultSignalsAgree(t *testing.T) {
	got, want := followUps(config.Defaults("")), engine.UsualFollowUps()
	if !reflect.DeepEqual(got.Detector, want.Detector) {
		t.Errorf("words %+v, want %+v", got.Detector, want.Detector)
	}
	got.Detector, want.Detector = nil, nil
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestSignalSettings(t *testing.T) {
	s := config.Defaults("")
	s.Signals.Patterns.Negative.Keywords = []string{"falsch"}
	s.Signals.Patterns.Negative.Action = "none"
	set := followUps(s)
	if heard := set.Detector.Heard("Falsch!"); heard.Class != signal.Negative || set.Actions[signal.Negative] != engine.NoAction {
		t.Errorf("heard %+v, action %q", heard, set.Actions[signal.Negative])
	}
	s.Signals.Enabled = false
	if followUps(s).Detector != nil {
		t.Error("switched off, it listens")
	}
	for _, class := range signal.Classes {
		if !slices.ContainsFunc(signal.Defaults()[class], func(word string) bool { return signal.Usual().Heard(word).Class == class }) {
			t.Errorf("no default word means %s", class)
		}
	}
}
