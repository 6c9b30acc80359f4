package setup

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/syntax"
	"github.com/aurora-sidecar/aurora/index/vfs"
	"github.com/aurora-sidecar/aurora/internal/config"
)

// Rules translates settings.
func Rules(s *config.Settings, folder string) index.Rules {
	i := &s.Index
	return index.Rules{
		Off:            WhyOff(s, folder),
		Files:          filterOf(i),
		WarnSize:       int64(i.WarnFileSizeMB) << 20,
		KeepSecrets:    !s.Security.ScrubSecrets,
		SecretPatterns: s.Security.SecretPatterns,
		NoFirstScan:    !i.Bootstrap.Enabled,
		Priority:       i.Bootstrap.PriorityExtensions,
		MaxFiles:       i.Bootstrap.MaxInitialFiles,
		FailFast:       i.Bootstrap.FailFast,
		Chunks:         chunkRules(&s.Chunking),
	}
}

// chunkRules are those of the languages that are not cut by default.
func chunkRules(c *config.Chunking) chunk.Rules {
	functions := []syntax.Kind{syntax.Function, syntax.Method}
	m, p, t, k := &c.Markdown, &c.Python, &c.TypeScript, &c.Kotlin
	typescript := chunk.Rule{
		MaxTokens: unless(t.MaxTokens, 600), LooseDocs: !t.PreserveJSDoc,
		Merged: merged(!t.SplitByExport, append(functions, syntax.Class)...),
	}
	rules := chunk.Rules{
		"markdown": {MaxTokens: unless(m.MaxTokens, 400), CutBlocks: !m.PreserveCodeBlocks, Merged: merged(!m.SplitByHeadings, syntax.Section)},
		"python": {
			MaxTokens: unless(p.MaxTokens, 600), OverlapPercent: overlapOf(p.OverlapPercent), LooseDocs: !p.PreserveDocstrings,
			Merged: merged(!p.SplitByFunction, functions...),
		},
		"typescript": typescript,
		"tsx":        typescript,
		"kotlin": {
			MaxTokens: unless(k.MaxTokens, 600), LooseDocs: !k.PreserveKDoc,
			Merged: append(merged(!k.SplitByClass, syntax.Class), merged(!k.SplitByFunction, functions...)...),
		},
	}
	for language := range rules {
		if rules.Tag(language) == "" {
			delete(rules, language)
		}
	}
	if len(rules) == 0 {
		return nil
	}
	return rules
}

// unless returns n, or 0 when it is the default.
func unless(n, usual int) int {
	if n == usual {
		return 0
	}
	return n
}

// overlapOf is the setting as chunk.Rule has it.
func overlapOf(percent int) int {
	if percent == 0 {
		return -1
	}
	return unless(percent, 15)
}

func merged(yes bool, kinds ...syntax.Kind) []syntax.Kind {
	if !yes {
		return nil
	}
	return kinds
}

func filterOf(i *config.Index) vfs.FilterOptions {
	o := vfs.FilterOptions{
		WatchPaths:      i.WatchPaths,
		Ignore:          i.IgnorePatterns,
		CaseSensitive:   !i.IgnoreCase,
		NoGitignore:     !i.UseGitignore,
		NoContextignore: !i.UseContextignore,
		Dockerignore:    i.UseDockerignore,
		Extensions:      i.AllowedExtensions,
		BlockExtensions: i.BlockedExtensions,
		MaxSize:         int64(i.MaxFileSizeMB) << 20,
		SizeExceptions:  i.SizeExceptions,
		Binary:          vfs.BinaryDetection(i.BinaryDetection),
		BinaryPercent:   i.BinaryThreshold,
		FollowSymlinks:  i.FollowSymlinks,
		MaxSymlinks:     i.MaxSymlinkDepth,
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
