package reference

import _ "embed"

// Intro is the part of the page that is written by hand.
//
//go:embed intro.md
var Intro string
