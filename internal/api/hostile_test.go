package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/journal"
	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/engine/llm/llmtest"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/memory/convlog"
	"github.com/aurora-sidecar/aurora/memory/sqlite"
	"github.com/aurora-sidecar/aurora/prompts"
)

// A shop is a repository, and an engine over it that keeps all it has in home and asks a model.
type shop struct {
	*testing.T
	dir, home string
	engine    *engine.Engine
	model     *llmtest.Server
}

// openShop commits the files and starts the engine. prepare changes the repository before that.
func openShop(t *testing.T, files map[string]string, message string, prepare func(s *shop)) *shop {
	t.Helper()
	s := &shop{T: t, dir: t.TempDir(), home: t.TempDir()}
	for _, key := range []string{"HOME", "XDG_CONFIG_HOME", "AURORA_HOME"} {
		t.Setenv(key, s.home)
	}
	s.git("init", "-q", "-b", "main")
	for name, text := range files {
		s.write(name, text)
	}
	s.git("add", ".")
	s.git("-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "-q", "-m", message)
	prepare(s)
	s.start()
	return s
}

func (s *shop) write(name, text string) {
	s.Helper()
	path := filepath.Join(s.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		s.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		s.Fatal(err)
	}
}

func (s *shop) git(args ...string) {
	s.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = s.dir, append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		s.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func (s *shop) start() {
	s.Helper()
	file, err := os.Create(filepath.Join(s.home, "aurora.log"))
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() { file.Close() })
	log := slog.New(slog.NewTextHandler(file, &slog.HandlerOptions{Level: slog.LevelDebug}))
	ix, err := index.Open(s.Context(), index.Options{Folders: []string{s.dir}, NoWatch: true, StoreDir: filepath.Join(s.home, "index"), Log: log})
	if err != nil {
		s.Fatal(err)
	}
	store, err := sqlite.Open(s.Context(), filepath.Join(s.home, "memory.db"), sqlite.Options{Log: log})
	if err != nil {
		s.Fatal(err)
	}
	book := convlog.New(convlog.Options{Dir: filepath.Join(s.home, "conversations")})
	s.engine = engine.New(engine.Options{
		Index: ix, Memory: store, Log: log, Version: "test",
		ReasonOptions: engine.ReasonOptions{Models: s.models(), Journal: journal.Open(store, journal.Options{Logs: book})},
	})
	s.Cleanup(func() {
		if err := errors.Join(s.engine.Close(), ix.Shutdown(), store.Close()); err != nil {
			s.Error(err)
		}
	})
	if err := errors.Join(ix.WaitReady(s.Context()), ix.Flush(s.Context())); err != nil {
		s.Fatal(err)
	}
}

func (s *shop) models() *engine.Models {
	s.Helper()
	server, err := llmtest.Start("127.0.0.1:0")
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() {
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
		server.Close()
	})
	s.model = server
	g, err := llm.New(llm.Options{Endpoint: llm.Endpoint{BaseURL: server.URL, Model: "scripted"}, Meter: llm.Unlimited{}, Timeout: 10 * time.Second})
	if err != nil {
		s.Fatal(err)
	}
	examples, err := prompts.LoadExamples()
	if err != nil {
		s.Fatal(err)
	}
	return &engine.Models{Name: "scripted", Reasoning: g, Free: true, Examples: examples}
}

// rounds is how often each operation is called.
const rounds = 40

// ask calls each operation with parameters at random: of each field either nothing or one of the words, and of a URI a file;
// told gets what came back, as JSON or as an error. What people use most must have answered at all.
func (s *shop) ask(words, uris []string, told func(operation string, params any, answer string)) {
	s.Helper()
	answered := map[string]bool{}
	g := &guesser{rand.New(rand.NewPCG(1, 2)), words, uris}
	for _, o := range api.Standard.Behind(0) {
		for range rounds {
			params := o.NewParams()
			g.fill(reflect.ValueOf(params).Elem(), "", 0)
			ctx, cancel := context.WithTimeout(s.Context(), 20*time.Second)
			result, err := api.Guarded(api.Local(s.engine)).Do(ctx, o, params, api.Caller{})
			cancel()
			if err != nil {
				told(o.Name, params, err.Error())
				continue
			}
			answer, err := json.Marshal(result)
			if err != nil {
				s.Errorf("%s: %v", o.Name, err)
			}
			answered[o.Name] = true
			told(o.Name, params, string(answer))
		}
	}
	for _, o := range []*api.Operation{
		api.Search.Operation, api.Context.Operation, api.Query.Operation, api.Related.Operation, api.Why.Operation, api.Review.Operation,
		api.Remember.Operation, api.Records.Operation, api.Explain.Operation, api.Secrets.Operation, api.Conversations.Operation,
	} {
		if !answered[o.Name] {
			s.Errorf("%s has not answered once", o.Name)
		}
	}
}

