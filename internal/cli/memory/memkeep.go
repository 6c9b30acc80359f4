package memory

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/capture"
	"github.com/aurora-sidecar/aurora/internal/atrest"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/sqlite"
	"github.com/spf13/cobra"
)

// onMemoryFile adapts a command that reads the file of memory as a whole or, with change, adds to it.
func onMemoryFile(c *app.App, change bool, run func(cmd *cobra.Command, s *workspace.Session, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		s, err := workspace.OpenMemorySession(cmd.Context(), c)
		if err != nil {
			return err
		}
		defer s.Close()
		if err := s.Parts.Engine.MemoryTrouble(change); err != nil {
			return err
		}
		return run(cmd, s, args)
	}
}

// exportCommand writes all of memory as JSON Lines.
func exportCommand(c *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "export [file]",
		Short: "Write all of memory as JSON Lines, or the project's decisions into AGENTS.md",
		Long: `Write all of memory as JSON Lines: records, forgotten ones included, uses, citations, links and the rest.
Nothing is left out; "aurora mem import" reads it back. A file whose name ends with .age is encrypted with the key of
memory.encryption.

Into a Markdown file, such as AGENTS.md, go the decisions of the project that is open, as a list between two marks; the rest
of the file stays, and the next export takes the list's place. Those that are stale or wait for a review are left out.`,
		Example: "  aurora mem export memory.jsonl\n  aurora mem export memory.jsonl.age\n  aurora mem export | gzip > memory.jsonl.gz\n  aurora mem export AGENTS.md",
		Args:    app.UsageArgs(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && strings.EqualFold(filepath.Ext(args[0]), ".md") {
				return exportDecisions(cmd.Context(), c, args[0])
			}
			return exportStore(c)(cmd, args)
		},
	}
}

// exportStore writes everything as JSON Lines.
func exportStore(c *app.App) func(*cobra.Command, []string) error {
	return onMemoryFile(c, false, func(cmd *cobra.Command, s *workspace.Session, args []string) error {
		if len(args) == 0 || args[0] == "-" {
			_, err := s.Parts.Memory.Export(cmd.Context(), c.Out)
			return err
		}
		counts, err := exportFile(cmd, s, args[0])
		if err != nil {
			return err
		}
		return printCounts(c, "Exported", counts)
	})
}

// exportFile writes a new file, readable to its owner only, and leaves none behind when that fails.
func exportFile(cmd *cobra.Command, s *workspace.Session, path string) (memory.Counts, error) {
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".tmp-*")
	if err != nil {
		return nil, app.Failure("Name a file in a folder that may be written.", err)
	}
	counts, err := s.ExportTo(cmd.Context(), file, strings.HasSuffix(path, atrest.Ending))
	if err := errors.Join(err, file.Close()); err != nil {
		return nil, errors.Join(err, os.Remove(file.Name()))
	}
	return counts, os.Rename(file.Name(), path)
}

// importCommand reads what exportCommand wrote, chunks as JSON, and old databases.
func importCommand(c *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "import [file]...",
		Short: "Add what was exported, decision records, and what other tools were told of the project",
		Long: `Add to memory what "aurora mem export" wrote, reasoning and knowledge chunks as JSON (one a line), or the
records of an old database with a table vector_store_data; - reads standard input. Either all is added or, when a line is
wrong, nothing.

Of Markdown files, or folders of them, each section becomes a note that cites its place: instructions and memory of Claude
Code, Cursor, Copilot and other agents, and decision records (in adr, docs/decisions ...), unless those are superseded,
rejected or only proposed. Without a file the command lists those of the project, and adds nothing.

What is known already is left as it is.`,
		Example: "  aurora mem import                        # which files there are\n  aurora mem import CLAUDE.md .cursor/rules docs/adr\n  aurora mem import memory.jsonl",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 || !slices.ContainsFunc(args, func(path string) bool { return !capture.IsGuide(path) }) {
				return importGuides(cmd.Context(), c, args)
			}
			if len(args) > 1 {
				return app.UsageError("Name one export at a time, or Markdown files only.", "%d files, of which not all are Markdown", len(args))
			}
			return importStore(c)(cmd, args)
		},
	}
}

// importStore adds an export, chunks, or an old database.
func importStore(c *app.App) func(*cobra.Command, []string) error {
	return onMemoryFile(c, true, func(cmd *cobra.Command, s *workspace.Session, args []string) error {
		counts, err := importFrom(c, cmd, s, args[0])
		if errors.Is(err, memory.ErrInvalid) {
			return app.Failure("Nothing was added.", err)
		}
		if err != nil {
			return err
		}
		return printCounts(c, "Imported", counts)
	})
}

func importFrom(c *app.App, cmd *cobra.Command, s *workspace.Session, path string) (memory.Counts, error) {
	if path == "-" {
		return s.Parts.Memory.Import(cmd.Context(), c.In)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	magic := make([]byte, len(atrest.Magic))
	if _, err := io.ReadFull(file, magic); err == nil && strings.HasPrefix(string(magic), "SQLite format 3\x00") {
		store, ok := s.Parts.Memory.(*sqlite.Store)
		if !ok {
			return nil, errors.New("this store can't read other databases")
		}
		return store.ImportLegacy(cmd.Context(), path)
	}
	sealed := atrest.IsSealed(magic)
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	if sealed {
		return s.ImportSealed(cmd.Context(), file)
	}
	return s.Parts.Memory.Import(cmd.Context(), file)
}

func printCounts(c *app.App, verb string, counts memory.Counts) error {
	if c.JSON {
		return c.PrintJSON(counts)
	}
	if len(counts) == 0 {
		fmt.Fprintf(c.Out, "%s nothing: there is nothing\n", verb)
	}
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(c.Out, "%s %s: %d\n", verb, kind, counts[kind])
	}
	return nil
}
