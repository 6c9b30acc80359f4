//go:build unix && !linux

package team_test

import "testing"

func smallDisk(*testing.T) (folder string, more func(), mounted bool) { return "", nil, false }
