package show

import (
	"strings"
)

func OneLineOf(s string) string { return strings.Join(strings.Fields(s), " ") }
