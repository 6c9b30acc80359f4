package codeintel

import (
	"path"
	"strings"

	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// plainPath are the paths and names that a shell takes as they are.
var plainPath = lazyregexp.New(`^[\pL\pN_./@+-]+$`)

// testCommand is what runs one test, or the tests of its file; "" when that is not known, or the name would need quoting.
func testCommand(test index.Ref) string {
	file, c := test.File, test.Chunk()
	if !plainPath.MatchString(file.Path) || !plainPath.MatchString(c.Name) || strings.HasPrefix(file.Path, "-") {
		return ""
	}
	switch file.Language {
	case "go":
		if strings.HasPrefix(c.Name, "Test") && c.Container == "" {
			return "go test ./" + path.Dir(file.Path) + " -run '^" + c.Name + "$'"
		}
	case "python":
		name := strings.ReplaceAll(c.QualifiedName(), ".", "::")
		return "pytest " + file.Path + "::" + name
	case "rust":
		return "cargo test " + c.Name
	case "typescript", "tsx", "javascript":
		return "npm test -- " + file.Path
	}
	return ""
}
