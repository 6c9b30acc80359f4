package pasted

import (
	"slices"
	"strconv"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// A Place is a line of a file as a compiler or a stack trace names it.
type Place struct {
	Path string // with '/', as it was printed: absolute, relative, or only the end of it
	Line int    // counted from one; 0 when none was named
}

// maxPlaces bounds how many places of one text are looked at, and maxBytes how much of it.
const (
	maxPlaces = 50
	maxBytes  = 64 << 10
)

// path is a file name with an ending, and the folders before it; a drive or a scheme may stand in front.
const path = `((?:[A-Za-z]:[\\/]|[a-z-]+://)?[^\s:()\[\]<>"'` + "`" + `,;|=]*[^\s:()\[\]<>"'` + "`" + `,;|=/\\]\.[A-Za-z_][A-Za-z0-9_+]{0,9})`

// forms are how places are written, each with the path and the line as its groups. One that begins at the same place as
// another wins by standing before it.
var forms = []*lazyregexp.Regexp{
	lazyregexp.New(`File "([^"\n]+)", line (\d+)`),                                          // Python
	lazyregexp.New(`([\w$./]+\.)[\w$<>]+\(([\w$-]+\.(?:java|kt|scala|groovy|clj)):(\d+)\)`), // Java: package, file, line
	lazyregexp.New(path + `:line (\d+)`),                                                    // .NET
	lazyregexp.New(path + `["']?,? on line (\d+)`),                                          // PHP
	lazyregexp.New(path + `["']?,? line (\d+)`),                                             // Perl, Lua, others
	lazyregexp.New(path + `[(\[](\d+)(?:[,:-]\d+)*[)\]]`),                                   // MSVC, TypeScript, PHP traces
	lazyregexp.New(path + `:(\d+)(?::\d+)?`),                                                // everything else
}

// Places returns the places that a text names with their lines, in the order of the text, each once.
func Places(text string) []Place {
	text = text[:min(len(text), maxBytes)]
	if !strings.ContainsAny(text, "0123456789") || !strings.Contains(text, ".") {
		return nil
	}
	var places []Place
	for line := range strings.Lines(text) {
		for _, p := range placesIn(line) {
			if !slices.Contains(places, p) {
				places = append(places, p)
			}
		}
		if len(places) >= maxPlaces {
			return places[:maxPlaces]
		}
	}
	return innermostFirst(text, places)
}

func placesIn(line string) []Place {
	for _, form := range forms {
		var places []Place
		for _, m := range form.FindAllStringSubmatch(line, -1) {
			if p, ok := placeOf(m[1:]); ok {
				places = append(places, p)
			}
		}
		if len(places) > 0 {
			return places
		}
	}
	return nil
}

// placeOf reads the groups of a form: path and line, or package, file and line.
func placeOf(groups []string) (Place, bool) {
	name := groups[0]
	if len(groups) == 3 {
		name = inPackage(name, groups[1])
	}
	line, err := strconv.Atoi(groups[len(groups)-1])
	if err != nil || line <= 0 {
		return Place{}, false
	}
	return Place{Path: clean(name), Line: line}, true
}

// inPackage is the usual path of a file in a package; the last part of what stands before the method is the class.
func inPackage(qualifier, file string) string {
	parts := strings.Split(strings.TrimSuffix(qualifier[strings.LastIndexByte(qualifier, '/')+1:], "."), ".")
	return strings.Join(append(parts[:len(parts)-1], file), "/")
}

// clean writes a path with '/', without a scheme and what bundlers put in front.
func clean(name string) string {
	if _, rest, ok := strings.Cut(name, "://"); ok {
		name = rest
	}
	return strings.TrimPrefix(strings.ReplaceAll(name, `\`, "/"), "./")
}

// innermostFirst turns the traces around that print the innermost call last.
func innermostFirst(text string, places []Place) []Place {
	if strings.Contains(text, "(most recent call last)") {
		slices.Reverse(places)
	}
	return places
}

// IsPlace reports whether the text is one place and nothing else.
func IsPlace(text string) (Place, bool) {
	text = strings.TrimSpace(text)
	if strings.ContainsAny(text, " \t\n") {
		return Place{}, false
	}
	places := placesIn(text)
	if len(places) != 1 || !strings.HasPrefix(clean(text), places[0].Path) {
		return Place{}, false
	}
	return places[0], true
}

// SharedEnd is how many folders and names, from the end, a path of the workspace has in common with that of the place, in any
// letter case. It is 0 when that says nothing: many a library has a file of the same name.
func (p Place) SharedEnd(path string) int {
	mine, theirs := p.Path, path
	for n := 0; ; n++ {
		i, j := strings.LastIndexByte(mine, '/'), strings.LastIndexByte(theirs, '/')
		if !strings.EqualFold(mine[i+1:], theirs[j+1:]) {
			if n < 2 {
				return 0
			}
			return n
		}
		if i < 0 || j < 0 {
			return n + 1
		}
		mine, theirs = mine[:i], theirs[:j]
	}
}
