package engine

import (
	"strings"
	"testing"
)

// concepts are the files of TestConcepts: words that are more than the definition that has them as its name.
var concepts = map[string]string{
	"gui/conflicts.go":       "package gui\n\ntype State struct{ at int }\n\n// Undo takes back the last choice of a conflict.\nfunc (s *State) Undo() bool {\n\treturn s.at > 0\n}\n",
	"gui/undo_controller.go": "package gui\n\n// UndoController takes back what git did.\ntype UndoController struct {\n\tlog []string\n}\n\nfunc NewUndoController() *UndoController { return &UndoController{} }\n",
	"auth/basic.go":          "package auth\n\nfunc login(name string) bool { return name != \"\" }\n\nfunc BasicLogin() bool { return login(\"a\") }\n",
	"web/bearer.go":          "package web\n\nfunc BearerLogin() bool { return true }\n",
	"web/session.go":         "package web\n\n// SessionStore keeps sessions.\ntype SessionStore struct {\n\tall map[string]string\n}\n\n// Load reads one.\nfunc (s *SessionStore) Load(id string) string { return s.all[id] }\n",
	"web/request.go":         "package web\n\ntype Request struct{ s *SessionStore }\n\nfunc (r *Request) session() string { return r.s.Load(\"1\") }\n\nfunc (r *Request) hit() string { return r.session() }\n",
	"web/hits.go":            "package web\n\nvar DefaultTimeout = 30\n\ntype options struct {\n\ttimeout int\n\tretries int\n}\n\nfunc hitsPerSecond() int { return 1 }\n",
	"web/config.go":          "package web\n\ntype Config struct{ retries int }\n\nfunc loadConfig() Config { return Config{} }\n",
	"web/file.go":            "package web\n\ntype Decoder func() string\n",
	"web/gob.go":             "package web\n\nfunc decodeGob() string { return \"\" }\n",
	"web/types.ts":           "export interface Address {\n  port: number\n  host?: string\n}\n",
	"web/context.ts":         "export class Context {\n  body: Respond = <\n    T>(x: T) => x\n}\n",
	"web/request.ts":         "export interface Body {\n  body: any\n}\n",
	"web/endpoint.go":        "package web\n\n// WebEndpoint answers.\ntype WebEndpoint struct {\n\tpath string\n}\n",
	"web/static.go":          "package web\n\n// Static serves files.\ntype Static struct {\n\troot string\n}\n",
	"web/static_test.go":     "package web\n\nfunc static() {}\n",
	"web/endpoint_test.go":   "package web\n\nfunc web_endpoint() {}\n",
}

// TestConcepts asks by words for what is no single definition: less is said, and what is said is so.
func TestConcepts(t *testing.T) {
	w := openWorkspace(t, concepts)
	const unsure = "; not verified by a model. "
	for query, want := range map[string]string{
		"how does undo work?":                           "`gui/undo_controller.go` [1] defines 2 functions and classes:",
		"how does the undo method work?":                "`State.Undo` is a method defined in gui/conflicts.go:6 [1].",
		"how does Undo work?":                           "`State.Undo` is a method defined in gui/conflicts.go:6 [1].",
		"how does login work?":                          "`login` in auth/basic.go:3 is the best match for `login`" + unsure + "3 definitions have the word in their names:",
		"how does login() work?":                        "`login` is a function defined in auth/basic.go:3 [1].",
		"how does session work?":                        "`SessionStore` is a class defined in web/session.go:4 [1].",
		"how does hit work?":                            "`Request.hit` is a method defined in web/request.go:7 [1].",
		"how does decoding work?":                       "`Decoder` in web/file.go:3 is the best match for `decoding`" + unsure + "2 definitions have the word in their names:",
		"what does the config module do?":               "`web/config.go` [1] defines 2 functions and classes:",
		"what is the default timeout?":                  "`DefaultTimeout` is declared as `30` in web/hits.go:3 [1].",
		"who wrote the web endpoint?":                   "`WebEndpoint` in web/endpoint.go:4 was written by",
		"who wrote the static code?":                    "`Static` in web/static.go:4 was written by",
		"who wrote the session store code?":             "`SessionStore` in web/session.go:4 was written by",
		"what changed in web/hits.go since 2099-01-01?": "The latest before that:",
	} {
		if answer := w.query(QueryRequest{Query: query}).Answer; !strings.Contains(answer, want) {
			t.Errorf("%s: no %q in:\n%s", query, want, answer)
		}
	}
	for query, not := range map[string]string{
		"what is the default port?":    "is declared in", // where it is declared is no default
		"what is the default retries?": "is declared in",
		"what is ctx.body?":            "is declared in", // which of the two can't be told
		"where is port set?":           "is set to",      // a type is no value
	} {
		if answer := w.query(QueryRequest{Query: query}).Answer; strings.Contains(answer, not) {
			t.Errorf("%s: %q in:\n%s", query, not, answer)
		}
	}
}

// TestOneType asks what one type does in one respect: its methods that have the words answer, the inherited ones too, or its comment.
func TestOneType(t *testing.T) {
	w := openWorkspace(t, map[string]string{
		"shop/Basket.java": `package shop;

/** Holds what is bought. A basket is safe for use by several threads. */
public class Basket extends Container {
  public Basket() {}

  public Basket(int size) {}

  /** Sums up the prices. */
  public long total() { return prices.sum(); }

  public void empty() { goods.clear(); }

  public void discount(int percent) { prices.scale(100 - percent); }
}
`,
		"shop/Container.java": "package shop;\n\npublic class Container {\n  /** Tells how heavy it is. */\n  public int weight() { return 1; }\n}\n",
	})
	for query, want := range map[string]string{
		"how does Basket work?":                       "`Basket` is a class defined in shop/Basket.java:4 [1].",
		"how does Basket take a percent off?":         "`Basket.discount` in shop/Basket.java:14 [1] is the method of `Basket`, a class in shop/Basket.java:4 [2], that fits these words best",
		"where does the Basket sum up its prices?":    "`Basket.total` in shop/Basket.java:10: ",
		"how does Basket know how heavy it is?":       "`Container.weight` in shop/Container.java:5: ",
		"is Basket safe for several threads?":         "The comment of `Basket`, a class in shop/Basket.java:4, says: \"A basket is safe for use by several threads.\" [1].",
		"how does Basket sing?":                       "I can't answer this from the index.",
		strings.Repeat("Basket sums prices up. ", 40): "",
	} {
		if answer := w.query(QueryRequest{Query: query}).Answer; !strings.HasPrefix(answer, want) {
			t.Errorf("%s: no %q before:\n%s", query, want, answer)
		}
	}
}
