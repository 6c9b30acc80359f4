//go:build !linux

package sandbox

import (
	"context"
	"errors"
)

const supported = false

type bounds struct{}

func machineBounds(string) (bounds, error) { return bounds{}, nil }

func (b *Box) start(context.Context, Command, string) (Result, error) {
	return Result{}, errors.New("there is no sandbox on this system")
}

// Enter fails: there is no sandbox on this system.
func Enter() error { return errors.New("there is no sandbox on this system") }
