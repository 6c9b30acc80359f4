package testrun

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// allowed are the beginnings of commands that may be run.
var allowed = [][]string{
	{"go", "test"}, {"go", "vet"}, {"go", "build"},
	{"cargo", "test"}, {"cargo", "check"}, {"cargo", "build"}, {"cargo", "clippy"},
	{"pytest"}, {"python", "-m", "pytest"}, {"python3", "-m", "pytest"}, {"python", "-m", "unittest"}, {"python3", "-m", "unittest"},
	{"npm", "test"}, {"npm", "run", "test"}, {"npm", "run", "build"}, {"npm", "run", "lint"}, {"pnpm", "test"}, {"yarn", "test"},
	{"npx", "vitest"}, {"npx", "jest"}, {"npx", "mocha"}, {"npx", "tsc"},
	{"make", "test"}, {"make", "check"}, {"make", "lint"}, {"make", "build"},
}

// startsPrograms are arguments by which a program of the list starts any other one.
var startsPrograms = []string{"-exec", "-toolexec", "-vettool", "--config"}

// words cuts a command as a shell would, but for all that a shell does besides.
func words(command string) ([]string, error) {
	var out []string
	var word strings.Builder
	quote, open := rune(0), false
	for _, c := range command {
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(c)
		case c == '\'' || c == '"':
			quote, open = c, true
		case c == ' ' || c == '\t':
			if open {
				out = append(out, word.String())
			}
			word.Reset()
			open = false
		case strings.ContainsRune("|&;<>`$\\\n", c):
			return nil, fmt.Errorf("no shell runs the command, so %q stands in quotes only: name one program with its arguments", c)
		default:
			word.WriteRune(c)
			open = true
		}
	}
	if quote != 0 {
		return nil, errors.New("a quote is not closed")
	}
	if open {
		out = append(out, word.String())
	}
	return out, nil
}

// Parse cuts a command and fails when it may not be run.
func Parse(command string) ([]string, error) {
	args, err := words(command)
	if err != nil {
		return nil, err
	}
	begins := func(with []string) bool { return len(args) >= len(with) && slices.Equal(args[:len(with)], with) }
	if !slices.ContainsFunc(allowed, begins) {
		return nil, fmt.Errorf("%q may not be run; what may begins with %s", command, Allowed())
	}
	for _, arg := range args[1:] {
		name, _, _ := strings.Cut(arg, "=")
		if arg == "--" {
			break
		}
		if slices.ContainsFunc(startsPrograms, func(s string) bool { return name == s || name == "-"+s }) || args[0] == "make" && !plainMake(arg) {
			return nil, fmt.Errorf("%q may not be run with %s", command, arg)
		}
	}
	return args, nil
}

// plainMake reports whether an argument of make is a target of the list or changes nothing of what is run.
func plainMake(arg string) bool {
	return slices.Contains([]string{"-k", "-s", "--keep-going", "--silent"}, arg) ||
		slices.ContainsFunc(allowed, func(a []string) bool { return a[0] == "make" && a[1] == arg })
}

// Allowed names what commands begin with.
func Allowed() string {
	list := make([]string, len(allowed))
	for i, a := range allowed {
		list[i] = strings.Join(a, " ")
	}
	return strings.Join(list, ", ")
}
