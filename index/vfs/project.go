package vfs

import (
	"maps"
	"slices"
)

// A project is a Project as it lies in one folder.
type project struct {
	name   string
	paths  []string // relative to the folder
	ignore []pattern
}

// addProjects reads the projects. Their watch paths widen those of the folder.
func (f *Filter) addProjects(folder Folder) {
	for _, name := range slices.Sorted(maps.Keys(f.options.Projects)) {
		o := f.options.Projects[name]
		p := project{name: name, ignore: settingsPatterns(o.Ignore, true)}
		for _, given := range o.WatchPaths {
			if rel, problem := watchPath(folder, given); problem == "" {
				p.paths = append(p.paths, rel)
			}
		}
		f.projects = append(f.projects, p)
		if !f.scope.auto {
			f.scope.paths = append(f.scope.paths, p.paths...)
			slices.Sort(f.scope.paths)
			f.scope.paths = slices.Compact(f.scope.paths)
			if len(p.paths) > 0 {
				f.scope.err = nil
			}
		}
	}
}

// projectOf returns the project that rel belongs to, the one with the longest watch path of several; nil for none.
func projectOf(projects []project, rel string) *project {
	var best *project
	longest := -1
	for i := range projects {
		for _, path := range projects[i].paths {
			if inScope(path, rel) && len(path) > longest {
				best, longest = &projects[i], len(path)
			}
		}
	}
	return best
}

// Project returns the name of the project that the file at rel belongs to, "" when it belongs to none.
func (f *Filter) Project(rel string) string {
	if p := projectOf(f.projects, rel); p != nil {
		return p.name
	}
	return ""
}
