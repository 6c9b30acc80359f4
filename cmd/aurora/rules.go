package main

import (
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/syntax"
	"github.com/aurora-sidecar/aurora/index/vfs"
	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/aurora-sidecar/aurora/lsp"
)

// A ruler knows under which rules each workspace folder is indexed: those of the user, of the folder's own file, and of
// the editor. Safe for concurrent use.
type ruler struct {
	log *slog.Logger

	mu     sync.Mutex
	client map[string]any              // settings of the editor that spoke last
	last   map[string]*config.Settings // by folder: the last that were good
	shown  *lsp.Features               // what the files say editors are shown; nil when they have to be read anew
}

// load returns the settings of a folder, "" for none. When they are bad, the last good ones stay.
func (r *ruler) load(folder string) (*config.Settings, []config.Warning, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	settings, warnings, err := config.Reload(r.last[folder], config.LoadOptions{Project: folder, Client: r.client})
	if r.last == nil {
		r.last = map[string]*config.Settings{}
	}
	r.last[folder] = settings
	return settings, warnings, err
}

// rules are those of a folder, "" for what lies in none.
func (r *ruler) rules(folder string) index.Rules {
	settings, _, err := r.load(folder)
	if err != nil {
		r.log.Warn("bad settings; the last good ones stay in force", "folder", folder, "err", err)
	}
	return rulesOf(settings, folder)
}

// take makes the settings of an editor count, nil for those of before. The error says what is wrong with any settings.
func (r *ruler) take(client map[string]any, x *index.Index) error {
	r.mu.Lock()
	if client != nil {
		r.client = client
	}
	r.shown = nil
	r.mu.Unlock()
	var errs []error
	folders := []string{""}
	for _, f := range x.Status().Folders {
		folders = append(folders, f.Path)
	}
	for _, folder := range folders {
		_, warnings, err := r.load(folder)
		for _, w := range warnings {
			r.log.Warn(w.String())
		}
		if err != nil && !slices.ContainsFunc(errs, func(e error) bool { return e.Error() == err.Error() }) {
			errs = append(errs, err)
		}
	}
	x.Configure(r.rules)
	return errors.Join(errs...)
}

// features are what the settings files of the user and of a project show to editors; what an editor itself has set is
// its own business.
func (r *ruler) features(project string) lsp.Features {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.shown == nil {
		settings, _, err := config.Load(config.LoadOptions{Project: project})
		if err != nil {
			return lsp.DefaultFeatures // said elsewhere, and mended by the next look
		}
		l := &settings.LSP
		r.shown = &lsp.Features{Hover: l.Hover.Enabled, CodeActions: l.CodeActions.Enabled, CodeLens: l.CodeLens.Enabled, DocumentSymbol: l.DocumentSymbol}
	}
	return *r.shown
}

// rulesOf translates settings.
func rulesOf(s *config.Settings, folder string) index.Rules {
	i := &s.Index
	return index.Rules{
		Off:            whyOff(s, folder),
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

// whyOff says why nothing of a folder is indexed and what to do about it, "" when it is.
func whyOff(s *config.Settings, folder string) string {
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
