package display

import (
	"fmt"
	"time"
)

const day = 24 * time.Hour

// Ago says how long ago t was, in the largest unit that fits: "3 minutes ago", "2 days ago", "3 weeks ago". A time
// in the future (another machine's clock) is "just now" when near, else its date; the zero time is "-".
func Ago(t, now time.Time) string {
	if t.IsZero() {
		return "-"
	}
	age := now.Sub(t)
	switch {
	case age < -day:
		return Date(t)
	case age < time.Minute:
		return "just now"
	case age < time.Hour:
		return ago(age, time.Minute, "minute")
	case age < day:
		return ago(age, time.Hour, "hour")
	case age < 14*day:
		return ago(age, day, "day")
	case age < 60*day:
		return ago(age, 7*day, "week")
	case age < 730*day:
		return ago(age, 30*day, "month")
	}
	return ago(age, 365*day, "year")
}

func ago(age, unit time.Duration, name string) string {
	return Count(int(age/unit), name) + " ago"
}

// Date is the day of t as YYYY-MM-DD, or "-" for the zero time.
func Date(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.Format(time.DateOnly)
}

// Count joins a number with its noun: "1 file", "3 files".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Bytes says a size in the unit that fits: "512 B", "1.4 MB".
func Bytes(n int64) string {
	const unit = 1000
	if n < unit {
		return fmt.Sprintf("%d B", n)
	}
	value, exp := float64(n)/unit, 0
	for value >= unit && exp < 4 {
		value /= unit
		exp++
	}
	return fmt.Sprintf("%.1f %cB", value, "kMGTP"[exp])
}
