package capture

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/index/git"
	"github.com/aurora-sidecar/aurora/memory"
)

const (
	momentAgo     = 10 * time.Minute // how old a commit may be that is offered unasked
	betweenOffers = time.Hour        // that nobody has asked for, over all editors of one process
)

// unasked is what the commit of a moment ago says of a decision, or what a merge of a moment ago brought: at most one offer, of
// a commit of the person's own, at most one in an hour, and none where the person wants none.
func (f *Finder) unasked(ctx context.Context, repo *git.Repo, folder string) (*Found, error) {
	found := &Found{}
	newest, err := git.Messages(ctx, repo, "", "", 1)
	if err != nil || f.Store == nil || len(newest) == 0 || !f.isTime(newest[0].Time) {
		return found, err
	}
	email, err := git.Email(ctx, repo)
	if err != nil || email == "" {
		return found, err
	}
	never, err := f.answered(ctx, neverMark(ctx, repo, folder))
	if err != nil || never {
		return found, err
	}
	brought := newest
	if len(newest[0].Parents) > 1 {
		if brought, err = git.Messages(ctx, repo, "", newest[0].Parents[0], usualCommits); err != nil {
			return found, err
		}
	}
	if brought, err = f.ofPerson(ctx, repo, Request{}, brought, found); err != nil {
		return found, err
	}
	if err := f.collect(ctx, repo, folder, brought, 1, found); err != nil {
		return found, err
	}
	if len(found.Offers) > 0 && !f.take() {
		found.Offers = nil // another editor was first
	}
	return found, nil
}

// isTime reports whether a commit is new and the last offer is not.
func (f *Finder) isTime(committed time.Time) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.Now()
	return now.Sub(committed).Abs() < momentAgo && now.Sub(f.offered).Abs() >= betweenOffers
}

// take makes the offer of this hour, where it was not made yet.
func (f *Finder) take() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.Now()
	if now.Sub(f.offered).Abs() < betweenOffers {
		return false
	}
	f.offered = now
	return true
}

// Never keeps what commits of a repository say from being offered unasked.
func (f *Finder) Never(ctx context.Context, name string) error {
	folder, repo, err := f.open(ctx, name)
	if err != nil {
		return err
	}
	return f.answer(ctx, neverMark(ctx, repo, folder), memory.Rejected)
}

// neverMark is the id under which memory keeps that nothing of a repository is offered unasked. Without a first commit it is the
// folder's.
func neverMark(ctx context.Context, repo *git.Repo, folder string) string {
	names, err := repo.Identity(ctx, func() bool { return false })
	if err != nil || len(names) == 0 {
		names = []string{"folder:" + folder}
	}
	name, _, _ := strings.Cut(names[0], "#") // all folders of a repository
	sum := sha256.Sum256([]byte(name))
	return "offers:" + hex.EncodeToString(sum[:12])
}
