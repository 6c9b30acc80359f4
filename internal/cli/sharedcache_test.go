package cli

import (
	"encoding/base64"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
)

// TestSharedCache: CI pushes, another person's first index fetches, and status and doctor tell of it.
func TestSharedCache(t *testing.T) {
	if testing.Short() {
		t.Skip("indexes a repository several times")
	}
	p, place := smallProject(t), t.TempDir()
	for _, args := range [][]string{{"init", "-q"}, {"add", "retry.go"}, {"-c", "user.name=P", "-c", "user.email=p@example.org", "commit", "-qm", "first"}} {
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	expect := p.expect
	as := func(name string) {
		p.home = filepath.Join(t.TempDir(), name)
		if err := os.Mkdir(p.home, 0o700); err != nil {
			t.Fatal(err)
		}
		t.Setenv("HOME", p.home)
	}
	expect(app.ExitFailed, []string{"storage.shared_cache.url names no cache"}, "index", "--push")
	t.Setenv("AURORA_STORAGE_SHARED_CACHE_URL", place)
	expect(app.ExitFailed, []string{"AURORA_SIGNING_KEY must hold the signing key"}, "index", "--push")
	expect(0, []string{"the shared cache is not used: storage.shared_cache.public_key must be the key"}, "index")

	t.Setenv("AURORA_SIGNING_KEY", base64.StdEncoding.EncodeToString(make([]byte, 32)))
	out := expect(0, []string{"with 1 file: "}, "index", "--push")
	_, public, ok := strings.Cut(strings.TrimSpace(out), "Its users set storage.shared_cache.public_key to ")
	if !ok {
		t.Fatalf("no public key: %s", out)
	}
	t.Setenv("AURORA_STORAGE_SHARED_CACHE_PUBLIC_KEY", public)
	expect(0, []string{"with 1 file: was there"}, "index", "--push")
	expect(0, []string{`"publicKey": "` + public + `"`, `"files": 1`}, "index", "--push", "--json")

	as("colleague")
	os.Unsetenv("AURORA_SIGNING_KEY")
	expect(0, nil, "index")
	expect(0, []string{"Shared:    1 of 1 files from the pack of commit "}, "status")
	expect(0, []string{`"sharedCache": "1 of 1 files`}, "status", "--json")
	expect(0, []string{"retry.go:4"}, "search", "Backoff")
	if got := p.run("aurora", "doctor"); !strings.Contains(got.out, "ok    shared cache: "+place+": a pack of ") {
		t.Error(got)
	}

	as("stranger")
	t.Setenv("AURORA_STORAGE_SHARED_CACHE_PUBLIC_KEY", base64.StdEncoding.EncodeToString(make([]byte, 32)))
	expect(0, nil, "index")
	expect(0, []string{"Shared:    not used: its signature is not that of the public key"}, "status")
	expect(0, []string{"retry.go:4"}, "search", "Backoff")
	if got := p.run("aurora", "doctor"); !strings.Contains(got.out, "warn  shared cache: "+place+" is not used: its signature") {
		t.Error(got)
	}

	t.Setenv("AURORA_STORAGE_SHARED_CACHE_TOKEN_ENV", "NO_SUCH_TOKEN")
	expect(0, []string{"NO_SUCH_TOKEN, which storage.shared_cache.token_env names, is not set"}, "index")
}

// TestProjectsNameNoCache: what a project says of the shared cache counts only once it is trusted.
func TestProjectsNameNoCache(t *testing.T) {
	p := smallProject(t)
	p.write(".aurora/config.json", `{"storage": {"shared_cache": {"url": "https://example.org", "public_key": "AAAA", "token_env": "PATH"}}}`)
	got := p.run("aurora", "config", "list")
	if strings.Contains(got.out, "example.org") || !strings.Contains(got.out+got.err, "storage.shared_cache.url") {
		t.Error(got)
	}
}
