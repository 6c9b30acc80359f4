package setup

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/vfs"
	"github.com/aurora-sidecar/aurora/internal/config"
)

// Rules translates settings.
func Rules(s *config.Settings, folder string) index.Rules {
	i := &s.Index
	return index.Rules{
		Off:            WhyOff(s, folder),
		Files:          filterOf(i),
		KeepSecrets:    !s.Security.ScrubSecrets,
		SecretPatterns: s.Security.SecretPatterns,
		NoFirstScan:    !i.Bootstrap.Enabled,
	}
}

func filterOf(i *config.Index) vfs.FilterOptions {
	o := vfs.FilterOptions{
		WatchPaths:      i.WatchPaths,
		Ignore:          i.IgnorePatterns,
		NoGitignore:     !i.UseGitignore,
		Extensions:      i.AllowedExtensions,
		BlockExtensions: i.BlockedExtensions,
		MaxSize:         int64(i.MaxFileSizeMB) << 20,
		SizeExceptions:  i.SizeExceptions,
		FollowSymlinks:  i.FollowSymlinks,
	}
	for name, p := range i.Projects {
		if o.Projects == nil {
			o.Projects = map[string]vfs.Project{}
		}
		o.Projects[name] = vfs.Project{WatchPaths: p.WatchPaths, Ignore: p.IgnorePatterns}
	}
	return o
}

// WhyOff says why nothing of a folder is indexed and what to do about it, "" when it is.
func WhyOff(s *config.Settings, folder string) string {
	if !s.Index.Enabled {
		return fmt.Sprintf("indexing is off: index.enabled is false in %s; set it to true to search code", s.Origin("index.enabled"))
	}
	for _, disabled := range s.Index.DisabledFolders {
		dir := vfs.Canonical(filepath.Clean(disabled))
		if folder == dir || folder != "" && strings.HasPrefix(folder, dir+string(filepath.Separator)) {
			return fmt.Sprintf("indexing is off: index.disabled_folders in %s names %s; take it out to search code",
				s.Origin("index.disabled_folders"), disabled)
		}
	}
	return ""
}
