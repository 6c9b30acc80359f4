package index

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/aurora-sidecar/aurora/index/store"
)

// loadJobs takes the rebuilds that the folder's store remembers. One that was running when its process ended has failed.
func (x *Index) loadJobs(f *folder) {
	rows, err := f.store.Jobs(x.ctx)
	if err != nil {
		x.log.Warn("earlier rebuilds not known", "folder", f.path, "err", err)
		return
	}
	for _, row := range rows {
		job := &Job{
			ID: row.ID, Status: JobStatus(row.Status), Paths: row.Paths, Total: row.Total, Done: row.Done,
			Started: time.UnixMilli(row.StartedAtMS), Err: row.Error,
		}
		if row.CompletedAtMS != 0 {
			job.Ended = time.UnixMilli(row.CompletedAtMS)
		}
		if job.Status == JobRunning && f.store.Writer() {
			job.Status, job.Ended = JobFailed, job.Started
			job.Err = "AURORA ended before the rebuild did; the next scan indexed what was left"
			x.saveJob(f, *job)
		}
		x.mu.Lock()
		x.recallLocked(job)
		x.mu.Unlock()
	}
}

// recallLocked adds an earlier rebuild to the list, which several folders may know.
func (x *Index) recallLocked(job *Job) {
	if slices.ContainsFunc(x.rebuilds, func(j *Job) bool { return j.ID == job.ID }) {
		return
	}
	x.rebuilds = append(x.rebuilds, job)
	slices.SortStableFunc(x.rebuilds, func(a, b *Job) int {
		if running := compareBool(a.Status == JobRunning, b.Status == JobRunning); running != 0 {
			return running
		}
		return a.Started.Compare(b.Started)
	})
}

func compareBool(a, b bool) int {
	return cmp.Compare(map[bool]int{true: 1}[a], map[bool]int{true: 1}[b])
}

// noteJob writes down how a rebuild goes, in the stores of all folders.
func (x *Index) noteJob(job Job) {
	for _, f := range x.liveFolders() {
		x.mu.Lock()
		s := f.store
		x.mu.Unlock()
		if s != nil && s.Writer() {
			x.saveJob(f, job)
		}
	}
}

func (x *Index) saveJob(f *folder, job Job) {
	row := store.JobRow{
		ID: job.ID, Status: string(job.Status), Paths: job.Paths, Total: job.Total, Done: job.Done,
		StartedAtMS: job.Started.UnixMilli(), Error: job.Err,
	}
	if !job.Ended.IsZero() {
		row.CompletedAtMS = job.Ended.UnixMilli()
	}
	if err := f.store.SaveJob(context.WithoutCancel(x.ctx), row); err != nil {
		x.log.Warn("rebuild not written down", "job", job.ID, "err", err)
	}
}

// jobIDLocked makes an id that no earlier process has given.
func (x *Index) jobIDLocked(started time.Time) string {
	id := fmt.Sprintf("rebuild-%d", started.UnixMilli())
	for n := 2; slices.ContainsFunc(x.rebuilds, func(j *Job) bool { return j.ID == id }); n++ {
		id = fmt.Sprintf("rebuild-%d-%d", started.UnixMilli(), n)
	}
	return id
}
