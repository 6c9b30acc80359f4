package retryafter

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Longest is the longest wait that an endpoint may ask for. One that asks for more is given up on: nobody watches a
// question for minutes, and work in the background comes back by itself.
const Longest = 60 * time.Second

// unbounded is what endless waits are read as; it is longer than Longest.
const unbounded = 24 * time.Hour

// Of returns how long the answer with these headers asks to wait, in seconds or until a date; whole and broken seconds
// count. It is 0 when the header is missing, lies in the past, or is neither.
func Of(h http.Header, now time.Time) time.Duration {
	value := strings.TrimSpace(h.Get("Retry-After"))
	if seconds, err := strconv.ParseFloat(value, 64); err == nil && seconds > 0 {
		return time.Duration(min(seconds, unbounded.Seconds()) * float64(time.Second))
	}
	if at, err := http.ParseTime(value); err == nil && at.After(now) {
		return min(at.Sub(now), unbounded)
	}
	return 0
}
