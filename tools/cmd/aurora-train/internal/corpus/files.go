package corpus

import (
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/syntax"
)

const maxFile = 1 << 20

// skippedFolders hold what others wrote, what programs wrote, or what tests feed on.
var skippedFolders = set(`vendor vendored _vendor node_modules third_party third-party thirdparty 3rdparty external extern externals deps
	dependencies bundled contrib dist build out target lib.min generated gen _generated testdata fixtures fixture __fixtures__
	snapshots __snapshots__ cassettes goldens golden locale locales i18n changelogs bower_components`)

// training are the languages with functions.
var training = set(`go python typescript tsx javascript rust java kotlin c cpp csharp ruby php swift scala lua bash elixir groovy ocaml`)

// files returns the files below root to learn from, in order, with slashes and relative to root.
func files(root string) ([]string, error) { return list(root, isHeldOut) }

// measuredFiles returns the same files without regard to what is held out.
func measuredFiles(root string) ([]string, error) {
	return list(root, func(string) bool { return false })
}

func list(root string, refused func(name string) bool) ([]string, error) {
	var list []string
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := strings.ToLower(d.Name())
		if d.IsDir() {
			if file != root && (skippedFolders[name] || strings.HasPrefix(name, ".") || refused(name)) {
				return filepath.SkipDir
			}
			return nil
		}
		info, err := d.Info()
		if err != nil || !info.Mode().IsRegular() || info.Size() > maxFile || info.Size() == 0 {
			return nil
		}
		lang := syntax.ByPath(name)
		if lang == nil || !training[lang.Name] && lang.Name != "markdown" || chunk.GeneratedName(name) || strings.HasSuffix(name, ".d.ts") {
			return nil
		}
		stem, _, _ := strings.Cut(name, ".")
		if refused(stem) {
			return nil
		}
		rel, err := filepath.Rel(root, file)
		list = append(list, filepath.ToSlash(rel))
		return err
	})
	return list, err
}

// isTest reports whether a file belongs to tests, by its path.
func isTest(file string) bool { return syntax.TestRoleOf(file) != syntax.NoTest }
