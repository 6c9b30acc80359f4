package retryafter

import (
	"net/http"
	"testing"
	"time"
)

func TestOf(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for header, want := range map[string]time.Duration{
		"": 0, "3": 3 * time.Second, " 3 ": 3 * time.Second, "0.5": 500 * time.Millisecond, "0": 0, "-1": 0, "soon": 0, "NaN": 0,
		"1e300": unbounded, "+Inf": unbounded,
		"Sat, 21 Nov 2026 12:00:09 GMT": 9 * time.Second, "Sat, 21 Nov 2026 11:00:00 GMT": 0, "Sat, 21 Nov 2099 11:00:00 GMT": unbounded,
	} {
		if got := Of(http.Header{"Retry-After": {header}}, now); got != want {
			t.Errorf("%q: %v, want %v", header, got, want)
		}
	}
	if got := Of(http.Header{}, now); got != 0 {
		t.Errorf("no header: %v", got)
	}
}
