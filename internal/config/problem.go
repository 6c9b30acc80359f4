package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A Warning is something in a configuration that has no effect, or a key under an older name.
type Warning struct {
	Source  string // a file, an environment variable, "editor" or "flag"
	Key     string
	Message string
	Guarded bool // it would have one if the workspace were trusted
	Older   bool // the key has another name now, and has an effect; or the product does that by itself
}

func (w Warning) String() string {
	if w.Key == "" {
		return fmt.Sprintf("%s: %s", Tilde(w.Source), w.Message)
	}
	return fmt.Sprintf("%s: %s: %s", Tilde(w.Source), w.Key, w.Message)
}

// A Problem is a value that breaks its rule, or a source that can't be read.
type Problem struct {
	Source string
	Key    string // "" when the whole source is at fault
	Rule   string // "Must be ≥ 0.0"
	Got    string // the value, shortened; "" when the whole source is at fault

	Together bool `json:"-"` // the values of several keys break it, each of which is good by itself
}

// An Error lists everything that is wrong in a configuration.
type Error struct {
	Problems []Problem

	home string // of the user, which messages write as ~
}

// Error returns one block of lines for each source:
//
//	Invalid config in ~/.aurora/config.json:
//	  - search.bm25.k1: Must be ≥ 0.0 (got -1.5)
func (e *Error) Error() string {
	var sources []string
	bySource := map[string][]Problem{}
	for _, p := range e.Problems {
		if bySource[p.Source] == nil {
			sources = append(sources, p.Source)
		}
		bySource[p.Source] = append(bySource[p.Source], p)
	}
	var b strings.Builder
	for i, source := range sources {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "Invalid config in %s:", tilde(source, e.home))
		for _, p := range bySource[source] {
			b.WriteString("\n  - ")
			if p.Key != "" {
				b.WriteString(p.Key + ": ")
			}
			b.WriteString(p.Rule)
			if p.Got != "" {
				fmt.Fprintf(&b, " (got %s)", p.Got)
			}
		}
	}
	return b.String()
}

// tilde writes the home folder at the beginning of a path as people do.
func tilde(path, home string) string {
	if rest, ok := strings.CutPrefix(path, home+string(filepath.Separator)); ok && home != "" {
		return "~" + string(filepath.Separator) + rest
	}
	return path
}

// Tilde writes a path below the user's home folder as people do: ~/.aurora/config.json.
func Tilde(path string) string {
	home, err := userHome(os.LookupEnv)
	if err != nil {
		return path
	}
	return tilde(path, home)
}

// mostOlder is how many older keys of one source are told one by one.
const mostOlder = 2

// Brief returns warnings as sentences for those who wanted something else: many older keys of one source are one of them.
func Brief(warnings []Warning) []string {
	older := map[string]int{}
	for _, w := range warnings {
		if w.Older {
			older[w.Source]++
		}
	}
	var out []string
	for _, w := range warnings {
		n := older[w.Source]
		switch {
		case !w.Older || n > 0 && n <= mostOlder:
			out = append(out, w.String())
		case n > 0:
			out = append(out, fmt.Sprintf("%s has %d keys of an older layout; see: aurora config validate", Tilde(w.Source), n))
			older[w.Source] = -1
		}
	}
	return out
}
