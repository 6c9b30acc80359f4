package engine

import (
	"slices"
	"testing"

	"github.com/aurora-sidecar/aurora/engine/codeintel"
)

// TestRelatedOfImportedMembers asks who reads constants and variants that an import makes known without their type.
func TestRelatedOfImportedMembers(t *testing.T) {
	w := openWorkspace(t, map[string]string{
		"src/main/java/shop/Limits.java": "package shop;\n\npublic final class Limits {\n    public static final int MOST = 3;\n}\n",
		"src/main/java/web/One.java":     "package web;\n\nimport static shop.Limits.MOST;\n\nclass One {\n    int one() { return MOST; }\n}\n",
		"src/main/java/web/All.java":     "package web;\n\nimport static shop.Limits.*;\n\nclass All {\n    int all() { return MOST; }\n    int own(int MOST) { return MOST; }\n}\n",
		"Cargo.toml":                     "[package]\nname = \"modes\"\nversion = \"0.1.0\"\n",
		"src/lib.rs":                     "pub mod mode;\nuse mode::Mode;\nuse mode::Mode::*;\npub fn pick() -> Mode { Fast }\n",
		"src/mode.rs":                    "pub enum Mode { Fast, Slow }\npub enum Speed { Fast, Low }\nimpl Mode {\n    pub fn word(&self) -> u8 {\n        use self::Mode::{Fast, Slow};\n        match self { Fast => 1, Slow => 2 }\n    }\n}\n",
		"src/named.rs":                   "use crate::mode::Mode::Fast;\npub fn named() { take(Fast) }\n",
		"src/speed.rs":                   "use crate::mode::Speed;\npub fn speed() -> Speed { Speed::Fast }\n",
	})
	for _, tc := range []struct {
		path, at string
		want     []string
	}{
		{"src/main/java/shop/Limits.java", "MO|ST", []string{"read src/main/java/web/All.java:All.all", "read src/main/java/web/One.java:One.one"}},
		{"src/mode.rs", "Mode { Fa|st", []string{"read src/lib.rs:pick", "read src/mode.rs:Mode.word", "read src/named.rs:named"}},
		{"src/mode.rs", "Speed { Fa|st", []string{"read src/speed.rs:speed"}},
	} {
		r := w.related(RelatedRequest{Place: w.offset(tc.path, tc.at)})
		r.Edges = slices.DeleteFunc(r.Edges, func(e codeintel.Edge) bool { return e.Confidence < 0.9 })
		got := edges(r)
		slices.Sort(got)
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s %s: %q, want %q", tc.path, tc.at, got, tc.want)
		}
	}
}
