package search

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/index"
)

// allProjects, as the name of a project, asks for all of them.
const allProjects = "*"

// confine narrows the search to projects: those that were asked for, else the one that the person is in. Where there
// are none it does nothing.
func (s *search) confine() error {
	known := s.searcher.index.Projects()
	asked := append(slices.Clone(s.query.Projects), s.request.Scope.Projects...)
	switch {
	case slices.Contains(asked, allProjects), len(known) == 0 && len(asked) == 0:
		return nil
	case len(asked) > 0:
		for _, name := range asked {
			if !slices.Contains(known, name) {
				return unknownProject(name, known)
			}
		}
		s.filter.projects = asked
	case s.request.From == "":
		return nil
	default:
		name := s.searcher.index.Project(s.request.From)
		if name == "" {
			s.note(fmt.Sprintf("all projects were searched; project:%s confines a search to one", strings.Join(known, " or project:")))
			return nil
		}
		s.filter.projects = []string{name}
		s.note(fmt.Sprintf("only project %s was searched; project:* searches all", name))
	}
	s.filter.projectOf = s.searcher.index.ProjectOf()
	return nil
}

func unknownProject(name string, known []string) error {
	if len(known) == 0 {
		return &fault.Error{Kind: fault.Invalid, Message: fmt.Sprintf("there is no project '%s': none is configured", name), Detail: "scope.projects",
			Remedy: "Name projects in the setting index.projects."}
	}
	return &fault.Error{Kind: fault.Invalid, Message: fmt.Sprintf("there is no project '%s'. Projects: %s", name, strings.Join(known, ", ")), Detail: "scope.projects",
		Remedy: "Use one of them, or * for all."}
}

// acceptProject decides by the project that a file belongs to.
func (f *filter) acceptProject(file *index.File) bool {
	return len(f.projects) == 0 || slices.Contains(f.projects, f.projectOf(file))
}
