package engine

import (
	"context"
	"slices"
	"testing"
)

// TestPrototypesComeAfterTheirFunctions: the header says the same words, and first by its path.
func TestPrototypesComeAfterTheirFunctions(t *testing.T) {
	w := openWorkspace(t, map[string]string{
		"include/ring.h": "/* Grow the ring buffer when it is full. */\nint ring_grow(struct ring *r);\n\nint ring_only_declared(struct ring *r);\n",
		"src/buffer.c":   "#include \"ring.h\"\n\n/* Grow the ring buffer when it is full. */\nint ring_grow(struct ring *r)\n{\n\tr->size *= 2;\n\treturn 0;\n}\n",
		"src/other.c":    "int unrelated(void)\n{\n\treturn 1;\n}\n",
	})
	result, err := w.engine.Search(context.Background(), SearchRequest{Query: "grow the full ring buffer"})
	if err != nil {
		t.Fatal(err)
	}
	got := names(result.Hits)
	function, prototype := slices.Index(got, "src/buffer.c:ring_grow"), slices.Index(got, "include/ring.h:ring_grow")
	if function != 0 || prototype < 1 {
		t.Errorf("hits %v", got)
	}
	if result.Hits[prototype].Explanation == result.Hits[function].Explanation {
		t.Errorf("nothing says why the prototype comes later: %q", result.Hits[prototype].Explanation)
	}
	alone, err := w.engine.Search(context.Background(), SearchRequest{Query: "ring_only_declared"})
	if err != nil || len(alone.Hits) == 0 || names(alone.Hits)[0] != "include/ring.h:ring_only_declared" {
		t.Errorf("a name that is only declared: %v %v", names(alone.Hits), err)
	}
}
