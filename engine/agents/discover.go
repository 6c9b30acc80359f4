package agents

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const (
	maxDepth = 3   // folders below a discovery path
	maxFiles = 500 // definitions' files below a discovery path
)

// A Path is a discovery path and what was found there.
type Path struct {
	Path    string `json:"path"`
	Origin  string `json:"origin"`
	Folder  string `json:"folder,omitempty"` // the workspace folder of a project's own
	Exists  bool   `json:"exists"`
	Agents  int    `json:"agents"`
	Trusted bool   `json:"trusted"` // nothing in its folder waits for the user's approval
}

// places are the discovery paths in their order, those below workspace folders once for each folder.
func (r *Registry) places(folders []string) []Path {
	var out []Path
	for _, path := range append(slices.Clone(r.opts.Paths), r.state.read().Added...) {
		rest, home := strings.CutPrefix(path, "~/")
		switch {
		case home && r.opts.UserHome == "":
		case home:
			out = append(out, Path{Path: filepath.Join(r.opts.UserHome, filepath.FromSlash(rest)), Origin: FromUser})
		case filepath.IsAbs(path):
			out = append(out, r.absolute(filepath.Clean(path), folders))
		default:
			for _, folder := range folders {
				out = append(out, Path{Path: filepath.Join(folder, filepath.FromSlash(path)), Origin: FromProject, Folder: folder})
			}
		}
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(out, func(p Path) bool { twice := seen[p.Path]; seen[p.Path] = true; return twice })
}

// absolute is a path that the user named. What lies in a workspace folder is the project's all the same.
func (r *Registry) absolute(path string, folders []string) Path {
	for _, folder := range folders {
		if inside(path, folder) {
			return Path{Path: path, Origin: FromProject, Folder: folder}
		}
	}
	return Path{Path: path, Origin: FromUser}
}

// inside reports whether a path is folder, or lies in it. Both are clean.
func inside(path, folder string) bool {
	return path == folder || strings.HasPrefix(path, strings.TrimSuffix(folder, string(filepath.Separator))+string(filepath.Separator))
}

// files lists what may hold definitions below a discovery path.
func files(p Path) ([]string, error) {
	real, err := filepath.EvalSymlinks(p.Path)
	if err != nil {
		return nil, err
	}
	if err := confine(p, real); err != nil {
		return nil, err
	}
	info, err := os.Stat(real)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return []string{p.Path}, nil
	}
	var found []string
	err = filepath.WalkDir(real, func(path string, entry fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(real, path) // both are absolute
		switch {
		case err != nil:
			return nil // what can't be read is left out
		case entry.IsDir() && (strings.Count(rel, string(filepath.Separator)) >= maxDepth || path != real && strings.HasPrefix(entry.Name(), ".")):
			return fs.SkipDir
		case entry.IsDir() || !isDefinition(entry.Name(), rel):
			return nil
		case len(found) == maxFiles:
			return fmt.Errorf("it holds more than %d files", maxFiles)
		}
		if target, err := filepath.EvalSymlinks(path); err == nil && confine(p, target) == nil {
			found = append(found, filepath.Join(p.Path, rel))
		}
		return nil
	})
	return found, err
}

// isDefinition reports whether a file may hold agents: Markdown anywhere, a registry at the top.
func isDefinition(name, rel string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".md", ".markdown":
		return true
	case ".json":
		return rel == "agents.json"
	}
	return false
}

// confine keeps what a project brings along inside of its folder.
func confine(p Path, real string) error {
	if p.Origin != FromProject {
		return nil
	}
	folder, err := filepath.EvalSymlinks(p.Folder)
	if err != nil {
		return err
	}
	if !inside(real, folder) {
		return fmt.Errorf("it leads out of the workspace folder, to %s", real)
	}
	return nil
}

// A parsed file is kept as long as it does not change.
type parsed struct {
	modified    time.Time
	size        int64
	at          time.Time
	definitions []Definition
	problems    []Problem
}

// fileDefinitions parses a file, unless it is as it was.
func (r *Registry) fileDefinitions(path string) ([]Definition, []Problem) {
	info, err := os.Stat(path)
	if err != nil {
		delete(r.files, path)
		return nil, []Problem{{File: path, Message: fmt.Sprintf("can't be read: %v", err)}}
	}
	old, ok := r.files[path]
	if !ok || !old.modified.Equal(info.ModTime()) || old.size != info.Size() {
		old = parsed{modified: info.ModTime(), size: info.Size(), at: r.opts.Now()}
		old.definitions, old.problems = parse(path)
		r.files[path] = old
	}
	definitions := slices.Clone(old.definitions)
	for i := range definitions {
		definitions[i].LastRefresh = old.at
	}
	return definitions, old.problems
}

// discover looks at every path. Of several agents with one id the first counts. What a project brings along is listed
// and not read by anybody else before it is approved; until then its ids are free for the user's own agents.
func (r *Registry) discover(folders []string) *Listing {
	l := &Listing{Agents: builtins(), Fallback: r.opts.Fallback, folders: folders}
	owner := map[string]string{}
	if r.opts.AutoDiscover {
		l.Paths = r.places(folders)
	}
	for i := range l.Paths {
		p := &l.Paths[i]
		list, err := files(*p)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		p.Exists = true
		if err != nil {
			l.Problems = append(l.Problems, Problem{File: p.Path, Message: "can't be searched: " + err.Error()})
		}
		for _, file := range list {
			definitions, problems := r.fileDefinitions(file)
			l.Problems = append(l.Problems, problems...)
			for _, d := range definitions {
				if other, taken := owner[d.ID]; taken {
					l.Problems = append(l.Problems, Problem{File: file, Agent: d.ID, Message: "ignored: " + other + " has an agent of this id, too", Warning: true})
					continue
				}
				p.Agents++
				d.Origin, d.Folder = p.Origin, p.Folder
				if r.approves(&d) {
					owner[d.ID] = file
				}
				l.Agents = append(l.Agents, d)
			}
		}
	}
	return l
}
