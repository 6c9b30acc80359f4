package answer

import (
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/engine/answer/evidence"
)

// TestDecoratorsStandAboveSignatures finds the documentation string of a method whose decorator is no part of its signature.
func TestDecoratorsStandAboveSignatures(t *testing.T) {
	const body = `    def isolated(
        self, folder: str | None = None
    ) -> Iterator[str]:
        """Work in another folder.

        Nothing outside of it changes.
        """
        yield folder`
	p := evidence.Citation{Signature: "def isolated(self, folder: str | None = None) -> Iterator[str]"}
	for above, count := range map[string]int{"": 0, "    @contextmanager\n": 1, "    @cached\n    @contextmanager\n": 2} {
		lines := strings.Split(above+body, "\n")
		opening := headLines(p, lines)
		if opening != count+3 || docstringEnd(lines, opening) != count+7 {
			t.Errorf("below %q the signature ends at line %d, its comment at %d", above, opening, docstringEnd(lines, opening))
		}
	}
}
