package index

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/aurora-sidecar/aurora/index/snapshot"
	"github.com/aurora-sidecar/aurora/index/vfs"
)

// JobStatus is the life of a rebuild.
type JobStatus string

// The statuses.
const (
	JobRunning   JobStatus = "in_progress"
	JobCompleted JobStatus = "completed"
	JobFailed    JobStatus = "failed"
	JobCancelled JobStatus = "cancelled"
)

// A Job is a rebuild that was asked for.
type Job struct {
	ID      string
	Status  JobStatus
	Paths   []string // absolute; none for everything
	Total   int      // files queued so far
	Done    int
	Started time.Time
	Ended   time.Time // zero while it runs
	Err     string    // why it failed
}

// A jobList knows the rebuilds of all folders.
type jobList struct {
	x         *Index
	all       []*Job // oldest first
	refreshes int    // were asked for
}

// The errors of Rebuild and CancelJob.
var (
	ErrRebuilding = errors.New("a rebuild is running already")
	ErrNoJob      = errors.New("there is no such job")
	ErrNotWriter  = errors.New("another process writes this index")
)

// maxJobs bounds how many ended jobs are remembered.
const maxJobs = 50

// Rebuild throws away what is stored about files and parses them again: everything, or what lies below the paths
// (absolute). Searches go on over the present snapshot until the new one takes its place. It returns at once; Job tells
// how it goes. Its errors are ErrRebuilding, ErrNotWriter, *OutsideError, or what kept the store from being emptied.
func (x *Index) Rebuild(ctx context.Context, paths []string) (Job, error) {
	canonical := make([]string, len(paths))
	for i, p := range paths {
		if canonical[i] = vfs.Canonical(p); !x.folders.holds(canonical[i]) {
			return Job{}, &OutsideError{Path: canonical[i]}
		}
	}
	job, err := x.jobs.begin(canonical)
	if err != nil {
		return Job{}, err
	}
	if err := x.jobs.startRebuild(ctx, job); err != nil {
		return x.jobs.end(job, JobFailed, err), err
	}
	x.jobs.note(x.jobs.copy(job))
	if !x.jobs.startFollowing(job) {
		return x.jobs.end(job, JobCancelled, nil), ErrOff
	}
	return x.jobs.copy(job), nil
}

// startFollowing reports whether anything works that the job could be done by.
func (js *jobList) startFollowing(job *Job) bool {
	js.x.mu.Lock()
	defer js.x.mu.Unlock()
	if js.x.life.awake {
		js.x.life.start(func() { js.follow(job) })
	}
	return js.x.life.awake
}

// holds reports whether the path is a workspace folder or lies in one.
func (fs *folderSet) holds(abs string) bool {
	fs.x.mu.Lock()
	defer fs.x.mu.Unlock()
	return fs.ofLocked(abs) != nil || slices.ContainsFunc(fs.all, func(f *folder) bool { return f.refused == "" && f.path == abs })
}

func (js *jobList) begin(paths []string) (*Job, error) {
	js.x.mu.Lock()
	defer js.x.mu.Unlock()
	if js.x.life.closed {
		return nil, errors.New("the index was shut down")
	}
	if !js.x.life.awake {
		return nil, ErrOff
	}
	if slices.ContainsFunc(js.all, func(j *Job) bool { return j.Status == JobRunning }) {
		return nil, ErrRebuilding
	}
	started := time.Now()
	job := &Job{ID: js.newIDLocked(started), Status: JobRunning, Paths: paths, Started: started}
	js.all = append(js.all, job)
	if len(js.all) > maxJobs {
		js.all = js.all[1:]
	}
	return job, nil
}

// startRebuild empties the stores when everything is rebuilt, and queues the files.
func (js *jobList) startRebuild(ctx context.Context, job *Job) error {
	if len(job.Paths) == 0 {
		for _, f := range js.x.folders.live() {
			if err := js.x.folders.emptyStore(ctx, f); err != nil {
				return fmt.Errorf("rebuild the index of %s: %w", f.path, err)
			}
		}
	}
	_, err := js.x.Refresh(ctx, job.Paths, true)
	return err
}

