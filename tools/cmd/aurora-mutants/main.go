package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const usage = `usage: aurora-mutants [flags] FOLDER [TESTS]...

Draws mutants of the package in FOLDER, and runs each of TESTS, arguments of go test such as "./engine -run Purge", until one
fails; without any, those of FOLDER. Run it in the root of a module. The exit code is 1 when fewer than three quarters are caught.

`

// options say which mutants are made, and how they are tested.
type options struct {
	count   int
	seed    uint64
	places  []string // only these; none is all
	short   bool
	timeout time.Duration
	folder  string
	tests   []string
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	o, err := parse(os.Args[1:])
	caught, done := 0, 0
	if err == nil {
		caught, done, err = run(ctx, o, os.Stdout)
	}
	stop()
	switch {
	case errors.Is(err, flag.ErrHelp):
		os.Exit(2)
	case err != nil:
		fmt.Fprintln(os.Stderr, "aurora-mutants:", err)
		os.Exit(2)
	case 4*caught < 3*done:
		os.Exit(1)
	}
}

func parse(args []string) (options, error) {
	var o options
	flags := flag.NewFlagSet("aurora-mutants", flag.ContinueOnError)
	flags.Usage = func() {
		fmt.Fprint(flags.Output(), usage)
		flags.PrintDefaults()
	}
	flags.IntVar(&o.count, "n", 40, "how many mutants that compile are tested")
	flags.Uint64Var(&o.seed, "seed", 1, "of the draw")
	flags.BoolVar(&o.short, "short", false, "leave slow tests out")
	flags.DurationVar(&o.timeout, "timeout", 5*time.Minute, "of one run of tests")
	flags.Func("at", "only at this place, file:line:column; may be given several times", func(at string) error {
		o.places = append(o.places, at)
		return nil
	})
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() == 0 {
		return o, errors.New("name the folder of a package")
	}
	o.folder, o.tests = filepath.Clean(flags.Arg(0)), flags.Args()[1:]
	if len(o.tests) == 0 {
		o.tests = []string{"./" + filepath.ToSlash(o.folder)}
	}
	return o, nil
}

// run tells of each mutant whether it was caught.
func run(ctx context.Context, o options, out io.Writer) (caught, done int, err error) {
	all, err := mutants(o.folder)
	if err != nil {
		return 0, 0, err
	}
	rand.New(rand.NewPCG(o.seed, 1)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	scratch, err := os.MkdirTemp("", "mutants-")
	if err != nil {
		return 0, 0, err
	}
	defer os.RemoveAll(scratch)
	for _, m := range all {
		if done == o.count {
			break
		}
		if len(o.places) > 0 && !slices.Contains(o.places, m.place) {
			continue
		}
		overlay, err := m.overlay(scratch)
		if err != nil {
			return caught, done, err
		}
		if goCommand(ctx, "build", "-overlay", overlay, "./"+filepath.ToSlash(o.folder)) != nil && ctx.Err() == nil {
			continue // no program
		}
		by := o.catch(ctx, overlay)
		if ctx.Err() != nil {
			return caught, done, ctx.Err()
		}
		done++
		if by == "" {
			fmt.Fprintf(out, "missed  %s %s\n", m.place, m.change)
			continue
		}
		caught++
		fmt.Fprintf(out, "caught  %s %s by %s\n", m.place, m.change, by)
	}
	fmt.Fprintf(out, "%d of %d caught, of %d that there are\n", caught, done, len(all))
	return caught, done, nil
}

// overlay writes what the go command reads instead of a file.
func (m *mutant) overlay(scratch string) (string, error) {
	source, overlay := filepath.Join(scratch, "mutant.go"), filepath.Join(scratch, "overlay.json")
	list, err := json.Marshal(map[string]any{"Replace": map[string]string{m.file: source}})
	return overlay, errors.Join(err, os.WriteFile(source, m.source, 0o600), os.WriteFile(overlay, list, 0o600))
}

// catch returns the first tests that fail, "" for none.
func (o *options) catch(ctx context.Context, overlay string) string {
	args := []string{"test", "-overlay", overlay, "-vet=off", "-failfast", "-count=1", "-timeout", o.timeout.String()}
	if o.short {
		args = append(args, "-short")
	}
	for _, tests := range o.tests {
		if goCommand(ctx, append(slices.Clone(args), strings.Fields(tests)...)...) != nil {
			return tests
		}
	}
	return ""
}

func goCommand(ctx context.Context, args ...string) error {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.WaitDelay = time.Second
	return cmd.Run()
}
