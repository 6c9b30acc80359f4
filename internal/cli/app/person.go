package app

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
)

// AsksPerson reports whether somebody can answer: what is read and written is a terminal.
func (c *App) AsksPerson() bool { return c.ErrTTY && !c.JSON }

// ReadLine reads a line that the person types. It ends with ctx; then the process is about to end, too.
func (c *App) ReadLine(ctx context.Context) (line string, ok bool, err error) {
	c.typing.Lock()
	defer c.typing.Unlock()
	if c.typed == nil {
		c.typed = bufio.NewReader(c.In)
	}
	type read struct {
		line string
		err  error
	}
	done := make(chan read, 1)
	go func() {
		line, err := c.typed.ReadString('\n')
		done <- read{line, err}
	}()
	select {
	case r := <-done:
		return strings.TrimSpace(r.line), r.err == nil || r.line != "", nil
	case <-ctx.Done():
		fmt.Fprintln(c.Err)
		return "", false, ctx.Err()
	}
}

// AskPerson implements engine.Asker on the terminal. An empty line takes the default.
func (c *App) AskPerson(ctx context.Context, q engine.Question) (string, bool, error) {
	fmt.Fprintf(c.Err, "\n%s asks: %s\n", display.Clean(q.AgentID), display.CleanLines(q.Text))
	for i, choice := range q.Choices {
		fmt.Fprintf(c.Err, "  %d) %s\n", i+1, display.Clean(choice))
	}
	prompt := "> "
	if q.Default != "" {
		prompt = "[" + display.Clean(q.Default) + "] > "
	}
	for {
		fmt.Fprint(c.Err, prompt)
		line, ok, err := c.ReadLine(ctx)
		if err != nil || !ok || line == "" {
			return "", false, err
		}
		answer, ok := choose(line, q.Choices)
		if ok {
			return answer, true, nil
		}
		fmt.Fprintf(c.Err, "Type a number from 1 to %d, or one of the answers; an empty line declines.\n", len(q.Choices))
	}
}

// choose returns the choice that a line means: its number, its text, or what only one of them begins with.
func choose(line string, choices []string) (string, bool) {
	if len(choices) == 0 {
		return line, true
	}
	if n, err := strconv.Atoi(line); err == nil && n >= 1 && n <= len(choices) {
		return choices[n-1], true
	}
	found, times := "", 0
	for _, choice := range choices {
		if strings.EqualFold(choice, line) {
			return choice, true
		}
		if strings.HasPrefix(strings.ToLower(choice), strings.ToLower(line)) {
			found, times = choice, times+1
		}
	}
	return found, times == 1
}

// MaxInput is the most bytes read from standard input for one text.
const MaxInput = 1 << 20

// TextOf joins the arguments; a single "-" stands for standard input.
func TextOf(ctx context.Context, c *App, args []string) (string, error) {
	if len(args) != 1 || args[0] != "-" {
		return strings.Join(args, " "), nil
	}
	type input struct {
		text []byte
		err  error
	}
	read := make(chan input, 1) // a terminal that nobody types at must not keep Ctrl-C waiting
	go func() {
		text, err := io.ReadAll(io.LimitReader(c.In, MaxInput+1))
		read <- input{text, err}
	}()
	select {
	case in := <-read:
		if in.err != nil {
			return "", fmt.Errorf("read standard input: %w", in.err)
		}
		if len(in.text) > MaxInput {
			return "", Failure("Keep the part that matters.", fmt.Errorf("standard input is larger than %d bytes", MaxInput))
		}
		return string(in.text), nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}
