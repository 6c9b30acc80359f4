package corpus

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// heldOut are the repositories on which the product is evaluated. Nothing may be learned from them, from a fork of them
// or from a vendored copy.
var heldOut = set(`abseil-cpp abseil aeson aiohttp alamofire axios axum bash-it bats-core bats caddy cats chi circe clap click cobra
	commons-lang commons-lang3 curl dapper date-fns django ecto esbuild eslint etcd exposed express fastapi flask fmtlib gin gson
	guzzle http4s httpx hugo jackson-databind kafka kotlinx-coroutines kotlinx.coroutines ktor laravel laravel-framework lazy.nvim
	libuv messagepack-csharp mini.nvim mockito model2vec monolog newtonsoft-json newtonsoft.json nlohmann-json nlohmann nvm pandoc
	phoenix plug prometheus pydantic pytest rack rails redis redux requests ripgrep scrapy serde sinatra snapkit
	spring-data-commons sqlalchemy starlette telescope.nvim tokio trpc typeorm valkey vapor vite vitest vue xmonad zig zig-clap zls
	zod`)

// heldOutOwned are held-out repositories whose own name says too little.
var heldOutOwned = set("vuejs/core laravel/framework nlohmann/json fmtlib/fmt jamesnk/newtonsoft.json ziglang/zig caddyserver/caddy apache/kafka")

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// HeldOut returns why the repository in a folder may not be used, "" when it may. It asks the folder's name (name,
// owner+name or owner/name, with or without a version behind an @) and what the manifests in it call the project, so that
// a fork under another name is found as long as it kept its manifest.
func HeldOut(folder string) string {
	for _, name := range names(folder) {
		if isHeldOut(name) {
			return name + " is held out for evaluation"
		}
	}
	return ""
}

// isHeldOut reports whether a repository of that name, with or without its owner, is held out.
func isHeldOut(name string) bool {
	name = strings.ToLower(strings.ReplaceAll(name, "+", "/"))
	name, _, _ = strings.Cut(name, "@")
	if heldOutOwned[name] {
		return true
	}
	base := name[strings.LastIndexByte(name, '/')+1:]
	return heldOut[strings.TrimSuffix(base, ".git")]
}

// names returns what a repository is called.
func names(folder string) []string {
	all := []string{filepath.Base(folder), filepath.Base(filepath.Dir(folder)) + "/" + filepath.Base(folder)}
	for file, pattern := range manifests {
		if content, err := os.ReadFile(filepath.Join(folder, file)); err == nil {
			if m := pattern.FindSubmatch(content); m != nil {
				all = append(all, string(m[1]))
			}
		}
	}
	return all
}

// manifests find the project's name in its files.
var manifests = map[string]*regexp.Regexp{
	"go.mod":         regexp.MustCompile(`(?m)^module\s+(\S+?)(?:/v\d+)?\s*$`),
	"package.json":   regexp.MustCompile(`(?m)^\s{0,4}"name":\s*"@?([^"]+)"`),
	"Cargo.toml":     regexp.MustCompile(`(?m)^name\s*=\s*"([^"]+)"`),
	"pyproject.toml": regexp.MustCompile(`(?m)^name\s*=\s*["']([^"']+)["']`),
	"mix.exs":        regexp.MustCompile(`(?m)\bapp:\s*:(\w+)`),
	"composer.json":  regexp.MustCompile(`(?m)^\s{0,4}"name":\s*"([^"]+)"`),
}
