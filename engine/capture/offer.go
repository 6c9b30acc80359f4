package capture

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/engine/recall"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/git"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
	"github.com/aurora-sidecar/aurora/internal/scrub"
	"github.com/aurora-sidecar/aurora/memory"
)

const (
	usualCommits = 100  // that are looked at
	maxCommits   = 1000 // that are looked at since a revision
	usualOffers  = 10
	maxOffers    = 100
	maxPatch     = 4 << 20 // bytes of a commit's patch that is read
)

// A Request asks for offers.
type Request struct {
	Folder   string // absolute; "" means the first workspace folder
	Since    string // a revision; only commits after it are looked at. "" means the newest usualCommits
	Limit    int    // of offers; 0 means usualOffers, at most maxOffers
	Everyone bool   // commits of other people, too
	Unasked  bool   // nobody has asked: only what a commit of a moment ago says; see unasked
	Comments bool   // what marked comments of the code say, in place of commits; Since and Everyone say nothing then
}

// A Found is what a request finds.
type Found struct {
	Offers  []Offer  // newest first
	Commits int      // that were looked at
	Files   int      // the same, of those with code, for comments
	Notes   []string // what was not looked at, and why
}

// An Offer is something that a commit or a comment says and that memory could keep.
type Offer struct {
	Commit  string // full hash; "" for a comment
	Comment string // place of a comment, "path:line" below its folder; "" for a commit
	Author  string // of a commit
	Time    time.Time
	Text    string
	Places  []Place // definitions that the commit changed and that are there now, at most maxPlaces; that around a comment

	folder string
	line   codebase.Selection // of a comment
}

// Options wires a Finder.
type Options struct {
	Index   *index.Index
	Records *recall.Records
	Store   judgements // nil without a memory
	Repos   repositories
	Now     func() time.Time
}

// judgements keep what was accepted and dismissed.
type judgements interface {
	Use(ctx context.Context, ids []string, what memory.Use, value float64) error
	Activation(ctx context.Context, ids []string) (map[string]float64, error)
}

// repositories opens the repository around a folder.
type repositories interface {
	Repo(ctx context.Context, folder string) (*git.Repo, error)
}

// A Finder finds offers, and keeps those that a person accepts. It may be used from several goroutines.
type Finder struct {
	Options

	mu      sync.Mutex
	offered time.Time // when an offer was last made that nobody had asked for
}

// New returns a Finder, and starts nothing.
func New(o Options) *Finder { return &Finder{Options: o} }

// Offers lists what commits of the present branch, or comments of the code, say of decisions, without what was accepted or dismissed
// before. It fails with Invalid for a folder that is not open, for commits without a repository and for a revision that there is not,
// and with Storage when memory does.
func (f *Finder) Offers(ctx context.Context, r Request) (*Found, error) {
	limit := min(cmp.Or(max(r.Limit, 0), usualOffers), maxOffers)
	if r.Comments {
		folder, err := f.folder(r.Folder)
		if err != nil {
			return nil, err
		}
		return f.comments(ctx, folder, limit)
	}
	folder, repo, err := f.open(ctx, r.Folder)
	if err != nil {
		return nil, err
	}
	if r.Unasked {
		return f.unasked(ctx, repo, folder)
	}
	messages, err := messagesOf(ctx, repo, r)
	if err != nil {
		return nil, err
	}
	found := &Found{}
	messages, err = f.ofPerson(ctx, repo, r, messages, found)
	if err != nil {
		return nil, err
	}
	return found, f.collect(ctx, repo, folder, messages, limit, found)
}

// collect adds what commits offer to what was found, until that are as many as the limit.
func (f *Finder) collect(ctx context.Context, repo *git.Repo, folder string, messages []git.Message, limit int, found *Found) error {
	for _, m := range messages {
		if len(found.Offers) == limit {
			break
		}
		found.Commits++
		offer, ok, err := f.offer(ctx, repo, folder, m)
		var failed *git.CommandError
		switch {
		case errors.As(err, &failed) && ctx.Err() == nil: // a partial clone lacks what it changed
			found.Notes = append(found.Notes, fmt.Sprintf("git can't tell what commit %.12s changed", m.Hash))
		case err != nil:
			return err
		case ok:
			found.Offers = append(found.Offers, offer)
		}
	}
	return nil
}

