package git

import (
	"context"
	"net/url"
	"path/filepath"

	"slices"
	"strings"
	"sync"

	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// A Remote is where a repository is published, for links into its pages. The zero Remote has no pages.
type Remote struct {
	Base string // "https://github.com/owner/name"; "" when the form of its pages is not known
	form *pageForm
}

// A pageForm is how a kind of forge writes the addresses of its pages below Base.
type pageForm struct {
	commit, change, issue string
}

var (
	githubForm    = &pageForm{"/commit/", "/pull/", "/issues/"}
	gitlabForm    = &pageForm{"/-/commit/", "/-/merge_requests/", "/-/issues/"}
	giteaForm     = &pageForm{"/commit/", "/pulls/", "/issues/"}
	bitbucketForm = &pageForm{"/commits/", "/pull-requests/", "/issues/"}
)

// forges tells the kind of a forge by a word of its host.
var forges = []struct {
	word string
	form *pageForm
}{
	{"github", githubForm}, {"gitlab", gitlabForm}, {"bitbucket", bitbucketForm},
	{"gitea", giteaForm}, {"forgejo", giteaForm}, {"codeberg", giteaForm},
}

// Origin returns where the repository is published: the remote called origin, else the first one. It reads the
// repository's settings and reaches no network.
func (r *Repo) Origin(ctx context.Context) Remote {
	stamp := stampOf(filepath.Join(r.common, "config"))
	r.origin.Lock()
	defer r.origin.Unlock()
	if r.origin.stamp == stamp {
		return r.origin.remote
	}
	remote := readOrigin(ctx, r)
	if ctx.Err() == nil {
		r.origin.remote, r.origin.stamp = remote, stamp
	}
	return remote
}

// An originCache keeps what the repository's settings said when they had this stamp.
type originCache struct {
	sync.Mutex
	remote Remote
	stamp  fileStamp
}

func readOrigin(ctx context.Context, r *Repo) Remote {
	address, err := originAddress(ctx, r)
	if err != nil {
		return Remote{}
	}
	return ParseRemote(address)
}

// originAddress is the address of the remote called origin, else of the first one, "" when there is none.
func originAddress(ctx context.Context, r *Repo) (string, error) {
	out, err := r.run(ctx, nil, "config", "--get-regexp", `^remote\..*\.url$`)
	if err != nil {
		return "", ignoreRefusal(ctx, err) // git exits with 1 when there is none
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	slices.SortStableFunc(lines, func(a, b string) int {
		return int(flagOf(!strings.HasPrefix(a, "remote.origin.url "))) - int(flagOf(!strings.HasPrefix(b, "remote.origin.url ")))
	})
	_, address, _ := strings.Cut(lines[0], " ")
	return address, nil
}

func flagOf(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// shortAddress matches the form user@host:path of a remote.
var shortAddress = lazyregexp.New(`^(?:[\w.-]+@)?([\w.-]+):([^/].*)$`)

// ParseRemote reads the address of a remote. Names and passwords in it are dropped.
func ParseRemote(address string) Remote {
	host, path := splitAddress(address)
	if host == "" || path == "" {
		return Remote{}
	}
	for _, f := range forges {
		if strings.Contains(strings.ToLower(host), f.word) {
			return Remote{Base: (&url.URL{Scheme: "https", Host: host, Path: "/" + path}).String(), form: f.form}
		}
	}
	return Remote{}
}

// Commit returns the address of a commit's page, "" when the form of the pages is not known.
func (r Remote) Commit(hash string) string {
	if r.form == nil {
		return ""
	}
	return r.Base + r.form.commit + hash
}

// A Reference is an issue or a pull request that a commit's message names.
type Reference struct {
	Text string // "#123", "!45"
	URL  string // "" when the form of the remote's pages is not known
}

var (
	referenceWord = lazyregexp.New(`(?:^|[\s(\[,:])([#!])(\d{1,7})\b`)
	mergedWord    = lazyregexp.New(`(?i)^merge pull request #(\d+)|\(pull request #(\d+)\)|see merge request \S*!(\d+)|\(#(\d+)\)\s*$`)
)

// References lists what a commit's subject and body name, changes first, each once.
func (r Remote) References(subject, body string) []Reference {
	changes := map[string]bool{}
	for _, line := range append([]string{subject}, strings.Split(body, "\n")...) {
		for _, m := range mergedWord.FindAllStringSubmatch(line, -1) {
			changes[strings.Join(m[1:], "")] = true
		}
	}
	var list []Reference
	for _, m := range referenceWord.FindAllStringSubmatch(subject+"\n"+body, -1) {
		ref := Reference{Text: m[1] + m[2]}
		if r.form != nil {
			page := r.form.issue
			if m[1] == "!" || changes[m[2]] {
				page = r.form.change
			}
			ref.URL = r.Base + page + m[2]
		}
		if !slices.Contains(list, ref) {
			list = append(list, ref)
		}
	}
	slices.SortStableFunc(list, func(a, b Reference) int {
		return int(flagOf(!changes[a.Text[1:]])) - int(flagOf(!changes[b.Text[1:]]))
	})
	return list
}
