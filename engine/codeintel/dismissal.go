package codeintel

import (
	"context"
	"fmt"

	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/index/git"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
	"github.com/aurora-sidecar/aurora/memory"
)

// GitIndex is the file that git writes when something of a folder is staged. It fails where git can't be asked.
func (e *Intel) GitIndex(ctx context.Context, folder string) (string, error) {
	repo, err := e.repos.open(ctx, folder)
	if err != nil {
		return "", err
	}
	return git.IndexFile(repo), nil
}

// findingID is the form of the id of a finding.
var findingID = lazyregexp.New(`^f-[0-9a-f]{16}$`)

// repositoryName is what is the same in all clones of the reviewed repository; without commits it is the folder.
func (v *review) repositoryName(ctx context.Context) string {
	if v.repo == nil {
		return v.result.Folder
	}
	names, err := v.repo.Identity(ctx, func() bool { return false })
	if err != nil || len(names) == 0 {
		return v.result.Folder
	}
	return names[0]
}

// unrelated is the id under which memory keeps that a person called the pair of a finding unrelated.
func unrelated(id string) string { return "unrelated:" + id }

// leaveOutUnrelated drops the findings whose pair a person has called unrelated.
func (v *review) leaveOutUnrelated(ctx context.Context) {
	ids := v.found.Identify(func() string { return v.repositoryName(ctx) })
	v.intel.found.Add(ids)
	var marks []string
	for _, id := range ids {
		marks = append(marks, unrelated(id))
	}
	if len(marks) == 0 || v.intel.Store == nil {
		return
	}
	known, err := v.intel.Store.Activation(ctx, marks)
	if err != nil {
		v.note("memory was not asked which findings are not related: " + err.Error())
		return
	}
	v.result.Dismissed = v.found.LeaveOut(func(id string) bool { _, dismissed := known[unrelated(id)]; return dismissed })
	if n := len(v.result.Dismissed); n > 0 {
		v.note(wording.Count(n, "finding", "findings") + " left out that you called not related")
	}
}

// Dismiss keeps the pairs of findings from being found again; with undo they are found again. It fails with Invalid on what is
// no id of a finding, or of none that a review has found, and with Storage when memory can't keep it.
func (e *Intel) Dismiss(ctx context.Context, ids []string, undo bool) error {
	for _, id := range ids {
		if !findingID.MatchString(id) {
			return &fault.Error{
				Kind: fault.Invalid, Message: fmt.Sprintf("%.40q is no id of a finding", id), Detail: "ids",
				Remedy: "Take it from a review: aurora review --json. Secrets have none.",
			}
		}
	}
	if e.Store == nil {
		return &fault.Error{Kind: fault.Storage, Message: "there is no memory to keep it in"}
	}
	var marks []string
	for _, id := range ids {
		marks = append(marks, unrelated(id))
	}
	if undo {
		return e.takeBack(ctx, ids, marks)
	}
	if id := e.notFound(ctx, ids); id != "" {
		return &fault.Error{
			Kind: fault.Invalid, Message: "no review has found " + id, Detail: "ids",
			Remedy: "Review the change again, and take the id from there. Secrets have none.",
		}
	}
	if err := e.Store.Use(ctx, marks, memory.Rejected, 0); err != nil {
		return fault.OfStore(ctx, "keep what is not related", err)
	}
	return nil
}

// notFound is the first id of no finding. The reviews may have been those of an earlier process, so that what is not committed is
// reviewed again before an id is called unknown.
func (e *Intel) notFound(ctx context.Context, ids []string) string {
	for _, folder := range e.Index.Folders() {
		if e.found.Unknown(ids) == "" {
			break
		}
		if _, err := e.Review(ctx, ReviewRequest{Folder: folder}); err != nil {
			e.Log.Debug("review for an id that is not known", "folder", folder, "err", err) // no repository, most likely
		}
	}
	return e.found.Unknown(ids)
}

// takeBack has findings made again that a person has called unrelated; it fails with NotFound on others.
func (e *Intel) takeBack(ctx context.Context, ids, marks []string) error {
	known, err := e.Store.Activation(ctx, marks)
	if err != nil {
		return fault.OfStore(ctx, "read what is not related", err)
	}
	moves := map[string]string{}
	for i, id := range ids {
		if _, ok := known[marks[i]]; !ok {
			return &fault.Error{Kind: fault.NotFound, Message: "nobody has called " + id + " not related", Detail: id, Remedy: "aurora review --json lists those of the change as dismissed."}
		}
		moves[marks[i]] = "related:" + id
	}
	if err := e.Store.Rename(ctx, moves); err != nil {
		return fault.OfStore(ctx, "keep what is related", err)
	}
	return nil
}
