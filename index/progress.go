package index

import (
	"fmt"
	"strconv"
	"time"

	"github.com/aurora-sidecar/aurora/internal/text"
)

// A Progress is sent while a scan runs.
type Progress struct {
	Done, Total int // files that the scan has to look at
	Finished    bool
	First       bool          // most files were not known before: the folder is indexed for the first time
	Rate        float64       // files a second; 0 while it is not known
	Left        time.Duration // estimate; 0 while it is not known
	// Of the whole index, once the scan has finished.
	Files, Chunks int
	SizeBytes     int64 // of the store; 0 without one
}

// Percent is how much is done, from 0 to 100.
func (p Progress) Percent() int {
	if p.Total <= 0 {
		return 0
	}
	return min(100, 100*p.Done/p.Total)
}

// Start says that indexing begins.
func (p Progress) Start() string {
	if p.First {
		return "Context system starting initial indexing of " + files(p.Total) + "..."
	}
	return "Context system looking at " + files(p.Total) + "..."
}

// String says how far indexing is.
func (p Progress) String() string {
	s := fmt.Sprintf("Indexed %s / %s files (%d%%)...", text.Thousands(p.Done), text.Thousands(p.Total), p.Percent())
	if p.Left > 0 {
		s += " Estimated " + inWords(p.Left) + " remaining"
	}
	if p.Rate > 0 {
		s += fmt.Sprintf(" (%s files/s)", text.Thousands(int(p.Rate)))
	}
	return s
}

// Partial says that a part of the workspace can be searched.
func (p Progress) Partial() string {
	return "Basic context available (" + text.Thousands(p.Done) + " files indexed). Continuing in background..."
}

// End says what was indexed.
func (p Progress) End() string {
	s := "Indexing complete. "
	if p.First {
		s = "Initial indexing complete. "
	}
	s += files(p.Files) + ", " + text.Thousands(p.Chunks) + " chunks"
	if p.SizeBytes > 0 {
		s += ", " + strconv.FormatInt(max(1, p.SizeBytes/1e6), 10) + " MB database"
	}
	return s + "."
}

// inWords says a duration as an estimate is read: to the second, from two minutes on to the minute.
func inWords(d time.Duration) string {
	unit, n := "second", int((d+time.Second-1)/time.Second)
	if d >= 2*time.Minute {
		unit, n = "minute", int((d+time.Minute/2)/time.Minute)
	}
	if n != 1 {
		unit += "s"
	}
	return strconv.Itoa(n) + " " + unit
}

func files(n int) string {
	if n == 1 {
		return "1 file"
	}
	return text.Thousands(n) + " files"
}

// A pace tells how fast a round of scans is.
type pace struct {
	start time.Time
	known int // files of the snapshot when the round began
}

// begin notes the beginning of a round.
func (p *pace) begin(first bool, known int) {
	if first {
		*p = pace{start: time.Now(), known: known}
	}
}

// settled is how long a round must have run for its speed to tell something.
const settled = 200 * time.Millisecond

// reinitial is the share of files that must be known for a scan to be no first one.
const reinitial = 0.9

// progressLocked returns what to tell the listeners, nil when no scan is going on.
func (sc *scanner) progressLocked() *Progress {
	if sc.total == 0 {
		return nil
	}
	p := &Progress{Done: sc.done, Total: sc.total, First: sc.firstLocked()}
	if took := time.Since(sc.pace.start); took >= settled && p.Done > 0 {
		p.Rate = float64(p.Done) / took.Seconds()
		p.Left = time.Duration(float64(p.Total-p.Done) / p.Rate * float64(time.Second))
	}
	if sc.running == 0 && sc.done >= sc.total {
		p.Finished, p.Left = true, 0
		p.Files, p.Chunks = sc.x.published.Load().Counts()
		for _, f := range sc.x.folders.all {
			p.SizeBytes += f.sizeOnDisk()
		}
		sc.done, sc.total = 0, 0
	}
	return p
}

// firstLocked reports whether less than nine in ten of the files were known when the round began.
func (sc *scanner) firstLocked() bool {
	files := 0
	for _, f := range sc.x.folders.all {
		files += f.files
	}
	return float64(sc.pace.known) < reinitial*float64(files)
}
