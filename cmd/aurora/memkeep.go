package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/cmd/aurora/internal/display"
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/atrest"
	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/sqlite"
	"github.com/spf13/cobra"
)

// restoreCommand undoes forget.
func (c *cli) restoreCommand() *cobra.Command {
	limit := 0
	cmd := &cobra.Command{
		Use:   "restore [id]...",
		Short: "Bring forgotten records back; without ids it lists them",
		Args:  cobra.ArbitraryArgs,
		RunE: c.onKeptMemory(func(cmd *cobra.Command, s *session, ids []string) error {
			if len(ids) == 0 {
				return c.listForgotten(cmd, s, limit)
			}
			back, err := s.engine.Restore(cmd.Context(), ids)
			if err != nil {
				return err
			}
			if c.json {
				return c.printJSON(api.RestoreResult{Restored: len(back), IDs: append([]string{}, back...)})
			}
			n := len(back)
			if n == 0 {
				c.wrapped("", "Nothing restored: none of these was forgotten within the last 30 days.")
				return errNothing
			}
			fmt.Fprintf(c.out, "Restored %s\n", display.Count(n, "record"))
			return nil
		}),
	}
	cmd.Flags().IntVar(&limit, "limit", 0, "of the list; 0 means 10")
	return cmd
}

func (c *cli) listForgotten(cmd *cobra.Command, s *session, limit int) error {
	list, total, err := s.engine.Forgotten(cmd.Context(), limit)
	if err != nil {
		return err
	}
	if c.json {
		return c.printJSON(api.RestoreResult{IDs: []string{}, Forgotten: api.FromForgotten(list), Total: total})
	}
	if len(list) == 0 {
		c.wrapped("", "Nothing was forgotten within the last 30 days.")
	}
	for _, f := range list {
		c.hanging(fmt.Sprintf("%s  %s  %s", display.Ago(f.At, c.now()), display.Clean(f.ID), display.Clean(f.Title)), 2)
	}
	if more := total - len(list); more > 0 {
		c.wrapped("", fmt.Sprintf("%d more; --limit shows up to 100.", more))
	}
	return nil
}

// exportCommand writes all of memory as JSON Lines.
func (c *cli) exportCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "export [file]",
		Short: "Write all of memory as JSON Lines, to a file or to standard output",
		Long: `Write all of memory as JSON Lines: records, forgotten ones included, uses, citations, links and the rest.
Nothing is left out; "aurora memory import" reads it back. A file whose name ends with .age is encrypted with the key of
memory.encryption.`,
		Example: "  aurora memory export memory.jsonl\n  aurora memory export memory.jsonl.age\n  aurora memory export | gzip > memory.jsonl.gz",
		Args:    usageArgs(cobra.MaximumNArgs(1)),
		RunE: c.onMemory(func(cmd *cobra.Command, s *session, args []string) error {
			if len(args) == 0 || args[0] == "-" {
				_, err := s.memory.Export(cmd.Context(), c.out)
				return err
			}
			counts, err := exportFile(cmd, s, args[0])
			if err != nil {
				return err
			}
			return c.printCounts("Exported", counts)
		}),
	}
}

// exportFile writes a new file, readable to its owner only, and leaves none behind when that fails.
func exportFile(cmd *cobra.Command, s *session, path string) (memory.Counts, error) {
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".tmp-*")
	if err != nil {
		return nil, failure("Name a file in a folder that may be written.", err)
	}
	counts, err := s.exportTo(cmd.Context(), file, strings.HasSuffix(path, atrest.Ending))
	if err := errors.Join(err, file.Close()); err != nil {
		return nil, errors.Join(err, os.Remove(file.Name()))
	}
	return counts, os.Rename(file.Name(), path)
}

// importCommand reads what exportCommand wrote, chunks as JSON, and old databases.
func (c *cli) importCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "import <file>",
		Short: "Add what was exported, chunks as JSON Lines, or an old database; - reads standard input",
		Long: `Add to memory what "aurora memory export" wrote, reasoning and knowledge chunks as JSON (one a line), or the
records of an old database with a table vector_store_data. Either all is added or, when a line is wrong, nothing.
What is known already is left as it is.`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: c.onKeptMemory(func(cmd *cobra.Command, s *session, args []string) error {
			counts, err := c.importFrom(cmd, s, args[0])
			if errors.Is(err, memory.ErrInvalid) {
				return failure("Nothing was added.", err)
			}
			if err != nil {
				return err
			}
			return c.printCounts("Imported", counts)
		}),
	}
}

func (c *cli) importFrom(cmd *cobra.Command, s *session, path string) (memory.Counts, error) {
	if path == "-" {
		return s.memory.Import(cmd.Context(), c.in)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	magic := make([]byte, len(atrest.Magic))
	if _, err := io.ReadFull(file, magic); err == nil && strings.HasPrefix(string(magic), "SQLite format 3\x00") {
		store, ok := s.memory.(*sqlite.Store)
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
		return s.importSealed(cmd.Context(), file)
	}
	return s.memory.Import(cmd.Context(), file)
}

func (c *cli) printCounts(verb string, counts memory.Counts) error {
	if c.json {
		return c.printJSON(counts)
	}
	if len(counts) == 0 {
		fmt.Fprintf(c.out, "%s nothing: there is nothing\n", verb)
	}
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(c.out, "%s %s: %d\n", verb, kind, counts[kind])
	}
	return nil
}
