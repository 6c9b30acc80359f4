//go:build unix

package scrub

import (
	"strings"
	"syscall"
	"testing"
	"time"
)

// cpu is the processor time that the process has used.
func cpu(t *testing.T) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// TestHostileKeywords holds that a text full of keywords takes linear time of the processor: sixteen times the text takes less
// than 96 times as much, where its square would take 256.
func TestHostileKeywords(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time")
	}
	const size = 40_000
	for _, keyword := range []string{"hf_", "shpat_", "linear ", "curl ", "dapi", "--password ", "machine ", "etsy="} {
		least := func(size int) time.Duration {
			hostile, least := strings.Repeat(keyword, size/len(keyword)), time.Hour
			for range 3 {
				start := cpu(t)
				Text(hostile)
				least = min(least, cpu(t)-start)
			}
			return least
		}
		if once, more := least(size), least(16*size); more > 96*once {
			t.Errorf("%q: %v for %d kB, %v for %d", keyword, once, size/1000, more, 16*size/1000)
		}
	}
}
