package codeintel

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

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

// identify gives findings their ids: those of the two things that a review holds against each other, whatever their lines and
// wherever the repository is cloned. It returns the ids as marks.
func (v *review) identify(ctx context.Context) (marks []string) {
	repository := ""
	for i, pair := range v.pairs {
		if pair == nil {
			continue
		}
		if repository == "" {
			repository = v.repositoryName(ctx)
		}
		f := &v.result.Findings[i]
		sum := sha256.Sum256([]byte(strings.Join(append([]string{repository, f.Rule}, pair...), "\x00")))
		f.ID = "f-" + hex.EncodeToString(sum[:8])
		marks = append(marks, unrelated(f.ID))
	}
	return marks
}

// leaveOutUnrelated drops the findings whose pair a person has called unrelated.
func (v *review) leaveOutUnrelated(ctx context.Context) {
	marks := v.identify(ctx)
	if len(marks) == 0 || v.intel.Store == nil {
		return
	}
	known, err := v.intel.Store.Activation(ctx, marks)
	if err != nil {
		v.note("memory was not asked which findings are not related: " + err.Error())
		return
	}
	kept := v.result.Findings[:0]
	for _, f := range v.result.Findings {
		if _, dismissed := known[unrelated(f.ID)]; !dismissed || f.ID == "" {
			kept = append(kept, f)
		}
	}
	if n := len(v.result.Findings) - len(kept); n > 0 {
		v.note(wording.Count(n, "finding", "findings") + " left out that you called not related")
	}
	v.result.Findings = kept
}

// Dismiss keeps the pairs of findings from being found again; with undo they are found again. It fails with Invalid on what is
// no id of a finding, and with Storage when memory can't keep it.
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
	marks, moves := []string{}, map[string]string{}
	for _, id := range ids {
		marks = append(marks, unrelated(id))
		moves[unrelated(id)] = "related:" + id
	}
	var err error
	if undo {
		err = e.Store.Rename(ctx, moves)
	} else {
		err = e.Store.Use(ctx, marks, memory.Rejected, 0)
	}
	if err != nil {
		return fault.OfStore(ctx, "keep what is not related", err)
	}
	return nil
}
