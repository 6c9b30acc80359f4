package workspace

import (
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/config"
)

// ConfigFile is the file of a layer.
func ConfigFile(c *app.App, local bool) (file, layer string, err error) {
	if !local {
		file, err = config.UserFile()
		return file, "user", err
	}
	root, err := ProjectRoot(c, ".")
	return config.ProjectFile(root), "project", err
}
