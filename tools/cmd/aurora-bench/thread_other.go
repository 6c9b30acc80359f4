//go:build !linux

package main

import "time"

// threadTime can't tell the processor time of a thread here.
func threadTime() time.Duration { return 0 }
