package indexing

import (
	"testing"
	"time"
)

func TestMinutes(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "1 second", time.Second: "1 second", 40 * time.Second: "40 seconds", 680 * time.Second: "11 minutes", time.Hour: "60 minutes",
	} {
		if got := minutes(d); got != want {
			t.Errorf("minutes(%s) = %q, want %q", d, got, want)
		}
	}
}
