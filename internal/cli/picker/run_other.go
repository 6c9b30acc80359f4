//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package picker

import (
	"context"
	"errors"
	"os"
)

// Supported tells that this system has terminals as the picker needs them.
const Supported = false

// Run fails: there is no picker on this system.
func Run(context.Context, *os.File, *os.File, Options) (Choice, error) {
	return Choice{}, errors.New("there is no picker on this system")
}
