package wording

import (
	"fmt"
	"time"
)

// Ago writes how long before now t was: "3 days ago".
func Ago(now, t time.Time) string {
	d := now.Sub(t)
	switch {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return Count(int(d/time.Minute), "minute", "minutes") + " ago"
	case d < 24*time.Hour:
		return Count(int(d/time.Hour), "hour", "hours") + " ago"
	}
	days := int(d / (24 * time.Hour))
	switch {
	case days < 14:
		return Count(days, "day", "days") + " ago"
	case days < 60:
		return fmt.Sprintf("%d weeks ago", days/7)
	case days < 730:
		return fmt.Sprintf("%d months ago", days/30)
	}
	return fmt.Sprintf("%d years ago", days/365)
}
