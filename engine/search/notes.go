package search

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/search/rank"
	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/index"
)

// noEmbedder says once a result why its mode is keyword.
const noEmbedder = "keyword only: search.semantic is off"

// explain adds the notes that say what is missing from the result and why.
func (s *search) explain() {
	if s.empty() {
		s.note("the query is empty: type words, an identifier, or a filter such as type:function")
		return
	}
	switch {
	case len(s.hits) == 0:
		s.explainEmpty()
	case s.misspelled():
		s.noteNear("no name is exactly this; near names: ")
	}
	if s.gone > 0 {
		s.note(fmt.Sprintf("%s left out: the text is no longer there", wording.Count(s.gone, "match", "matches")))
	}
	if s.duplicates > 0 {
		s.note(fmt.Sprintf("%s left out", wording.Count(s.duplicates, "identical copy", "identical copies")))
	}
	s.note(leftOut(s))
	for _, n := range codebase.IndexNotes(s.searcher.index, s.snap) {
		s.note(n)
	}
	if s.top != nil && s.top.Record == nil && s.meaning && !slices.ContainsFunc(s.candidates, func(c *rank.Candidate) bool { return len(c.Matched) > 0 }) {
		s.note("No keyword matches found, falling back to semantic search")
	}
	if s.snap.Embedder() == "" && !s.searcher.vectors.HasEndpoint() {
		s.note(noEmbedder)
	}
}

// leftOut says how many records are missing that others have superseded, "" for none.
func leftOut(s *search) string {
	if len(s.superseded) == 0 {
		return ""
	}
	return wording.Count(len(s.superseded), "superseded record", "superseded records") + " left out"
}

// explainEmpty says why there are no hits and what is near.
func (s *search) explainEmpty() {
	files, _ := s.snap.Counts()
	if files > 0 && s.filter.wantsCode() {
		for _, f := range s.searcher.index.Status().Folders {
			if f.Refused != "" {
				s.note(fmt.Sprintf("%s is not indexed: %s", f.Path, f.Refused))
			}
		}
	}
	switch {
	case files == 0 && s.filter.wantsCode():
		s.note(s.searcher.whyNothingIndexed())
		return
	case len(s.query.Phrases) > 0:
		s.note(fmt.Sprintf("no text holds the exact phrase %q; leave the quotes out to search for its words",
			wording.CutBytes(s.query.Phrases[0], 80)))
	case s.abstained != nil:
		s.note(s.ranking.WhyImplausible(s.abstained))
	case s.request.MinScore > 0 && len(s.candidates) > 0:
		s.note(fmt.Sprintf("%s below minScore %g", wording.Count(len(s.candidates), "match is", "matches are"), s.request.MinScore))
	case s.query.FiltersOnly():
		s.note("nothing passes the filters")
	default:
		s.note(fmt.Sprintf("nothing matches %q%s", wording.CutBytes(wording.OneLine(s.query.Words), 80), s.filter.inWords()))
	}
	s.noteNear("near names: ")
}

// misspelled reports whether one name was asked for and the best hit has only a part of it.
func (s *search) misspelled() bool {
	return s.top != nil && s.top.Tier == rank.ByText && s.top.Coverage < 1 && len(strings.Fields(s.query.Words)) == 1
}

func (s *search) noteNear(intro string) {
	if near := s.nearNames(); len(near) > 0 {
		s.note(intro + strings.Join(near, ", "))
	}
}

// nearNames are names of the workspace close to the words of the query.
func (s *search) nearNames() []string {
	var near []string
	terms := strings.Fields(s.query.Words)
	for _, word := range terms[:min(4, len(terms))] {
		if len(terms) > 2 && !strings.ContainsAny(word, "_.") && !codebase.HasInnerCapital(word) {
			continue // a word of a sentence is no name with a typing error
		}
		for _, name := range codebase.NameForms(word) {
			near = append(near, slices.DeleteFunc(s.snap.Suggest(name, 3), func(name string) bool { return strings.ContainsAny(name, " \t") })...)
		}
	}
	near = slices.DeleteFunc(near, func(name string) bool { return strings.Contains(name, " ") }) // titles of tests and headings
	return wording.Unique(near[:min(5, len(near))])
}

// inWords names the effective filters.
func (f *filter) inWords() string {
	var parts []string
	if len(f.types) > 0 {
		parts = append(parts, "type "+strings.Join(f.types, " or "))
	}
	if len(f.languages) > 0 {
		parts = append(parts, "language "+strings.Join(f.languages, " or "))
	}
	if f.narrowsPath() {
		parts = append(parts, "the given paths")
	}
	if len(f.projects) > 0 {
		parts = append(parts, "project "+strings.Join(f.projects, " or "))
	}
	if len(f.tags) > 0 {
		parts = append(parts, "tag "+strings.Join(f.tags, " and "))
	}
	if len(parts) == 0 {
		return ""
	}
	return " with " + strings.Join(parts, " and ")
}

// whyNothingIndexed says why there is no file to search.
func (e *Searcher) whyNothingIndexed() string {
	st := e.index.Status()
	for _, f := range st.Folders {
		if f.Refused != "" {
			return fmt.Sprintf("%s is not indexed: %s", f.Path, f.Refused)
		}
	}
	switch {
	case len(st.Folders) == 0:
		return "no workspace folder is open, so there is nothing to search"
	case st.State == index.Starting || st.State == index.Indexing:
		return "no file is indexed yet"
	}
	return "the workspace has no file that can be indexed"
}
