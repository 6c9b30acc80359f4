package evidence

import "testing"

// TestIsContents: a section that only lists other documents says nothing.
func TestIsContents(t *testing.T) {
	for text, want := range map[string]bool{
		"": true,
		".. toctree::\n   :maxdepth: 2\n\n   test\n   debug\n   Quick start <quickstart>\n": true,
		".. _tests:\n\n.. toctree::\n\n   a\n\n.. toctree::\n   :hidden:\n\n   b\n":         true,
		".. contents::\n   :local:\n\n* :doc:`guide`\n* `Other <other.html>`_\n":            true,
		"- [Unit tests](unit.md)\n- [All of them](all.md)\n":                                true,
		"1. [Unit tests](unit.md)\n2. ![badge](b.svg)\n":                                    true,
		".. toctree::\n\n   a\n\nRun tox.\n":                                                false,
		"- [Unit tests](unit.md): run them by make\n":                                       false,
		".. code-block:: sh\n\n   pytest\n":                                                 false,
		"    make test\n":                                                                   false,
		"| tests | make test |\n":                                                           false,
	} {
		if got := IsContents(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
