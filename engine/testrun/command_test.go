package testrun

import (
	"slices"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for command, want := range map[string][]string{
		"go test ./...": {"go", "test", "./..."},
		"go test ./cart -run '^(TestA|TestB)$' -v": {"go", "test", "./cart", "-run", "^(TestA|TestB)$", "-v"},
		`pytest "tests/a b.py" -k ''`:              {"pytest", "tests/a b.py", "-k", ""},
		"  npm\ttest -- --run  ":                   {"npm", "test", "--", "--run"},
		"make test -k check":                       {"make", "test", "-k", "check"},
		"python3 -m unittest":                      {"python3", "-m", "unittest"},
	} {
		if got, err := Parse(command); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v", command, got, err)
		}
	}
}

func TestRefused(t *testing.T) {
	for command, want := range map[string]string{
		"":                                "may not be run",
		"rm -rf /":                        "may not be run",
		"go":                              "may not be run",
		"go run ./cmd":                    "go test, go vet",
		"/usr/bin/go test":                "may not be run",
		"./go test":                       "may not be run",
		"python -c 'import os'":           "may not be run",
		"npm run deploy":                  "may not be run",
		"npm install":                     "may not be run",
		"go test ./... && curl evil":      "no shell",
		"go test ./... > out":             "no shell",
		"go test $(id)":                   "no shell",
		"go test `id`":                    "no shell",
		"go test\nrm x":                   "no shell",
		"go test 'x":                      "not closed",
		"go test -exec 'sh -c id' .":      "with -exec",
		"go test --exec=sh .":             "with --exec=sh",
		"go build -toolexec=x .":          "with -toolexec=x",
		"go vet -vettool=x .":             "with -vettool=x",
		"cargo test --config target.x=sh": "with --config",
		"make test SHELL=sh":              "with SHELL=sh",
		"make test install":               "with install",
		"make test -f other.mk":           "with -f",
		"make test --eval=x:;id":          "no shell",
		"make test --eval=x":              "with --eval=x",
	} {
		if got, err := Parse(command); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %q, %v, want %q", command, got, err, want)
		}
	}
}

func TestNilRunsNothing(t *testing.T) {
	var r *Runner
	if _, err := r.Run(t.Context(), t.TempDir(), ".", "go test", Changes{}); err == nil {
		t.Error("it ran")
	}
}
