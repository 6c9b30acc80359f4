package memory

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/aurora-sidecar/aurora/memory/sqlite"
	"github.com/spf13/cobra"
)

// A storedBackup is a backup of memory in the result of mem restore-backup.
type storedBackup struct {
	Date      string `json:"date"` // as in the name of the file
	Path      string `json:"path"`
	Changed   string `json:"changed"` // when what it holds was last changed
	SizeBytes int64  `json:"sizeBytes"`
	Records   int    `json:"records"`
	Error     string `json:"error,omitempty"` // why it can't be read
}

// A restoredBackup is the result of mem restore-backup with a date.
type restoredBackup struct {
	Restored string `json:"restored"` // the file of the backup
	Records  int    `json:"records"`
	Aside    string `json:"aside,omitempty"` // where the memory is that it replaced; left out when there was none
}

// restoreBackupCommand lists the backups of memory, and puts one in its place.
func restoreBackupCommand(c *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "restore-backup [date]",
		Short: "List the backups of memory, or put one in its place",
		Long: `List the backups of memory with their records and sizes, or put the one of a date in its place. AURORA makes one a day
when memory has changed, and keeps seven; others are made before memory is migrated.

What memory holds now is moved aside under a name that begins with "replaced-", and listed, too: restoring that undoes it. AURORA must
not be running: close the editors, and stop the daemons.`,
		Example: "  aurora mem restore-backup\n  aurora mem restore-backup 2026-11-22\n  aurora mem restore-backup ~/.aurora/memory.db.bak-v7",
		Args:    app.UsageArgs(cobra.MaximumNArgs(1)),
		RunE: onSealer(c, func(cmd *cobra.Command, s *sealer, args []string) error {
			if s.settings.Memory.DatabasePath == "" {
				return app.Failure("Set memory.database_path.", errors.New("memory is not kept on disk"))
			}
			list, err := sqlite.Backups(cmd.Context(), s.settings.Memory.DatabasePath, sqlite.Encryption(s.policy))
			if err != nil {
				return err
			}
			if len(args) == 0 {
				return printBackups(c, list)
			}
			return s.restoreBackup(cmd.Context(), list, args[0])
		}),
	}
}

func printBackups(c *app.App, list []sqlite.Backup) error {
	if c.JSON {
		out := []storedBackup{}
		for _, b := range list {
			out = append(out, storedBackup{b.Date, b.Path, b.Changed.UTC().Format(time.RFC3339), b.Size, b.Records, errorText(b.Err)})
		}
		return app.Found(len(out), c.PrintJSON(out))
	}
	if len(list) == 0 {
		c.Wrapped("", "There is no backup of memory yet: the first one is made on the day after something was remembered.")
		return app.ErrNothing
	}
	table := display.Table{Columns: []display.Column{{Title: "Date"}, {Title: "Records"}, {Title: "Size"}, {Title: "Last change"}, {Title: "File", Min: 20, Left: true}}}
	for _, b := range list {
		records := fmt.Sprint(b.Records)
		if b.Err != nil {
			records = "can't be read"
		}
		table.Rows = append(table.Rows, []string{b.Date, records, display.Bytes(b.Size), display.Ago(b.Changed, c.Now()), display.Clean(config.Tilde(b.Path))})
	}
	c.Notes(c.PrintTable(table))
	return nil
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// restoreBackup puts the backup of a date, or with a path, in the place of memory.
func (s *sealer) restoreBackup(ctx context.Context, list []sqlite.Backup, name string) error {
	i := slices.IndexFunc(list, func(b sqlite.Backup) bool {
		return name == b.Date || filepath.Clean(name) == b.Path || name == filepath.Base(b.Path)
	})
	if i < 0 {
		return &app.Exit{Code: app.ExitNothing, Err: fmt.Errorf("there is no backup %s", display.Clean(name)), Remedy: "aurora mem restore-backup lists those that there are."}
	}
	opts := sqlite.Options{Encryption: sqlite.Encryption(s.policy), Now: s.cli.Now, Version: app.ReadBuild().Version}
	aside, err := sqlite.RestoreBackup(ctx, s.settings.Memory.DatabasePath, list[i].Path, opts)
	if errors.Is(err, sqlite.ErrInUse) {
		return app.Failure("Close the editors and run: aurora daemon stop --all. Nothing was changed; then call this again.", err)
	}
	if err != nil {
		return app.Failure("Memory is what it was. Choose another backup: aurora mem restore-backup lists them.", err)
	}
	done := restoredBackup{Restored: list[i].Path, Records: list[i].Records, Aside: aside}
	if s.cli.JSON {
		return s.cli.PrintJSON(done)
	}
	s.cli.Wrapped("", fmt.Sprintf("Memory is the backup of %s again: %s.", list[i].Date, display.Count(done.Records, "record")))
	if aside != "" {
		s.cli.Wrapped("", fmt.Sprintf("What it was is kept as %s; `aurora mem restore-backup` lists it, too.", config.Tilde(aside)))
	}
	return nil
}
