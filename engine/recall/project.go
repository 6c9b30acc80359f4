package recall

import (
	"cmp"
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/index/git"
	"github.com/aurora-sidecar/aurora/memory"
)

// identifyWithin is how long git may take to name a repository; one without a name is known by its folder.
const identifyWithin = 2 * time.Second

// projects knows the names of folders: of a repository those that all its copies share.
type projects struct {
	mu       sync.Mutex
	names    map[string][]string // by folder; what is not named yet is absent
	assigned []string            // the folders that earlier records were assigned for
	store    memory.RecordStore  // nil without a memory
}

// namesOf returns the names of the repository around a folder, none when it has none.
func (p *projects) namesOf(folder string) []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if names, ok := p.names[folder]; ok {
		return names
	}
	ctx, cancel := context.WithTimeout(context.Background(), identifyWithin)
	defer cancel()
	repo, err := git.Open(ctx, folder)
	if err != nil {
		return nil
	}
	names, err := repo.Identity(ctx, p.rooted)
	if ctx.Err() == nil && (err != nil || len(names) == 0) { // before the first commit, say
		return nil
	}
	if p.names == nil {
		p.names = map[string][]string{}
	}
	p.names[folder] = names
	return names
}

// rooted reports whether records are filed under a first commit, as those are that were made before a repository was published.
func (p *projects) rooted() bool {
	if p.store == nil {
		return false
	}
	counts, err := p.store.Workspaces(context.Background())
	for name := range counts {
		if strings.HasPrefix(name, git.FirstCommitName) {
			return true
		}
	}
	return err != nil
}

// Project is what the records of an open folder belong to: the name of its repository, else the folder itself.
func (e *Records) Project(folder string) string {
	if names := e.projects.namesOf(folder); len(names) > 0 {
		return names[0]
	}
	return folder
}

// isRepository reports whether a workspace is the name of a repository, which is the same on all machines.
func isRepository(workspace string) bool { return workspace != "" && !filepath.IsAbs(workspace) }

// Repositories returns the open folders that belong to a repository, by its name.
func Repositories(e *Records) map[string]string {
	folders := map[string]string{}
	for _, folder := range e.Index.Folders() {
		if name := e.Project(folder); isRepository(name) {
			folders[name] = folder
		}
	}
	return folders
}

// Scope returns the workspaces whose records may be shown: the open folders and the names of their repositories. It is
// empty when no folder is open, where every record is.
func (e *Records) Scope(ctx context.Context) []string {
	folders := e.Index.Folders()
	scope := slices.Clone(folders)
	for _, folder := range folders {
		scope = append(scope, e.projects.namesOf(folder)...)
	}
	if e.Store != nil {
		scope = append(scope, assignEarlier(ctx, e, folders)...)
	}
	return scope
}

// inScope reports whether a record with this workspace may be shown.
func inScope(workspace string, scope []string) bool {
	return workspace == "" || len(scope) == 0 || slices.Contains(scope, workspace)
}

// assignEarlier gives records that earlier versions filed under a folder to the repository in it, when one of the open
// folders holds the same one, and those filed under a first commit that the repository no longer has to the one it has now. It does so once for a set of open folders, and returns what could not be written.
func assignEarlier(ctx context.Context, e *Records, folders []string) (left []string) {
	e.projects.mu.Lock()
	done := slices.Equal(e.projects.assigned, folders)
	e.projects.mu.Unlock()
	if done {
		return nil
	}
	earlier, err := e.Store.Workspaces(ctx)
	if err != nil {
		return nil
	}
	abandoned := e.projects.abandoned(ctx, earlier, folders)
	for from := range earlier {
		to := cmp.Or(sameProject(e, from, folders), abandoned[from])
		if to == "" {
			continue
		}
		if _, err := e.Store.Assign(ctx, from, to); err != nil {
			e.Log.Warn("assign earlier records to their repository", "folder", from, "err", err)
			left = append(left, from)
		}
	}
	if len(left) == 0 && ctx.Err() == nil {
		e.projects.mu.Lock()
		e.projects.assigned = slices.Clone(folders)
		e.projects.mu.Unlock()
	}
	return left
}

