package answer

import (
	"testing"

	"github.com/aurora-sidecar/aurora/engine/answer/evidence"
)

// TestAboutRunning: of sections about tests those are shown that say how they are run, not those that tell users of a library how
// to test their own programs.
func TestAboutRunning(t *testing.T) {
	given := []evidence.Section{
		{Title: "Testing Applications", Text: "The Client sends requests to a program.\n\n>>> from lib.test import Client\n"},
		{Title: "Developing and Testing with Docker", Text: "    docker run image tox\n"},
		{Title: "Testing", Text: "Use `cargo test`."},
		{Title: "Running the unit tests", Text: ".. code-block:: console\n\n    $ py.test -x\n"},
		{Title: "Tests of the protocol", Text: "A tester makes tests; check them."},
	}
	want := []string{"Running the unit tests", "Developing and Testing with Docker", "Testing"}
	got := aboutRunning(given)
	if len(got) != len(want) {
		t.Fatalf("%d sections: %+v", len(got), got)
	}
	for i := range want {
		if got[i].Title != want[i] {
			t.Errorf("place %d has %q, want %q", i, got[i].Title, want[i])
		}
	}
}
