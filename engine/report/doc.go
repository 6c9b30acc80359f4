// Package report makes reports of the figures of usage: of a day, of a month, and of all time, as Markdown, JSON and a
// page that needs nothing but a browser.
//
// It owns what the figures mean together (see Totals) and how they are shown. It guarantees that a report tells nothing
// of any question or answer but figures, that the same figures give the same report, and that having none is no error.
// It never sends anything anywhere.
package report
