package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/trust"
)

// A Warning is something in a configuration that has no effect.
type Warning struct {
	Source  string // a file, an environment variable, "editor" or "flag"
	Key     string
	Message string
	Guarded *trust.Item // what the user would have to approve; nil for other warnings
	Removed bool        // the key does not exist anymore
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
	Rule   string // "Must be a whole number in [1, 1000]"
	Got    string // the value, shortened; "" when the whole source is at fault
	Using  string // the value that is effective instead, shortened; "" when the whole source is at fault
}

// An Error lists everything that is wrong in a configuration.
type Error struct {
	Problems []Problem

	home string // of the user, which messages write as ~
}

// Error returns one block of lines for each source:
//
//	Invalid config in ~/.aurora/config.json:
//	  - search.limit: Must be a whole number in [1, 1000] (got 0); using 10
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
			if p.Using != "" {
				b.WriteString("; using " + p.Using)
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
