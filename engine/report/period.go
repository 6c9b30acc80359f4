package report

import (
	"fmt"
	"time"

	"github.com/aurora-sidecar/aurora/memory"
)

// A Kind is a sort of report.
type Kind string

// The kinds.
const (
	Daily      Kind = "daily"
	Cumulative Kind = "cumulative"
	Monthly    Kind = "monthly"
)

// A Period is what a report is about, in days of the calendar of the person.
type Period struct {
	Kind  Kind
	Name  string // of the report's files: 2025-12-11, 2025-12, or for all time the day it was made
	Title string
	Days  memory.Span
	Prior memory.Span // the period before, to compare with; empty for all time
}

// Day is the period of one day. text is such as 2025-12-11; "" means the day of now.
func Day(text string, now time.Time) (Period, error) {
	day, err := moment(text, time.DateOnly, now)
	if err != nil {
		return Period{}, fmt.Errorf("%q is no day of the calendar such as 2025-12-11", text)
	}
	name := day.Format(time.DateOnly)
	before := day.AddDate(0, 0, -1).Format(time.DateOnly)
	return Period{
		Kind: Daily, Name: name, Title: day.Format("Monday, 2 January 2006"),
		Days: memory.Span{First: name, Last: name}, Prior: memory.Span{First: before, Last: before},
	}, nil
}

// Month is the period of one month. text is such as 2025-11; "" means the month of now.
func Month(text string, now time.Time) (Period, error) {
	month, err := moment(text, "2006-01", now)
	if err != nil {
		return Period{}, fmt.Errorf("%q is no month such as 2025-11", text)
	}
	return Period{
		Kind: Monthly, Name: month.Format("2006-01"), Title: month.Format("January 2006"), Days: monthOf(month), Prior: monthOf(month.AddDate(0, 0, -1)),
	}, nil
}

// AllTime is everything up to now.
func AllTime(now time.Time) Period {
	today := now.Format(time.DateOnly)
	return Period{Kind: Cumulative, Name: today, Title: "All time, up to " + now.Format("2 January 2006"), Days: memory.Span{Last: today}}
}

// moment reads the first moment of a day or a month. It is reckoned in UTC, where every day has 24 hours: names of days
// are all that comes of it.
func moment(text, layout string, now time.Time) (time.Time, error) {
	if text == "" {
		text = now.Format(layout)
	}
	return time.ParseInLocation(layout, text, time.UTC)
}

// monthOf is the month that holds day.
func monthOf(day time.Time) memory.Span {
	first := time.Date(day.Year(), day.Month(), 1, 0, 0, 0, 0, time.UTC)
	return memory.Span{First: first.Format(time.DateOnly), Last: first.AddDate(0, 1, -1).Format(time.DateOnly)}
}

// eachDay calls f for the days from first to last.
func eachDay(first, last string, f func(day string)) {
	from, err := time.Parse(time.DateOnly, first)
	to, err2 := time.Parse(time.DateOnly, last)
	if err != nil || err2 != nil {
		return
	}
	for d := from; !d.After(to); d = d.AddDate(0, 0, 1) {
		f(d.Format(time.DateOnly))
	}
}