// abandoned returns the names under which records are filed that repositories in the open folders had before their history was
// rewritten, each with the name that its repository has now.
func (p *projects) abandoned(ctx context.Context, filed map[string]int, open []string) map[string]string {
	former := map[string]string{}
	for _, folder := range open {
		names := p.namesOf(folder)
		foreign := func(name string) bool {
			return strings.HasPrefix(name, git.FirstCommitName) && !slices.Contains(names, name)
		}
		if len(names) == 0 || !slices.ContainsFunc(slices.Collect(maps.Keys(filed)), foreign) {
			continue
		}
		repo, err := git.Open(ctx, folder)
		if err != nil {
			continue
		}
		roots, err := git.AbandonedRoots(ctx, repo)
		if err != nil {
			continue // ctx ended
		}
		for _, root := range roots {
			if _, ok := filed[root]; ok && foreign(root) {
				former[root] = names[0]
			}
		}
	}
	return former
}

// sameProject returns the name of the repository that a folder holds, when one of the open folders holds it, too, else "".
func sameProject(e *Records, folder string, open []string) string {
	if !filepath.IsAbs(folder) {
		return ""
	}
	if _, err := os.Stat(folder); err != nil {
		return ""
	}
	names := e.projects.namesOf(folder)
	for _, other := range open {
		if named := e.projects.namesOf(other); len(names) > 0 && len(named) > 0 && named[0] == names[0] {
			return names[0]
		}
	}
	return ""
}

// placeCitations moves the citations of a hit into the open folder that holds its project, when they were made in another
// copy of it.
func placeCitations(e *Records, h *memory.Hit, folders []string) {
	for i := range h.Citations {
		c := &h.Citations[i]
		if slices.Contains(folders, c.Folder) {
			continue
		}
		for _, folder := range folders {
			if h.Workspace != "" && slices.Contains(e.projects.namesOf(folder), h.Workspace) {
				c.Folder = folder
				break
			}
		}
	}
}

// OpenProject is what a record belongs to that cites no code: the first open folder that is a project. A folder that is in no
// repository and holds no settings is none.
func OpenProject(e *Records) string {
	for _, folder := range e.Index.Folders() {
		if names := e.projects.namesOf(folder); len(names) > 0 {
			return names[0]
		}
		for _, mark := range []string{".git", ".aurora"} {
			if _, err := os.Lstat(filepath.Join(folder, mark)); err == nil {
				return folder
			}
		}
	}
	return ""
}

// Misplaced are the records of a folder that is gone, which no project shows.
type Misplaced struct {
	Folder  string
	Records int
}

// misplaced lists the folders that are no longer there and still have records, those with most of them first.
func misplaced(ctx context.Context, e *Records) ([]Misplaced, error) {
	scope := e.Scope(ctx)
	counts, err := e.Store.Workspaces(ctx)
	if err != nil {
		return nil, err
	}
	var list []Misplaced
	for name, count := range counts {
		if _, err := os.Stat(name); filepath.IsAbs(name) && err != nil && !slices.Contains(scope, name) {
			list = append(list, Misplaced{name, count})
		}
	}
	slices.SortFunc(list, func(a, b Misplaced) int {
		return cmp.Or(cmp.Compare(b.Records, a.Records), cmp.Compare(a.Folder, b.Folder))
	})
	return list, nil
}

// Assign gives the records of a folder that Audit lists as misplaced to the open project, and returns how many those were.
// It fails with Invalid when no project is open, and when the folder has no records or is there.
func (e *Records) Assign(ctx context.Context, folder string) (int, error) {
	to := OpenProject(e)
	if to == "" || e.Store == nil {
		return 0, &fault.Error{Kind: fault.Invalid, Message: "no project is open that could have the records", Detail: "assign", Remedy: "Open the folder of the project."}
	}
	misplaced, err := misplaced(ctx, e)
	if err != nil {
		return 0, fault.OfStore(ctx, "list projects", err)
	}
	if !slices.ContainsFunc(misplaced, func(m Misplaced) bool { return m.Folder == folder }) {
		return 0, &fault.Error{
			Kind: fault.Invalid, Message: folder + " has no records, or is still there", Detail: "assign", Remedy: "Name a folder that the audit lists.",
		}
	}
	count, err := e.Store.Assign(ctx, folder, to)
	if err != nil {
		return 0, fault.OfStore(ctx, "assign records", err)
	}
	return count, nil
}
