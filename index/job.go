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

// The errors of Rebuild and CancelJob.
var (
	ErrRebuilding = errors.New("a rebuild is running already")
	ErrNoJob      = errors.New("there is no such job")
	ErrNotWriter  = errors.New("another process writes this index")
)

// maxJobs bounds how many ended jobs are remembered.
const maxJobs = 50

// Rebuild throws away what is stored about files and parses them anew: everything, or what lies below the paths
// (absolute). Searches go on over the present snapshot until the new one takes its place. It returns at once; Job tells
// how it goes. Its errors are ErrRebuilding, ErrNotWriter, *OutsideError, or what kept the store from being emptied.
func (x *Index) Rebuild(ctx context.Context, paths []string) (Job, error) {
	canonical := make([]string, len(paths))
	for i, p := range paths {
		if canonical[i] = vfs.Canonical(p); !x.inside(canonical[i]) {
			return Job{}, &OutsideError{Path: canonical[i]}
		}
	}
	job, err := x.beginJob(canonical)
	if err != nil {
		return Job{}, err
	}
	if err := x.startRebuild(ctx, job); err != nil {
		return x.endJob(job, JobFailed, err), err
	}
	x.noteJob(x.copyJob(job))
	if !x.startFollowing(job) {
		return x.endJob(job, JobCancelled, nil), ErrOff
	}
	return x.copyJob(job), nil
}

// startFollowing reports whether anything works that the job could be done by.
func (x *Index) startFollowing(job *Job) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.awake {
		x.start(func() { x.followJob(job) })
	}
	return x.awake
}

// inside reports whether the path is a workspace folder or lies in one.
func (x *Index) inside(abs string) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.folderOfLocked(abs) != nil || slices.ContainsFunc(x.folders, func(f *folder) bool { return f.refused == "" && f.path == abs })
}

func (x *Index) beginJob(paths []string) (*Job, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.closed {
		return nil, errors.New("the index was shut down")
	}
	if !x.awake {
		return nil, ErrOff
	}
	if slices.ContainsFunc(x.rebuilds, func(j *Job) bool { return j.Status == JobRunning }) {
		return nil, ErrRebuilding
	}
	started := time.Now()
	job := &Job{ID: x.jobIDLocked(started), Status: JobRunning, Paths: paths, Started: started}
	x.rebuilds = append(x.rebuilds, job)
	if len(x.rebuilds) > maxJobs {
		x.rebuilds = x.rebuilds[1:]
	}
	return job, nil
}

// startRebuild empties the stores when everything is rebuilt, and queues the files.
func (x *Index) startRebuild(ctx context.Context, job *Job) error {
	if len(job.Paths) == 0 {
		for _, f := range x.liveFolders() {
			if err := x.emptyStore(ctx, f); err != nil {
				return fmt.Errorf("rebuild the index of %s: %w", f.path, err)
			}
		}
	}
	_, err := x.Refresh(ctx, job.Paths, true)
	return err
}

// countLocked adds to the numbers of the running rebuild, if there is one: files that were queued, files looked at.
func (x *Index) countLocked(queued, done int) {
	if n := len(x.rebuilds); n > 0 && x.rebuilds[n-1].Status == JobRunning {
		x.rebuilds[n-1].Total += queued
		x.rebuilds[n-1].Done += done
	}
}

// emptyStore deletes what is stored of a folder. Without a store there is nothing to do.
func (x *Index) emptyStore(ctx context.Context, f *folder) error {
	x.mu.Lock()
	s, dir := f.store, f.dir
	x.mu.Unlock()
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

// followJob waits for the end of a job.
func (x *Index) followJob(job *Job) {
	err := x.wait(x.ctx, func() bool { return x.idleLocked() || job.Status != JobRunning })
	if err != nil {
		x.endJob(job, JobCancelled, nil) // the index shuts down
		return
	}
	x.endJob(job, JobCompleted, nil)
}

// endJob notes how a running job ended.
func (x *Index) endJob(job *Job, status JobStatus, err error) Job {
	x.mu.Lock()
	if job.Status == JobRunning {
		job.Status, job.Ended = status, time.Now()
		if err != nil {
			job.Err = err.Error()
		}
		x.changed.Broadcast()
	}
	ended := *job
	x.mu.Unlock()
	x.noteJob(ended)
	return ended
}

func (x *Index) copyJob(job *Job) Job {
	x.mu.Lock()
	defer x.mu.Unlock()
	return *job
}

// Job returns a rebuild by its id; ErrNoJob when it is not known (any more).
func (x *Index) Job(id string) (Job, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, j := range x.rebuilds {
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
		err = x.wait(ctx, func() bool { return !slices.Contains(x.jobsLocked(), id) })
		if err == nil {
			job, err = x.Job(id)
		}
	}
	return job, err
}

// jobsLocked lists the ids of the rebuilds that run.
func (x *Index) jobsLocked() []string {
	var ids []string
	for _, j := range x.rebuilds {
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
	i := slices.IndexFunc(x.rebuilds, func(j *Job) bool { return j.ID == id })
	if i < 0 {
		return Job{}, fmt.Errorf("%w: %s", ErrNoJob, id)
	}
	job := x.rebuilds[i]
	if job.Status != JobRunning {
		return *job, nil
	}
	job.Status, job.Ended = JobCancelled, time.Now()
	for _, t := range x.tasks {
		t.force = false
	}
	for _, f := range x.folders {
		f.scan.next.force = false
	}
	x.changed.Broadcast()
	return *job, nil
}