// A guesser makes parameters at random.
type guesser struct {
	*rand.Rand
	words, uris []string
}

func (g *guesser) fill(v reflect.Value, name string, depth int) {
	if depth > maxDepth || !v.CanSet() {
		return
	}
	skip := g.IntN(2) == 0
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			g.fill(v.Field(i), v.Type().Field(i).Name, depth+1)
		}
		return
	case reflect.String:
		if strings.HasSuffix(name, "URI") {
			v.SetString(g.uris[g.IntN(len(g.uris))])
			return
		}
		// What is asked for is always there; what only some words fit mostly isn't.
		if name == "Query" || name == "Content" || !skip && g.IntN(3) == 0 {
			v.SetString(g.words[g.IntN(len(g.words))])
		}
		return
	}
	switch {
	case skip:
	case v.Kind() == reflect.Bool:
		v.SetBool(true)
	case v.CanInt():
		v.SetInt(int64(g.IntN(4)))
	case v.CanUint():
		v.SetUint(uint64(g.IntN(4)))
	case v.CanFloat():
		v.SetFloat(g.Float64())
	case v.Kind() == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		g.fill(v.Elem(), name, depth+1)
	case v.Kind() == reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		g.fill(v.Index(0), name, depth+1)
	}
}

// alnum36 follows the prefix of a token.
const alnum36 = "0a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R"

// TestNoSecretLeaves plants secrets in files that are left out, within code that is indexed, in a commit, in a buffer and in
// what the person types, and calls every operation with every name near them. None may be in an answer, in what a model is
// asked, in the log, or on disk. New operations are called without being named here.
func TestNoSecretLeaves(t *testing.T) {
	if testing.Short() {
		t.Skip("calls all operations, those that ask a model, too")
	}
	leftOut := []string{".netrc", ".env", "deploy.pem", "id_rsa", "build/out.go", ".git/config"}
	inCode, inCommit := "ghp_"+"c0de"+alnum36[4:], "ghp_"+"c0mm"+alnum36[4:]
	inBuffer, typed := "ghp_"+"bUff"+alnum36[4:], "ghp_"+"tYpe"+alnum36[4:]
	canaries := []string{inCode, inCommit, inBuffer}
	s := openShop(t, map[string]string{
		".gitignore": "build/\n.env\n.netrc\n", "README.md": "# The shop\n\nIt is deployed with `" + inCode + "` by hand.\n",
		"deploy.go": "package shop\n\n// DeployShop uses " + inCode + " as its key.\nfunc DeployShop() string {\n\tconst deployKey = \"" + inCode + "\"\n\treturn deployKey\n}\n",
	}, "DeployShop with "+inCommit, func(s *shop) {
		for i, name := range leftOut[:5] {
			canary := "unmentioned" + string(rune('a'+i)) + "canary"
			canaries = append(canaries, canary)
			s.write(name, "package build // DeployShop "+canary+"\n")
		}
		canaries = append(canaries, "unmentionedgitcanary")
		s.git("config", "remote.origin.url", "https://shop:unmentionedgitcanary@example.com/shop.git")
	})
	path := filepath.Join(s.dir, "open.go")
	s.engine.Index().Open(path, "go", 1, []byte("package shop\n\n// OpenShop has "+inBuffer+".\nfunc OpenShop() {}\n"))
	if err := s.engine.Index().Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	words := []string{"DeployShop", "OpenShop", "who calls DeployShop and why?", "README.md", "HEAD", "unmentioned", "the key is " + typed}
	var uris []string
	for _, name := range append(leftOut, "deploy.go", "open.go") {
		path := filepath.Join(s.dir, name)
		words, uris = append(words, name, path), append(uris, "file://"+path, "file://"+filepath.Join(s.dir, "deploy.go"))
	}
	s.ask(words, uris, func(operation string, params any, answer string) {
		for _, canary := range canaries {
			if strings.Contains(answer, canary) {
				t.Errorf("%s of %+v hands out %s: %.600s", operation, params, canary, answer)
			}
		}
	})
	if n := len(s.model.Calls()); n < 20 {
		t.Errorf("the model was asked only %d times", n)
	}
	s.leftNothing(append(canaries, typed))
}

