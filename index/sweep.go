package index

import (
	"time"
)

// File events can be missed: the system's queue overflows, a network file system sends none, a program keeps size and
// time while it changes a file. Sweeps find what was missed.
const (
	sweepEvery = 24 * time.Hour   // all files are read and compared by their hashes
	pollEvery  = 30 * time.Second // folders that can't be watched are listed, at least
	// pollShare bounds the share of time that polling takes: a listing that took a second is repeated after 100.
	pollShare = 100
)

// sweep is the goroutine that looks for missed changes; limited tells whether some folders are not watched. Without a
// watcher the owner asks for refreshes itself, and nothing runs.
func (es *eventSource) sweep(limited func() bool) {
	poll := time.NewTicker(es.x.opts.PollEvery)
	defer poll.Stop()
	daily := time.NewTicker(sweepEvery)
	defer daily.Stop()
	next := time.Time{} // of polling
	for {
		select {
		case <-es.x.life.ctx.Done():
			return
		case <-daily.C:
			es.x.scans.rescan(scanRequest{check: true})
		case now := <-poll.C:
			if !limited() || now.Before(next) {
				continue
			}
			es.x.scans.rescan(scanRequest{})
			took := time.Since(now)
			next = now.Add(pollShare * took)
		}
	}
}

func (sc *scanner) startAll(r scanRequest) {
	sc.x.mu.Lock()
	defer sc.x.mu.Unlock()
	for _, f := range sc.x.folders.all {
		sc.startLocked(f, r)
	}
}

// rescan scans every folder and waits for the end of it.
func (sc *scanner) rescan(r scanRequest) {
	sc.startAll(r)
	_ = sc.x.life.wait(sc.x.life.ctx, func() bool { return sc.running == 0 }) // an error means that the index shuts down
}
