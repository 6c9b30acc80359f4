package lifespan

import (
	"slices"
	"strings"
)

// Pinned is the tag of records that a person wants kept: they do not decay, and no policy ends them.
const Pinned = "pinned"

// IsPinned reports whether the tags of a record have Pinned; letter case does not matter.
func IsPinned(tags []string) bool {
	return slices.ContainsFunc(tags, isPin)
}

// Pin returns the tags with Pinned, or without it.
func Pin(tags []string, pinned bool) []string {
	kept := slices.DeleteFunc(slices.Clone(tags), isPin)
	if pinned {
		kept = append(kept, Pinned)
	}
	return kept
}

func isPin(tag string) bool { return strings.EqualFold(tag, Pinned) }
