package vfs

import "strings"

// FilterOptions adjust which files are indexed. The zero value is the default. They are plain data, so that they can be
// stored and compared.
type FilterOptions struct {
	// WatchPaths are what is looked into: relative to the folder, or absolute inside of it. None, or Auto alone, is
	// everything but hidden folders in which git tracks nothing.
	WatchPaths []string `json:",omitempty"`
	// Ignore are further patterns in gitignore syntax, whatever the case of letters.
	Ignore          []string           `json:",omitempty"`
	NoGitignore     bool               `json:",omitempty"` // do not ask git, nor read .gitignore
	Extensions      []string           `json:",omitempty"` // only these (".go"), unless empty
	BlockExtensions []string           `json:",omitempty"` // never these
	MaxSize         int64              `json:",omitempty"` // bytes; 0 means DefaultMaxSize
	SizeExceptions  []string           `json:",omitempty"` // patterns of files that may have ExceptionSize
	FollowSymlinks  bool               `json:",omitempty"`
	Projects        map[string]Project `json:",omitempty"`
}

// A Project is a part of the workspace with a name of its own.
type Project struct {
	WatchPaths []string `json:",omitempty"` // as those of FilterOptions; what does not lie in the folder is no error
	Ignore     []string `json:",omitempty"` // what of it is not indexed
}

// WithDefaults returns the options with what is not set as it counts.
func (o FilterOptions) WithDefaults() FilterOptions {
	if o.MaxSize <= 0 {
		o.MaxSize = DefaultMaxSize
	}
	return o
}

func settingsPatterns(texts []string, fold bool) []pattern {
	var patterns []pattern
	for _, text := range texts {
		patterns = append(patterns, newPattern(text, "", fold))
	}
	return patterns
}

// extensionSet reads extensions with or without their dot.
func extensionSet(extensions []string) map[string]bool {
	m := make(map[string]bool, len(extensions))
	for _, e := range extensions {
		m["."+strings.ToLower(strings.TrimPrefix(e, "."))] = true
	}
	return m
}