// leftNothing looks for canaries where what the engine tells others and writes down is.
func (s *shop) leftNothing(canaries []string) {
	s.Helper()
	where := map[string][]byte{}
	for _, c := range s.model.Calls() {
		where["what the model was asked"] = append(where["what the model was asked"], c.Text()...)
	}
	err := filepath.WalkDir(s.home, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			where[path], err = os.ReadFile(path)
		}
		return err
	})
	if err != nil {
		s.Fatal(err)
	}
	for place, content := range where {
		for _, canary := range canaries {
			if at := bytes.Index(content, []byte(canary)); at >= 0 {
				s.Errorf("%s is in %s: %q", canary, place, content[max(0, at-200):min(len(content), at+100)])
			}
		}
	}
}

// TestNoRepositoryRunsPrograms calls every operation over a repository that names programs wherever git takes one, and with an
// environment that does. Each program writes a file.
func TestNoRepositoryRunsPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("calls all operations, those that ask a model, too")
	}
	ran := filepath.Join(t.TempDir(), "ran")
	s := openShop(t, map[string]string{
		".gitattributes": "* filter=trap diff=trap merge=trap\n*.md filter=in.cluded diff=in.cluded\n", "README.md": "# The shop\n",
		"deploy.go": "package shop\n\nfunc DeployShop() {}\n",
	}, "Open the shop", func(s *shop) { s.trap(ran) })
	for _, name := range []string{"GIT_EXTERNAL_DIFF", "GIT_SSH_COMMAND", "GIT_SSH", "GIT_ASKPASS", "GIT_PAGER", "GIT_EDITOR", "GIT_PROXY_COMMAND"} {
		t.Setenv(name, filepath.Join(s.dir, "trap"))
	}
	t.Setenv("GIT_CONFIG_COUNT", "1")
	t.Setenv("GIT_CONFIG_KEY_0", "core.fsmonitor")
	t.Setenv("GIT_CONFIG_VALUE_0", filepath.Join(s.dir, "trap"))
	t.Setenv("PATH", "."+string(os.PathListSeparator)+os.Getenv("PATH"))
	s.write("deploy.go", "package shop\n\nfunc DeployShop() { changed() }\n")
	uris := []string{"file://" + s.dir + "/deploy.go", "file://" + s.dir + "/README.md"}
	s.ask([]string{"DeployShop", "deploy.go", "HEAD", "HEAD~0..HEAD", "main"}, uris, func(string, any, string) {})
	if said, err := os.ReadFile(ran); err == nil {
		t.Errorf("programs of the repository's choice ran:\n%s", said)
	}
}

// trap names a program that writes to ran wherever the repository can.
func (s *shop) trap(ran string) {
	s.Helper()
	program := "#!/bin/sh\necho \"$0 $*\" >> '" + ran + "'\ncat\n"
	trap := filepath.Join(s.dir, "trap")
	for _, name := range []string{"trap", "git", "less", "ssh", ".git/hooks/post-index-change", ".git/hooks/post-checkout", ".git/hooks/pre-auto-gc", ".git/hooks/reference-transaction", ".git/hooks/fsmonitor-watchman"} {
		s.write(name, program)
	}
	included := filepath.Join(s.dir, ".git", "included")
	for _, setting := range []string{"filter.in.cluded.clean", "filter.in.cluded.process", "diff.in.cluded.textconv", "diff.in.cluded.command", "alias.cat-file"} {
		s.git("config", "--file", included, setting, trap)
	}
	s.git("-c", "protocol.file.allow=always", "submodule", "-q", "add", "--force", s.dir, "sub") // a copy of the shop
	for _, setting := range []string{
		"filter.trap.clean", "filter.trap.smudge", "filter.trap.process", "diff.trap.textconv", "diff.trap.command", "merge.trap.driver", "diff.external",
		"gpg.program", "core.pager", "pager.log", "pager.diff", "pager.blame", "core.askPass", "core.sshCommand", "core.gitProxy", "core.editor", "core.alternateRefsCommand",
		"credential.helper", "alias.blame", "alias.log", "alias.status", "alias.ls-files", "interactive.diffFilter", "uploadpack.packObjectsHook", "core.fsmonitor",
	} {
		s.git("config", setting, trap)
	}
	s.git("config", "submodule.sub.url", "ext::"+trap)
	s.git("config", "submodule.sub.update", "!"+trap)
	s.git("config", "includeIf.gitdir:"+s.dir+"/.path", "included")
	s.git("config", "includeIf.onbranch:main.path", "included")
	s.git("config", "core.hooksPath", filepath.Join(s.dir, ".git", "hooks"))
	if err := os.Remove(ran); err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.Fatal(err)
	}
}
