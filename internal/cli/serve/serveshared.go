package serve

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/search"
	"github.com/aurora-sidecar/aurora/engine/search/shared"
	"github.com/aurora-sidecar/aurora/httpapi/searchserver"
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
)

// A sharedFile says what a search server serves. Paths are relative to the file.
type sharedFile struct {
	Listen       string             `json:"listen"`
	Certificate  string             `json:"certificate"`
	Key          string             `json:"key"`
	Tokens       string             `json:"tokens"`
	Repositories []sharedRepository `json:"repositories"`
	Shards       []sharedShard      `json:"shards"`
}

// A sharedRepository is a checkout, or several by a pattern.
type sharedRepository struct {
	Folder string `json:"folder"`
	URL    string `json:"url"` // where people read a file
}

// A sharedShard is another search server.
type sharedShard struct {
	URL      string `json:"url"`
	TokenEnv string `json:"token_env"`
}

const defaultSharedListen = "127.0.0.1:7474"

// readShared reads and checks the file.
func readShared(path string) (*sharedFile, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, app.UsageError("docs/team.md has an example.", "--shared: %v", err)
	}
	f := &sharedFile{}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(f); err != nil {
		return nil, app.UsageError("docs/team.md has an example.", "%s: %s", path, strings.TrimPrefix(err.Error(), "json: "))
	}
	f.Listen = cmp.Or(f.Listen, defaultSharedListen)
	beside := func(p *string) {
		if *p != "" && !filepath.IsAbs(*p) {
			*p = filepath.Join(filepath.Dir(path), *p)
		}
	}
	beside(&f.Certificate)
	beside(&f.Key)
	beside(&f.Tokens)
	for i := range f.Repositories {
		beside(&f.Repositories[i].Folder)
	}
	host, _, err := net.SplitHostPort(f.Listen)
	ip := net.ParseIP(host)
	switch {
	case err != nil:
		return nil, app.UsageError("Use HOST:PORT.", "%s: listen: %v", path, err)
	case f.Tokens == "":
		return nil, app.UsageError(`Make one: echo "alice $(openssl rand -hex 24)" > tokens`, "%s: tokens must name the file of tokens", path)
	case (f.Certificate == "") != (f.Key == ""):
		return nil, app.UsageError("", "%s: certificate and key belong together", path)
	case f.Certificate == "" && host != "localhost" && (ip == nil || !ip.IsLoopback()):
		return nil, app.UsageError("Name them, or listen at 127.0.0.1 behind a proxy that has TLS.", "%s: without certificate and key, searches and tokens would be readable on the way to %s", path, f.Listen)
	case len(f.Repositories)+len(f.Shards) == 0:
		return nil, app.UsageError("", "%s: repositories and shards are both empty", path)
	}
	return f, nil
}

// hosted finds the checkouts.
func (f *sharedFile) hosted() ([]search.Hosted, error) {
	var list []search.Hosted
	for _, r := range f.Repositories {
		folders, err := filepath.Glob(r.Folder)
		if err != nil || len(folders) == 0 {
			return nil, app.Failure("Check the spelling.", fmt.Errorf("there is no folder %s", r.Folder))
		}
		for _, folder := range folders {
			if info, err := os.Stat(folder); err != nil || !info.IsDir() {
				continue
			}
			root, err := workspace.CheckRoot(folder)
			if err != nil {
				return nil, err
			}
			name := filepath.Base(folder)
			if i := slices.IndexFunc(list, func(h search.Hosted) bool { return h.Name == name }); i >= 0 {
				return nil, app.Failure("Rename one of the folders.", fmt.Errorf("%s and %s have the same name", list[i].Folder, root))
			}
			list = append(list, search.Hosted{Name: name, Folder: root, URL: strings.ReplaceAll(r.URL, "{name}", name)})
		}
	}
	return list, nil
}

// sources are the repositories of this process and the other servers.
func (f *sharedFile) shards() ([]*shared.Shard, error) {
	var list []*shared.Shard
	for _, s := range f.Shards {
		token := ""
		if s.TokenEnv != "" {
			if token = os.Getenv(s.TokenEnv); token == "" {
				return nil, app.Failure("Export it where the server is started.", fmt.Errorf("the environment variable %s, the token of %s, is not set", s.TokenEnv, s.URL))
			}
		}
		client, err := shared.NewClient(s.URL, token)
		if err != nil {
			return nil, app.Failure("", fmt.Errorf("shards: %w", err))
		}
		list = append(list, &shared.Shard{Name: client.Address(), Source: client})
	}
	return list, nil
}

// serveShared is the search server of a team until ctx ends.
func serveShared(ctx context.Context, c *app.App, f *serveFlags) error {
	file, err := readShared(f.shared)
	if err != nil {
		return err
	}
	hosted, err := file.hosted()
	if err != nil {
		return err
	}
	shards, err := file.shards()
	if err != nil {
		return err
	}
	tokens, err := searchserver.OpenTokens(file.Tokens)
	if err != nil {
		return app.Failure(`A line is a name and a token: echo "alice $(openssl rand -hex 24)" >> `+file.Tokens, fmt.Errorf("tokens: %w", err))
	}
	var certificate func(*tls.ClientHelloInfo) (*tls.Certificate, error)
	scheme := "http"
	if file.Certificate != "" {
		if certificate, err = searchserver.Certificate(file.Certificate, file.Key); err != nil {
			return app.Failure("", fmt.Errorf("certificate: %w", err))
		}
		scheme = "https"
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", file.Listen)
	if err != nil {
		return app.Failure("Choose another port.", err)
	}
	folders := make([]string, len(hosted))
	for i, h := range hosted {
		folders[i] = h.Folder
	}
	p, err := workspace.Wire(ctx, c, workspace.Wiring{Folders: folders, Server: true, LogLevel: f.logLevel, SearchOnly: true})
	if err != nil {
		return errors.Join(err, l.Close())
	}
	p.LogWarnings()
	if err := workspace.ServeDebug(ctx, c, p, f.debug); err != nil {
		return errors.Join(err, l.Close(), p.Close())
	}
	o := searchserver.Options{
		Tokens: tokens, Metrics: p.Engine.Usage().Set, AtOnce: 2 * runtime.GOMAXPROCS(0), Log: p.Log, Version: app.ReadBuild().Version,
	}
	pool := &shared.Pool{Shards: shards}
	if len(hosted) > 0 {
		own := p.Engine.SearchServer(hosted)
		o.Source, o.Repositories, o.Label, o.Backend = own, own.Repositories, own.Label, api.Local(p.Engine)
		if len(shards) > 0 {
			pool.Shards = append([]*shared.Shard{{Name: "this server", Source: own}}, shards...)
		}
	}
	if len(pool.Shards) > 0 {
		o.Source, o.Failures = pool, pool.Failures
	}
	fmt.Fprintf(c.Err, "aurora: %d repositories and %d shards are searched at %s://%s\n", len(hosted), len(shards), scheme, l.Addr())
	err = errors.Join(searchserver.Serve(ctx, l, searchserver.Handler(o), certificate), p.Close())
	if ctx.Err() != nil { // how such servers end
		return nil
	}
	return err
}
