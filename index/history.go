package index

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/aurora-sidecar/aurora/index/store"
)

// load takes the rebuilds that the folder's store remembers. One that was running when its process ended has failed.
func (js *jobList) load(f *folder) {
	rows, err := f.store.Jobs(js.x.life.ctx)
	if err != nil {
		js.x.log.Warn("earlier rebuilds not known", "folder", f.path, "err", err)
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
			js.save(f, *job)
		}
		js.recall(job)
	}
}

// recall adds an earlier rebuild to the list, which several folders may know.
func (js *jobList) recall(job *Job) {
	js.x.mu.Lock()
	defer js.x.mu.Unlock()
	if slices.ContainsFunc(js.all, func(j *Job) bool { return j.ID == job.ID }) {
		return
	}
	js.all = append(js.all, job)
	slices.SortStableFunc(js.all, func(a, b *Job) int {
		if running := compareBool(a.Status == JobRunning, b.Status == JobRunning); running != 0 {
			return running
		}
		return a.Started.Compare(b.Started)
	})
}

func compareBool(a, b bool) int {
	return cmp.Compare(map[bool]int{true: 1}[a], map[bool]int{true: 1}[b])
}

// note writes down how a rebuild goes, in the stores of all folders.
func (js *jobList) note(job Job) {
	for _, f := range js.x.folders.live() {
		js.x.mu.Lock()
		s := f.store
		js.x.mu.Unlock()
		if s != nil && s.Writer() {
			js.save(f, job)
		}
	}
}

func (js *jobList) save(f *folder, job Job) {
	row := store.JobRow{
		ID: job.ID, Status: string(job.Status), Paths: job.Paths, Total: job.Total, Done: job.Done,
		StartedAtMS: job.Started.UnixMilli(), Error: job.Err,
	}
	if !job.Ended.IsZero() {
		row.CompletedAtMS = job.Ended.UnixMilli()
	}
	if err := f.store.SaveJob(context.WithoutCancel(js.x.life.ctx), row); err != nil {
		js.x.log.Warn("rebuild not written down", "job", job.ID, "err", err)
	}
}

// newIDLocked makes an id that no earlier process has given.
func (js *jobList) newIDLocked(started time.Time) string {
	id := fmt.Sprintf("rebuild-%d", started.UnixMilli())
	for n := 2; slices.ContainsFunc(js.all, func(j *Job) bool { return j.ID == id }); n++ {
		id = fmt.Sprintf("rebuild-%d-%d", started.UnixMilli(), n)
	}
	return id
}
