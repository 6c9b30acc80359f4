package obs

import (
	"slices"
	"sync"
	"time"
)

// window is how many of the latest durations a Latency remembers.
const window = 512

// A Latency knows how long the latest of many like things took. The zero value is ready; all methods may be called
// from several goroutines.
type Latency struct {
	mu    sync.Mutex
	ring  [window]time.Duration
	count uint64 // of all observations; the next one goes to count % window
}

// Observe adds a duration.
func (l *Latency) Observe(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ring[l.count%window] = d
	l.count++
}

// A LatencySummary is a moment's account of a Latency.
type LatencySummary struct {
	Mean, P50, P95 time.Duration
}

// Summary returns the mean and the percentiles of the latest durations, these by the nearest-rank method: each is a
// duration that was observed. They are zero when nothing was.
func (l *Latency) Summary() LatencySummary {
	l.mu.Lock()
	latest := slices.Clone(l.ring[:min(l.count, window)])
	l.mu.Unlock()
	var summary LatencySummary
	for _, d := range latest {
		summary.Mean += d
	}
	summary.Mean /= time.Duration(max(len(latest), 1))
	slices.Sort(latest)
	summary.P50, summary.P95 = nearestRank(latest, 50), nearestRank(latest, 95)
	return summary
}

// nearestRank is the smallest of the sorted durations that is not exceeded by percent of them.
func nearestRank(sorted []time.Duration, percent int) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	rank := (len(sorted)*percent + 99) / 100
	return sorted[max(rank, 1)-1]
}