// countLocked adds to the numbers of the running rebuild, if there is one: files that were queued, files looked at.
func (js *jobList) countLocked(queued, done int) {
	if n := len(js.all); n > 0 && js.all[n-1].Status == JobRunning {
		js.all[n-1].Total += queued
		js.all[n-1].Done += done
	}
}

// emptyStore deletes what is stored of a folder. Without a store there is nothing to do.
func (fs *folderSet) emptyStore(ctx context.Context, f *folder) error {
	fs.x.mu.Lock()
	s, dir := f.store, f.dir
	fs.x.mu.Unlock()
	if s == nil {
		return nil
	}
	if !s.Writer() {
		return ErrNotWriter
	}
	if err := os.Remove(filepath.Join(dir, snapshot.SavedName)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	jobs, err := s.Jobs(ctx)
	if err != nil {
		jobs = nil // the reason for the rebuild, maybe
	}
	if err := s.Rebuild(ctx); err != nil {
		return err
	}
	for _, job := range jobs {
		if err := s.SaveJob(ctx, job); err != nil {
			return err
		}
	}
	return nil
}

// follow waits for the end of a job.
func (js *jobList) follow(job *Job) {
	err := js.x.life.wait(js.x.life.ctx, func() bool { return js.x.idleLocked() || job.Status != JobRunning })
	if err != nil {
		js.end(job, JobCancelled, nil) // the index shuts down
		return
	}
	js.end(job, JobCompleted, nil)
}

// end notes how a running job ended.
func (js *jobList) end(job *Job, status JobStatus, err error) Job {
	ended := js.finish(job, status, err)
	js.note(ended)
	return ended
}

func (js *jobList) finish(job *Job, status JobStatus, err error) Job {
	js.x.mu.Lock()
	defer js.x.mu.Unlock()
	if job.Status == JobRunning {
		job.Status, job.Ended = status, time.Now()
		if err != nil {
			job.Err = err.Error()
		}
		js.x.changed.Broadcast()
	}
	return *job
}

func (js *jobList) copy(job *Job) Job {
	js.x.mu.Lock()
	defer js.x.mu.Unlock()
	return *job
}

// Job returns a rebuild by its id; ErrNoJob when it is not known (any more).
func (x *Index) Job(id string) (Job, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, j := range x.jobs.all {
		if j.ID == id {
			return *j, nil
		}
	}
	return Job{}, fmt.Errorf("%w: %s", ErrNoJob, id)
}

// WaitJob waits until a rebuild has ended.
func (x *Index) WaitJob(ctx context.Context, id string) (Job, error) {
	job, err := x.Job(id)
	for err == nil && job.Status == JobRunning {
		err = x.life.wait(ctx, func() bool { return !slices.Contains(x.jobs.runningLocked(), id) })
		if err == nil {
			job, err = x.Job(id)
		}
	}
	return job, err
}

// runningLocked lists the ids of the rebuilds that run.
func (js *jobList) runningLocked() []string {
	var ids []string
	for _, j := range js.all {
		if j.Status == JobRunning {
			ids = append(ids, j.ID)
		}
	}
	return ids
}

// CancelJob ends a running rebuild. What it parsed so far stays; of the other files only those are read that changed
// on disk. A job that has ended stays as it is.
func (x *Index) CancelJob(id string) (Job, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	i := slices.IndexFunc(x.jobs.all, func(j *Job) bool { return j.ID == id })
	if i < 0 {
		return Job{}, fmt.Errorf("%w: %s", ErrNoJob, id)
	}
	job := x.jobs.all[i]
	if job.Status != JobRunning {
		return *job, nil
	}
	job.Status, job.Ended = JobCancelled, time.Now()
	for _, t := range x.queue.tasks {
		t.force = false
	}
	for _, f := range x.folders.all {
		f.scan.next.force = false
	}
	x.changed.Broadcast()
	return *job, nil
}
