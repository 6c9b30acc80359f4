package reference

import _ "embed"

// intro is the part of the page that is written by hand.
//
//go:embed intro.md
var intro string