// folder is the workspace folder that a request names.
func (f *Finder) folder(named string) (string, error) {
	folders := f.Index.Folders()
	if named == "" && len(folders) > 0 {
		named = folders[0]
	}
	if !slices.Contains(folders, named) {
		return "", codebase.NotIndexed(f.Index, named)
	}
	return named, nil
}

// open finds the folder and its repository.
func (f *Finder) open(ctx context.Context, named string) (string, *git.Repo, error) {
	folder, err := f.folder(named)
	if err != nil {
		return "", nil, err
	}
	repo, err := f.Repos.Repo(ctx, folder)
	if err != nil {
		if ctx.Err() != nil {
			return "", nil, err
		}
		return "", nil, &fault.Error{
			Kind: fault.Invalid, Message: "there are no commits to look at: " + err.Error(), Detail: "folder", Remedy: "Use aurora remember.",
		}
	}
	return folder, repo, nil
}

// messagesOf are the commits that a request is about.
func messagesOf(ctx context.Context, repo *git.Repo, r Request) ([]git.Message, error) {
	if r.Since == "" {
		return git.Messages(ctx, repo, "", "", usualCommits)
	}
	since, err := resolve(ctx, repo, r.Since, "since")
	if err != nil {
		return nil, err
	}
	return git.Messages(ctx, repo, "", since, maxCommits)
}

// resolve is the full hash of a commit that a person names.
func resolve(ctx context.Context, repo *git.Repo, name, field string) (string, error) {
	revision, err := repo.Resolve(ctx, name)
	if errors.Is(err, git.ErrNoRevision) {
		return "", &fault.Error{Kind: fault.Invalid, Message: err.Error(), Detail: field, Remedy: "Name a commit, a tag or a branch, such as HEAD~20."}
	}
	return revision.Commit, err
}

// ofPerson leaves out the commits of others, where the request does not want them and git knows who the person is.
func (f *Finder) ofPerson(ctx context.Context, repo *git.Repo, r Request, messages []git.Message, found *Found) ([]git.Message, error) {
	if repo.Shallow() {
		found.Notes = append(found.Notes, "this is a shallow clone: where its history ends, nothing is offered")
	}
	if r.Everyone {
		return messages, nil
	}
	email, err := git.Email(ctx, repo)
	if err != nil {
		return nil, err
	}
	if email == "" {
		found.Notes = append(found.Notes, "git does not know your address (user.email), so the commits of everyone were looked at")
		return messages, nil
	}
	return slices.DeleteFunc(messages, func(m git.Message) bool { return !strings.EqualFold(m.Email, email) }), nil
}

// robot is the author of commits that no person wrote.
var robot = lazyregexp.New(`(?i)\[bot\]|\bbot\b|dependabot|renovate|greenkeeper|github-actions`)

// offer is what a commit has to offer; ok is false when that is nothing, or was answered before.
func (f *Finder) offer(ctx context.Context, repo *git.Repo, folder string, m git.Message) (o Offer, ok bool, err error) {
	if robot.MatchString(m.Author) || len(m.Parents) == 0 && repo.Shallow() {
		return o, false, nil
	}
	statement, comment, files, err := find(ctx, repo, m)
	if err != nil || statement == "" {
		return o, false, err
	}
	statement, _ = scrub.Text(statement) // once more: what was joined may be one
	o = Offer{Commit: m.Hash, Author: m.Author, Time: m.Time, Text: statement, folder: folder}
	if known, err := f.answered(ctx, o.mark()); known || err != nil {
		return o, false, err
	}
	o.Places, err = f.places(ctx, repo, folder, m, files, comment)
	return o, err == nil, err
}

// Find is what a commit says of a decision, "" for nothing: in its message, else in a comment that it added. Commits that
// change no code have nothing.
func Find(ctx context.Context, repo *git.Repo, m git.Message) (string, error) {
	statement, _, _, err := find(ctx, repo, m)
	return statement, err
}

