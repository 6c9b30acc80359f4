package engine

import (
	"strings"
	"testing"
)

// kinds are the files of TestKindsOfQuestions.
var kinds = map[string]string{
	"settings.go": "package app\n\n// Server is how the server is set.\ntype Server struct {\n\tPort int `json:\"port\" yaml:\"port_number\"`\n\tRetries int `json:\"retries\"`\n}\n\n// Client is how the client is set.\ntype Client struct {\n\tRetries int `json:\"retries\"`\n}\n\n" +
		"func defaultServer() Server { return Server{Port: 8080, Retries: 3} }\n\nfunc defaultClient() Client {\n\treturn Client{Retries: 7}\n}\n",
	"docs/use.md":       "# Use\n\nSet retries: 99 in the file.\n",
	"app/__init__.py":   "",
	"app/_compat.py":    "def term_len(x):\n    return len(x)\n",
	"app/views.py":      "from ._compat import term_len\n\n\ndef show(x):\n    return term_len(x)\n",
	"upload_test.go":    "package app\n\nimport \"testing\"\n\n// TestUploadLimits holds what is too large.\nfunc TestUploadLimits(t *testing.T) {}\n\nfunc TestOther(t *testing.T) {}\n",
	"run.sh":            "#!/bin/sh\nAPP_MODE=fast APP_PORT=9 ./app\n",
	"store/store.go":    "package store\n\nfunc Save() { sure() }\n\nfunc sure() {}\n",
	"store/store_b.txt": "x\n",
}

// TestWhatIsThisProject asks what a newcomer asks first.
func TestWhatIsThisProject(t *testing.T) {
	files := map[string]string{
		"README.md":        "# Shop\n\n[![ci](https://x/y.svg)](https://x)\n\n```sh\nmake all of it and more things\n```\n\nShop sells [apples](https://a) to *people*\r\nwho pay.\n\nMore.\n",
		"cmd/shop/main.go": "package main\n\nfunc main() {}\n", "tax/tax.go": "package tax\n\nfunc Rate() int { return 7 }\n",
		"tax/tax_test.go": "package tax\n\nfunc main() {}\n",
	}
	w := openWorkspace(t, files)
	for _, query := range []string{"What is this project?", "what does this repo do", "tell me about this project", "give me an overview of the codebase", "how does this project work?"} {
		r := w.query(QueryRequest{Query: query})
		for _, words := range []string{
			"`README.md` says: \"Shop sells apples to \\*people\\* who pay.\" [1].", "It has 4 files: 3 of go and 1 of markdown.",
			"Most of its code is in `cmd/shop` and `tax`.", "- cmd/shop/main.go:3 [2]",
		} {
			if !strings.Contains(r.Answer, words) {
				t.Errorf("%s: no %q in:\n%s", query, words, r.Answer)
			}
		}
		if strings.Contains(r.Answer, "tax_test.go") {
			t.Errorf("a test is a program:\n%s", r.Answer)
		}
	}
}

// TestKindsOfQuestions asks what a person asks, without a model.
func TestKindsOfQuestions(t *testing.T) {
	w := openWorkspace(t, kinds)
	for _, text := range []string{"one", "two"} {
		w.write("store/store.go", "package store\n\n// "+text+"\nfunc Save() { sure() }\n\nfunc sure() {}\n")
		w.write("settings.go", kinds["settings.go"]+"\n// "+text+"\n")
		w.git("commit", "-qam", text)
	}
	w.refresh()
	for query, want := range map[string][]string{
		"which files changed together with store/store.go?": {"`store/store.go` [1] changed most often together with `settings.go`: in 3 of its 3 commits.", "- `settings.go`: in 3 of 3 ["},
		"what else changes when Save changes?":              {"`store/store.go` [1] changed most often together with `settings.go`"},
		"what changes together with nosuch.go?":             {"I can't answer this from the index."},
		"what is the default of server.retries?":            {"`retries` is set to `3` in settings.go:"},
		"what is the default of client.retries?":            {"`retries` is set to `7` in settings.go:"},
		"where is port_number configured?":                  {"`port_number` is set to `8080` in settings.go:"},
		"where is APP_MODE set?":                            {"`APP_MODE` is declared as `fast` in run.sh:2"},
		"what imports app._compat?":                         {"`app/_compat.py` is imported by 1 file: `app/views.py`."},
		"what tests are there for upload limits?":           {"Nothing is called `upload limits`. By their words, 2 tests are about it, `TestUploadLimits` first.", "holds what is too large"},
	} {
		r := w.query(QueryRequest{Query: query})
		for _, words := range want {
			if !strings.Contains(r.Answer, words) {
				t.Errorf("%s: no %q in:\n%s", query, words, r.Answer)
			}
		}
	}
	if r := w.query(QueryRequest{Query: "what is the default of client.retries?"}); strings.Contains(r.Answer, "99") {
		t.Errorf("a document set it:\n%s", r.Answer)
	}
}

// TestDeedsThatCodeDoesNotName asks where something is done, in words of which the code has only the thing.
func TestDeedsThatCodeDoesNotName(t *testing.T) {
	w := openWorkspace(t, map[string]string{
		"basket.go": "package basket\n\n// volumeDiscount takes a tenth off.\nfunc volumeDiscount(cents int) int {\n\treturn cents / 10\n}\n\nfunc open() {}\n",
		"user.go":   "package basket\n\ntype user struct{ name string }\n\nfunc (u user) greet() string { return u.name }\n",
	})
	for query, want := range map[string]string{
		"where is the discount computed?": "Nothing here says that anything is `computed`. This is about `discount`:\n\n`volumeDiscount` in basket.go:4",
		"where is the discount made?":     "Nothing here says that anything is `made`.",
		"where is the flamingo computed?": "I can't answer this from the index. I looked for `flamingo computed`",
	} {
		r := w.query(QueryRequest{Query: query})
		if !strings.HasPrefix(r.Answer, want) || r.Confidence > 0.5 {
			t.Errorf("%s: confidence %.2f, no %q in:\n%s", query, r.Confidence, want, r.Answer)
		}
	}
}
