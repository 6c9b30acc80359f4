package question

import (
	"strconv"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// sincePattern finds a time in the rest of a question about changes.
var sincePattern = lazyregexp.New(`(?i)\b(?:(?:since|after|from)\s+)?(?:the\s+)?(` +
	`today|yesterday|(?:this|last|past|previous)\s+(?:week|month|year|hour)|recently|lately|` +
	`(?:in|within|over|during)?\s*(?:the\s+)?(?:last|past)\s+\d+\s+(?:minutes?|hours?|days?|weeks?|months?|years?)|` +
	`\d+\s+(?:minutes?|hours?|days?|weeks?|months?|years?)\s+ago|` +
	`\d{4}-\d{2}-\d{2}|(?:last\s+)?(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday))\b`)

// sinceMonth finds a year, a month or both after a word that says that a time follows: "since 2021", "after March 2021".
var sinceMonth = lazyregexp.New(`(?i)\b(since|after|from)\s+(?:(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|` +
	`oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)(?:\s+((?:19|20)\d\d))?|((?:19|20)\d\d)(?:-(0[1-9]|1[0-2]))?)(?:[\s,;]|$)`)

// parseMonth is parseSince for years and months.
func parseMonth(rest string, now time.Time) (since time.Time, when, subject string) {
	loc := sinceMonth.FindStringSubmatchIndex(rest)
	if loc == nil {
		return time.Time{}, "", rest
	}
	part := func(i int) string { return rest[max(loc[2*i], 0):max(loc[2*i+1], 0)] }
	year, month, years := now.Year(), 1, 1
	for _, i := range []int{3, 4} {
		if n, err := strconv.Atoi(part(i)); err == nil {
			year = n
		}
	}
	if n, err := strconv.Atoi(part(5)); err == nil {
		month, years = n, 0
	}
	if name := strings.ToLower(part(2)); name != "" {
		years = 0
		for m := time.January; m <= time.December; m++ {
			if strings.HasPrefix(strings.ToLower(m.String()), name[:3]) {
				month = int(m)
			}
		}
		if part(3) == "" && month > int(now.Month()) {
			year-- // the last one that there was
		}
	}
	since = time.Date(year, time.Month(month), 1, 0, 0, 0, 0, now.Location())
	if strings.EqualFold(part(1), "after") {
		since = since.AddDate(years, 1-years, 0)
	}
	return since, since.Format(time.DateOnly), rest[:loc[0]] + " " + rest[loc[1]:]
}

// parseSince takes the time out of the rest of a question. A rest without one gives the zero time; what remains is the
// subject.
func parseSince(rest string, now time.Time) (since time.Time, when, subject string) {
	if since, when, subject := parseMonth(rest, now); !since.IsZero() {
		return since, when, subject
	}
	loc := sincePattern.FindStringSubmatchIndex(rest)
	if loc == nil {
		return time.Time{}, "", rest
	}
	when = strings.ToLower(strings.Join(strings.Fields(rest[loc[2]:loc[3]]), " "))
	subject = rest[:loc[0]] + " " + rest[loc[1]:]
	return sinceTime(when, now), when, subject
}

var amount = lazyregexp.New(`(\d+)\s+(minute|hour|day|week|month|year)`)

// sinceTime turns the words of sincePattern into a time. Days begin at midnight, weeks on Monday.
func sinceTime(when string, now time.Time) time.Time {
	midnight := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	monday := midnight.AddDate(0, 0, -((int(now.Weekday()) + 6) % 7))
	if m := amount.FindStringSubmatch(when); m != nil {
		n, err := strconv.Atoi(m[1])
		if err != nil || n > 10000 {
			n = 10000
		}
		return before(now, n, m[2])
	}
	if day, err := time.ParseInLocation(time.DateOnly, when, now.Location()); err == nil {
		return day
	}
	fields := strings.Fields(when)
	last := fields[len(fields)-1]
	switch {
	case when == "today":
		return midnight
	case when == "yesterday":
		return midnight.AddDate(0, 0, -1)
	case when == "this week":
		return monday
	case when == "this month":
		return time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, now.Location())
	case when == "this year":
		return time.Date(now.Year(), 1, 1, 0, 0, 0, 0, now.Location())
	case when == "recently" || when == "lately":
		return midnight.AddDate(0, 0, -14)
	case strings.HasSuffix(last, "day"):
		return weekday(midnight, last)
	}
	return before(now, 1, last)
}

// before returns the time n units before now.
func before(now time.Time, n int, unit string) time.Time {
	switch unit {
	case "minute":
		return now.Add(-time.Duration(n) * time.Minute)
	case "hour":
		return now.Add(-time.Duration(n) * time.Hour)
	case "week":
		return now.AddDate(0, 0, -7*n)
	case "month":
		return now.AddDate(0, -n, 0)
	case "year":
		return now.AddDate(-n, 0, 0)
	}
	return now.AddDate(0, 0, -n)
}

// weekday returns the last midnight before today at which the day of that name began.
func weekday(midnight time.Time, name string) time.Time {
	for day := midnight.AddDate(0, 0, -1); ; day = day.AddDate(0, 0, -1) {
		if strings.EqualFold(day.Weekday().String(), name) {
			return day
		}
	}
}

// The revisions in a question about changes: what is no time but follows since, and two that changes lie between.
var (
	sinceRevision    = lazyregexp.New(`(?i)\b(?:since|after)\s+(?:the\s+)?(?:(?:tag|commit|release|version|branch)\s+)?([\w./+-]+)`)
	betweenRevisions = lazyregexp.New(`(?i)\b(?:between|from)\s+([\w./+-]+)\s+(?:and|to|until)\s+([\w./+-]+)`)
)

// parseRevisions takes the names of commits out of the rest of a question. Times are left for parseSince; ISO dates
// and words of time are no revisions.
func parseRevisions(rest string, now time.Time) (from, to, subject string) {
	isTime := func(s string) bool {
		since, _, _ := parseSince("since "+s, now)
		return !since.IsZero()
	}
	if since, _, _ := parseMonth(rest, now); !since.IsZero() {
		return "", "", rest
	}
	if m := betweenRevisions.FindStringSubmatchIndex(rest); m != nil {
		if a, b := rest[m[2]:m[3]], rest[m[4]:m[5]]; !isTime(a) && !isTime(b) {
			return a, b, rest[:m[0]] + " " + rest[m[1]:]
		}
	}
	if m := sinceRevision.FindStringSubmatchIndex(rest); m != nil {
		if name := rest[m[2]:m[3]]; !isTime(name) && !isTimeWord(name) {
			return name, "", rest[:m[0]] + " " + rest[m[1]:]
		}
	}
	return "", "", rest
}

// isTimeWord reports whether a word begins a time of several words, such as "last week" or "3 days ago".
func isTimeWord(word string) bool {
	switch strings.ToLower(word) {
	case "last", "this", "past", "previous", "the":
		return true
	}
	n, err := strconv.Atoi(word)
	return err == nil && n < 1000 && len(word) < 4
}
