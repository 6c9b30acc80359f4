package git

import (
	"bytes"
	"context"
	"errors"
	"net/url"
	"strconv"
	"strings"
)

// FirstCommitName begins the names of repositories that are their first commits.
const FirstCommitName = "root:"

// Identity returns the names that the repository around the folder has wherever it is checked out, the most telling one
// first: its published address, when it has one, and its first commit. A folder below the root has names of its own. There
// are none before the first commit of a repository that is not published. Of a long history the first commit takes seconds: of
// a published repository it is looked for only where rooted reports true, and only the address comes when ctx ends meanwhile.
func (r *Repo) Identity(ctx context.Context, rooted func() bool) ([]string, error) {
	place := ""
	if r.prefix != "" {
		place = "#" + strings.TrimSuffix(r.prefix, "/")
	}
	var names []string
	address, err := originAddress(ctx, r)
	if err != nil {
		return nil, err
	}
	if host, path := splitAddress(address); host != "" && path != "" {
		names = append(names, "repo:"+strings.ToLower(host+"/"+path)+place)
		if !rooted() {
			return names, nil
		}
	}
	first, err := firstCommit(ctx, r)
	if err != nil && len(names) == 0 {
		return nil, err
	}
	if first != "" {
		names = append(names, FirstCommitName+first+place)
	}
	return names, nil
}

// firstCommit is the oldest commit without a parent that HEAD comes from, "" when there is none.
func firstCommit(ctx context.Context, r *Repo) (string, error) {
	out, err := r.run(ctx, nil, "rev-list", "--max-parents=0", "HEAD")
	if err != nil {
		return "", ignoreRefusal(ctx, err)
	}
	roots := strings.Fields(string(out))
	if len(roots) == 0 {
		return "", nil
	}
	return roots[len(roots)-1], nil
}

// maxAbandoned bounds the entries of HEAD's log that AbandonedRoots looks at.
const maxAbandoned = 1000

// AbandonedRoots returns the names, as Identity writes them, of first commits that were checked out here and that nothing leads to
// any more: the one that was amended, those of a history that was rewritten. Git forgets them after some weeks.
func AbandonedRoots(ctx context.Context, r *Repo) ([]string, error) {
	logged, err := r.run(ctx, nil, "log", "-g", "--no-show-signature", "--format=%H", "-n", strconv.Itoa(maxAbandoned), "HEAD", "--")
	if err != nil {
		return nil, ignoreRefusal(ctx, err)
	}
	out, err := r.run(ctx, bytes.NewReader(logged), "rev-list", "--max-parents=0", "--ignore-missing", "--stdin", "--not", "HEAD", "--all")
	if err != nil {
		return nil, ignoreRefusal(ctx, err)
	}
	names := strings.Fields(string(out))
	for i := range names {
		names[i] = FirstCommitName + names[i]
		if r.prefix != "" {
			names[i] += "#" + strings.TrimSuffix(r.prefix, "/")
		}
	}
	return names, nil
}

// ignoreRefusal returns nil for a command to which git had no answer.
func ignoreRefusal(ctx context.Context, err error) error {
	var failed *CommandError
	if errors.As(err, &failed) && ctx.Err() == nil {
		return nil
	}
	return err
}

// splitAddress returns the host and the path of a remote's address, both "" for a folder. Names, passwords and the ending
// .git are dropped.
func splitAddress(address string) (host, path string) {
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		host, path = u.Hostname(), u.Path
	} else if m := shortAddress.FindStringSubmatch(address); m != nil {
		host, path = m[1], m[2]
	}
	return host, strings.Trim(strings.TrimSuffix(strings.TrimSuffix(path, "/"), ".git"), "/")
}
