package workload

import (
	"bytes"
	"runtime/pprof"
)

// maxDump bounds a dump of goroutines, in bytes.
const maxDump = 48 << 10

// Goroutines tells where all goroutines are, those at one place together, the most first. It names functions and lines, and
// no values. What is beyond a bound is left out.
func Goroutines() string {
	var b bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&b, 1); err != nil {
		return err.Error()
	}
	dump := b.Bytes()
	if len(dump) > maxDump {
		return string(dump[:maxDump]) + "\n[cut]"
	}
	return string(dump)
}
