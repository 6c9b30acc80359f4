package graph

import (
	"strconv"
	"strings"
)

// fitting leaves, of functions of one name, those whose parameters a call's arguments fit best; none when they fit none.
func fitting(args string, nodes []Node) []Node {
	if args == "" || len(nodes) == 0 {
		return nodes
	}
	given := arguments(args)
	var best []Node
	most := 0
	for _, n := range nodes {
		c := n.Chunk()
		parameters := n.File.Types.Of(c.QualifiedName() + "#" + strconv.Itoa(c.Ordinal))
		fit := 1 // the only one of its name, whatever its parameters are
		if parameters != "" {
			fit = agreement(given, arguments(parameters))
		}
		switch {
		case fit == 0 || fit < most:
		case fit > most:
			most, best = fit, []Node{n}
		default:
			best = append(best, n)
		}
	}
	return best
}

// agreement counts how many arguments are of exactly the type of their parameters, plus one; 0 when they can't be what is
// meant.
func agreement(given, parameters []string) int {
	variadic := len(parameters) > 0 && strings.HasSuffix(parameters[len(parameters)-1], "...")
	if len(given) != len(parameters) && !(variadic && len(given) >= len(parameters)-1) {
		return 0
	}
	fit := 2
	if variadic {
		fit = 1 // the last choice of the compiler
	}
	for i, g := range given {
		p := strings.TrimSuffix(parameters[min(i, len(parameters)-1)], "...")
		switch {
		case g == "null" && p != "" && !isUpper(p):
			return 0
		case g == p && g != "_":
			fit += 2
		case primitive[g] != 0 && primitive[p] != 0 && primitive[g] != primitive[p]:
			return 0
		}
	}
	return fit
}

// primitive are the types of literals, by what can't stand for each other.
var primitive = map[string]int{
	"char": 1, "int": 2, "long": 2, "short": 2, "byte": 2, "double": 2, "float": 2, "boolean": 3, "String": 4, "Class": 5,
}
