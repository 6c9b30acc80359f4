package vfs

import (
	"path/filepath"
	"strings"
)

// DefaultMaxSize is the size in bytes above which files are not indexed.
const DefaultMaxSize int64 = 5 << 20

// ignoredFolders are skipped wherever they are, whatever their case: version control, what package managers and build
// tools bring in, caches, editors' own. vendor is not among them: its code is compiled in.
var ignoredFolders = set(
	".git", ".hg", ".svn", ".jj", ".bzr",
	"node_modules", "bower_components", ".venv", "venv", ".tox", ".nox", ".eggs", "site-packages",
	"__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".cache", ".gradle", ".terraform", ".next", ".nuxt",
	".svelte-kit", ".parcel-cache", ".turbo", ".nyc_output", ".ipynb_checkpoints",
	".idea", ".vscode", ".vs", ".aurora",
)

// outputFolders usually hold what a build made, and are skipped unless git tracks files in them: then they are source,
// like go/build in Go's own tree.
var outputFolders = set("build", "dist", "target")

// projectFolders are hidden folders that belong to a project; auto leaves out other ones in which git tracks nothing.
var projectFolders = set(
	".github", ".gitlab", ".gitea", ".forgejo", ".circleci", ".buildkite", ".config", ".devcontainer", ".storybook",
	".husky", ".changeset", ".cargo",
)

// secretPatterns name files whose content must never be indexed, logged or sent; a star stands at an end only.
var secretPatterns = []string{
	".env*", "*.pem", "*.key", "id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*", "*.p12", "*.pfx", "*.private",
	"*.secret", "*.jks", "*.keystore", "*.kdbx", ".netrc", "_netrc", ".pgpass", ".htpasswd", ".git-credentials",
}

// binaryExtensions name files that hold no text; others are found out by their content.
var binaryExtensions = set(
	".exe", ".dll", ".so", ".dylib", ".a", ".o", ".obj", ".lib", ".bin", ".dat", ".wasm", ".class", ".jar", ".war", ".pyc",
	".pyo", ".pyd", ".beam", ".node", ".pdb", ".syso",
	".zip", ".gz", ".tgz", ".bz2", ".xz", ".zst", ".lz4", ".7z", ".rar", ".tar", ".iso", ".dmg", ".deb", ".rpm", ".apk",
	".png", ".jpg", ".jpeg", ".gif", ".bmp", ".ico", ".icns", ".webp", ".tif", ".tiff", ".psd", ".avif", ".heic",
	".mp3", ".mp4", ".m4a", ".wav", ".flac", ".ogg", ".avi", ".mov", ".mkv", ".webm",
	".pdf", ".doc", ".docx", ".xls", ".xlsx", ".ppt", ".pptx", ".odt", ".ods",
	".ttf", ".otf", ".woff", ".woff2", ".eot",
	".db", ".sqlite", ".sqlite3", ".mdb", ".parquet", ".npy", ".npz", ".pkl", ".pickle", ".onnx", ".pt", ".pth",
	".safetensors", ".gguf", ".h5",
)

// SecretName reports whether the name of a file is that of a secret, by the built-in patterns.
func SecretName(path string) bool { return secretPattern(strings.ToLower(filepath.Base(path))) != "" }

// secretPattern returns the pattern that makes a file name (in lower case) a secret, "" when none does.
func secretPattern(name string) string {
	for _, pattern := range secretPatterns {
		suffix, anyStart := strings.CutPrefix(pattern, "*")
		prefix, anyEnd := strings.CutSuffix(pattern, "*")
		switch {
		case anyStart && strings.HasSuffix(name, suffix),
			anyEnd && strings.HasPrefix(name, prefix),
			name == pattern:
			return pattern
		}
	}
	return ""
}

func set(names ...string) map[string]bool {
	m := make(map[string]bool, len(names))
	for _, name := range names {
		m[name] = true
	}
	return m
}