func find(ctx context.Context, repo *git.Repo, m git.Message) (statement string, at comment, files []git.FileDiff, err error) {
	patch, err := git.Patch(ctx, repo, m.Hash)
	if err != nil || len(patch) > maxPatch {
		return "", at, nil, err
	}
	files, err = git.ParseDiff(patch)
	if err != nil || !slices.ContainsFunc(files, isCodeFile) {
		return "", at, nil, ctx.Err() // a patch that can't be read has no code
	}
	if statement, ok := Statement(m.Text); ok {
		return statement, at, files, nil
	}
	subject, _ := split(m.Text)
	if at, ok := markedComment(files); ok && subject != "" {
		statement, _ = compose(subject, []string{at.text})
		return statement, at, files, nil
	}
	return "", at, nil, nil
}

// mark is the id under which memory keeps that an offer was answered. It is that of its text, which stays when a commit is
// amended, rebased or picked.
func (o *Offer) mark() string {
	sum := sha256.Sum256([]byte(o.Text))
	return "offer:" + hex.EncodeToString(sum[:12])
}

// answered reports whether a person accepted or dismissed what has a mark.
func (f *Finder) answered(ctx context.Context, mark string) (bool, error) {
	if f.Store == nil {
		return false, nil
	}
	used, err := f.Store.Activation(ctx, []string{mark})
	if err != nil {
		return false, fault.OfStore(ctx, "look for offers", err)
	}
	return len(used) > 0, nil
}

// Accept remembers what a commit offers, or the comment at "path:line", with the code that it is about and the commit or the comment
// as its source; created is false when memory had it. It fails as Remember does, and with Invalid when there is nothing to offer.
func (f *Finder) Accept(ctx context.Context, folder, commit string) (id string, created bool, err error) {
	o, err := f.named(ctx, folder, commit)
	if err != nil {
		return "", false, err
	}
	request := recall.RememberRequest{Content: o.Text, SourceRef: "commit " + o.Commit, Tags: []string{"decision"}}
	if o.Comment != "" {
		request.SourceRef, request.Select = o.Comment, &o.line
	}
	for i, p := range o.Places {
		if i == 0 {
			request.Select = &p.at
			continue
		}
		request.Also = append(request.Also, p.at)
	}
	if id, created, err = f.Records.Remember(ctx, request); err != nil {
		return "", false, err
	}
	return id, created, f.answer(ctx, o.mark(), memory.Accepted)
}

// Dismiss keeps what a commit offers, or the comment at "path:line", from being offered again. It fails with Invalid when there is
// nothing to offer.
func (f *Finder) Dismiss(ctx context.Context, folder, commit string) error {
	o, err := f.named(ctx, folder, commit)
	if err != nil {
		return err
	}
	return f.answer(ctx, o.mark(), memory.Rejected)
}

// named is the offer of a commit or a comment that a person names.
func (f *Finder) named(ctx context.Context, name, commit string) (o Offer, err error) {
	if _, line := splitPlace(commit); line > 0 {
		folder, err := f.folder(name)
		if err != nil {
			return o, err
		}
		return f.namedComment(ctx, folder, commit)
	}
	folder, repo, err := f.open(ctx, name)
	if err != nil {
		return o, err
	}
	hash, err := resolve(ctx, repo, commit, "commit")
	if err != nil {
		return o, err
	}
	messages, err := git.Messages(ctx, repo, hash, "", 1)
	if err != nil {
		return o, err
	}
	o, ok := Offer{}, false
	if len(messages) == 1 {
		o, ok, err = f.offer(ctx, repo, folder, messages[0])
	}
	if err == nil && !ok {
		err = &fault.Error{
			Kind: fault.Invalid, Message: fmt.Sprintf("commit %.12s has nothing to offer, or was answered before", hash), Detail: "commit",
			Remedy: "See what is offered: aurora remember --commits",
		}
	}
	return o, err
}

func (f *Finder) answer(ctx context.Context, mark string, what memory.Use) error {
	if f.Store == nil {
		return &fault.Error{Kind: fault.Storage, Message: "there is no memory to remember in"}
	}
	if err := f.Store.Use(ctx, []string{mark}, what, 0); err != nil {
		return fault.OfStore(ctx, "keep the answer to an offer", err)
	}
	return nil
}
