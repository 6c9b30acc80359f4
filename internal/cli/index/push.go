package index

import (
	"context"
	"fmt"

	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/aurora-sidecar/aurora/internal/setup"
)

// A pushReport is what --push prints as JSON.
type pushReport struct {
	Folder    string `json:"folder"`
	Commit    string `json:"commit"`
	Files     int    `json:"files"`     // in the pack
	LeftOut   int    `json:"leftOut"`   // files that are changed, have secrets or are not parsed in whole
	PackBytes int64  `json:"packBytes"` // 0 when the pack was there
	Entries   int    `json:"entries"`   // of single files
	PublicKey string `json:"publicKey"`
}

// pushIndex fills the shared cache. It works in this process, which has the key, also beside a daemon.
func pushIndex(ctx context.Context, c *app.App, args []string) error {
	s, err := workspace.OpenProject(ctx, c, args...)
	if err != nil {
		return err
	}
	defer s.Close()
	w, public, err := setup.SharedCacheWriter(s.Parts.Settings)
	if err != nil {
		return app.Failure("docs/team.md has an example.", err)
	}
	if err := indexHere(ctx, s); err != nil {
		return err
	}
	pushed, err := index.Push(ctx, s.Parts.Index, w)
	if err != nil {
		return app.Failure("What was stored stays. Call it again: it goes on with what is missing.", err)
	}
	var reports []pushReport
	for _, p := range pushed {
		reports = append(reports, pushReport{p.Folder, p.Commit, p.Files, p.Without, p.Bytes, p.Entries, public})
	}
	if c.JSON {
		return c.PrintJSON(reports)
	}
	for _, r := range reports {
		what := "was there"
		if r.PackBytes > 0 {
			what = fmt.Sprintf("%s, and %s by themselves", display.Bytes(r.PackBytes), display.Count(r.Entries, "file"))
		}
		fmt.Fprintf(c.Out, "Pack of commit %.10s with %s: %s; %d left out (changed, with secrets, or not parsed in whole)\n", r.Commit, display.Count(r.Files, "file"), what, r.LeftOut)
	}
	if s.Parts.Settings.Storage.SharedCache.PublicKey == "" {
		fmt.Fprintf(c.Out, "Its users set storage.shared_cache.public_key to %s\n", public)
	}
	return nil
}

// indexHere waits until this process has indexed the project.
func indexHere(ctx context.Context, s *workspace.Session) error {
	if err := s.Refusal(); err != nil {
		return err
	}
	defer s.ShowProgress(true)()
	x := s.Parts.Index
	if err := x.WaitReady(ctx); err != nil {
		return fmt.Errorf("index %s: %w", s.Root, err)
	}
	if !s.Parts.Settings.Index.Bootstrap.Enabled {
		if _, err := x.Refresh(ctx, nil, false); err != nil {
			return fmt.Errorf("index %s: %w", s.Root, err)
		}
	}
	return x.Flush(ctx)
}
