package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"unicode"
)

// Editor returns what opens a file in $VISUAL or $EDITOR and waits until the person has left it. It fails when neither names a
// program that is there.
func Editor(c *App) (edit func(ctx context.Context, file string) error, err error) {
	words, err := WordsOf(FirstSet("VISUAL", "EDITOR"))
	if err != nil {
		return nil, Failure("Set EDITOR to a program and its arguments.", err)
	}
	if len(words) == 0 {
		return nil, Failure("Set EDITOR to an editor.", errors.New("neither VISUAL nor EDITOR says which editor to use"))
	}
	if _, err := exec.LookPath(words[0]); err != nil {
		return nil, Failure("Set EDITOR to an editor that is installed.", fmt.Errorf("edit: %w", err))
	}
	return func(ctx context.Context, file string) error {
		editor := exec.CommandContext(ctx, words[0], append(words[1:], file)...)
		editor.Dir = filepath.Dir(file)
		editor.Stdin, editor.Stdout, editor.Stderr = c.In, c.Stdout(), c.Err
		err := editor.Run()
		var ended *exec.ExitError
		if errors.As(err, &ended) {
			return Failure("Look at the file: "+file, fmt.Errorf("the editor %s ended with %w", words[0], err))
		}
		if err != nil {
			return Failure("Set EDITOR to an editor that is installed.", fmt.Errorf("edit %s with %s: %w", file, words[0], err))
		}
		return nil
	}, nil
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
