package recall

import (
	"testing"

	"github.com/aurora-sidecar/aurora/memory"
)

// The first snapshot has the number 0, as a new cache has.
func TestCitedCacheOfTheFirstSnapshot(t *testing.T) {
	var c citedCache
	if _, ok := c.get(0, "key"); ok {
		t.Error("an empty cache knows something")
	}
	c.put(0, "key", memory.Citation{Path: "a.go"})
	if found, ok := c.get(0, "key"); !ok || found.Path != "a.go" {
		t.Errorf("%+v, %v", found, ok)
	}
	c.put(1, "key", memory.Citation{Path: "b.go"})
	if found, ok := c.get(0, "key"); !ok || found.Path != "a.go" {
		t.Errorf("what another snapshot says took its place: %+v, %v", found, ok)
	}
	if _, ok := c.get(2, "key"); ok {
		t.Error("what was found in one snapshot counts in the next")
	}
}
