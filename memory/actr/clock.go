package actr

import "time"

// MaxPause is the longest pause between two uses that still counts as work. Of a longer one this much counts.
const MaxPause = 15 * time.Minute

// A Clock measures activity time: the time that somebody was at work, during which an idle weekend is as long as a
// coffee break. The zero Clock has not started.
type Clock struct {
	At     time.Time     // the last use seen
	Active time.Duration // activity time at that moment
}

// Advance returns the clock after a use at a moment. A use before the last one, by a wall clock that was set back, adds
// nothing; the time from then on counts again.
func (c Clock) Advance(at time.Time) Clock {
	if !c.At.IsZero() {
		c.Active += min(max(0, at.Sub(c.At)), MaxPause)
	}
	c.At = at
	return c
}

// ActiveTime is a moment on the axis of activity time, for the times of a History and for BaseLevel's now.
func ActiveTime(active time.Duration) time.Time { return time.Unix(0, 0).UTC().Add(active) }
