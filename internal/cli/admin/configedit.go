package admin

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/jsonfile"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/spf13/cobra"
)

func configEditCommand(c *app.App) *cobra.Command {
	var local bool
	cmd := &cobra.Command{
		Use:   "edit",
		Short: "Open your own file, or with --local the project's, in $VISUAL or $EDITOR, and check it afterwards",
		Args:  app.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			file, _, err := workspace.ConfigFile(c, local)
			if err != nil {
				return err
			}
			if err := editFile(c, cmd, file); err != nil {
				return err
			}
			return validateConfig(c)
		},
	}
	cmd.Flags().BoolVar(&local, "local", false, "the project's file, .aurora/config.json")
	return cmd
}

// editFile opens an editor on a file, which is made when it is missing, and waits for it.
func editFile(c *app.App, cmd *cobra.Command, file string) error {
	words, err := WordsOf(app.FirstSet("VISUAL", "EDITOR"))
	if err != nil {
		return app.Failure("Set EDITOR to a program and its arguments.", err)
	}
	if len(words) == 0 {
		return app.Failure("Set EDITOR, or open "+file+" yourself.", errors.New("neither VISUAL nor EDITOR says which editor to use"))
	}
	if _, err := exec.LookPath(words[0]); err != nil {
		return app.Failure("Set EDITOR to an editor that is installed.", fmt.Errorf("edit %s: %w", file, err))
	}
	if _, err := os.Stat(file); errors.Is(err, os.ErrNotExist) {
		if err := jsonfile.Write(file, []byte("{\n}\n")); err != nil {
			return err
		}
	}
	editor := exec.CommandContext(cmd.Context(), words[0], append(words[1:], file)...)
	editor.Dir = filepath.Dir(file)
	editor.Stdin, editor.Stdout, editor.Stderr = c.In, c.Stdout(), c.Err
	err = editor.Run()
	var ended *exec.ExitError
	if errors.As(err, &ended) {
		return app.Failure("Look at the file with: aurora config validate", fmt.Errorf("the editor %s ended with %w", words[0], err))
	}
	if err != nil {
		return app.Failure("Set EDITOR to an editor that is installed.", fmt.Errorf("edit %s with %s: %w", file, words[0], err))
	}
	return nil
}

// WordsOf cuts a command into words at blanks; quotes keep a word together, and a command that is the path of a program is
// one word.
func WordsOf(command string) ([]string, error) {
	if info, err := os.Stat(command); err == nil && !info.IsDir() {
		return []string{command}, nil
	}
	var words []string
	var word strings.Builder
	var quote rune
	started := false
	for _, r := range command {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			quote, started = r, true
		case quote == 0 && unicode.IsSpace(r):
			if started {
				words, started = append(words, word.String()), false
				word.Reset()
			}
		default:
			word.WriteRune(r)
			started = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("a quote is not closed in the editor %s", command)
	}
	if started {
		words = append(words, word.String())
	}
	return words, nil
}
