//go:build unix

package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// absurdNumbers and absurdTexts are what no value should be, by what is wrong with them.
var absurdNumbers = map[string]string{
	"empty": "", "negative": "-1", "huge": "99999999999999999999999", "large": "2147483648", "not a number": "NaN", "infinite": "-Inf", "a word": "many",
}

var absurdTexts = map[string]string{
	"empty": "", "blank": "  ", "a megabyte": strings.Repeat("a", 1<<20), "NUL": "a\x00b", "invalid UTF-8": "a\xff\xfe", "escape sequences": "\x1b[31mred\x1b[0m\x1b]0;title\x07",
	"right to left": "\u202eשלום\u202c", "four bytes": "𝔸🧑‍🚀", "newline": "a\nb", "only commas": ",,,", "an unfinished quotation": `"`, "a path upwards": "../x",
}

// A sampler gives each flag and argument two of the absurd values, the next one the next two, so that all of them are tried
// many times. With AURORA_TEST_ALL each gets every value, in some thousand runs.
type sampler struct{ next int }

func (s *sampler) of(values map[string]string) []string {
	all := slices.Sorted(maps.Keys(values))
	if os.Getenv("AURORA_TEST_ALL") != "" {
		return all
	}
	s.next += 2
	return []string{all[s.next%len(all)], all[(s.next+1)%len(all)]}
}

// longestError is more than any error needs, in bytes: it names what it refuses, and does not repeat a megabyte of it.
const longestError = 4 << 10

// checkAbsurd holds what every command has to do with a value that makes no sense: to refuse it in a few words, or to
// work, for a word that makes no sense may be searched for.
func checkAbsurd(t *testing.T, got outcome, what string) {
	t.Helper()
	short := outcome{got.out[:min(len(got.out), 300)], got.err[:min(len(got.err), 300)], got.code}
	switch {
	case !slices.Contains([]int{app.ExitOK, app.ExitFailed, app.ExitUsage, app.ExitNothing}, got.code):
		t.Errorf("%s: %s", what, short)
	case got.code == app.ExitUsage && got.out != "":
		t.Errorf("%s: a refusal prints to standard output: %s", what, short)
	case (got.code == app.ExitUsage || got.code == app.ExitFailed && got.out == "") && strings.Count(got.err, "Error: ") == 0:
		t.Errorf("%s: it fails without an error: %s", what, short)
	case len(got.err) > longestError:
		t.Errorf("%s: an error of %d bytes: %s", what, len(got.err), short)
	case !utf8.ValidString(got.out+got.err) || display.CleanLines(got.err) != got.err || strings.ContainsAny(got.out, "\x1b\x00\u202e"):
		t.Errorf("%s: it prints what a terminal would obey: %q", what, short)
	}
}

// runBounded runs a command line as long as a person would wait for a refusal.
func (p *project) runBounded(args ...string) outcome {
	ctx, cancel := context.WithTimeout(p.t.Context(), ranTime)
	defer cancel()
	got := p.runContext(ctx, args...)
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		p.t.Errorf("%.300q hangs", args)
	}
	return got
}

// TestEveryFlagBearsAbsurdValues gives each flag of each command absurd values.
func TestEveryFlagBearsAbsurdValues(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs some hundred commands")
	}
	s := newStage(t)
	p := &project{t: t, dir: s.project, home: s.home}
	runs, start, samples := 0, time.Now(), &sampler{}
	eachRunnable(func(cmd *cobra.Command, path []string) {
		var args []string
		for _, arg := range argumentsOf(cmd) {
			args = append(args, s.standIn.Replace(arg))
		}
		try := func(what string, more ...string) {
			runs++
			line := slices.Concat([]string{"aurora"}, path, args, more)
			t.Setenv("AURORA_CONFIG", "")
			t.Setenv("AURORA_LLM_PROVIDER", "")
			checkAbsurd(t, p.runBounded(line...), fmt.Sprintf("%.200q with %s", line, what))
		}
		cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
			if f.Value.Type() == "bool" || slices.Contains(servers, cmd.CommandPath()) && f.Name != "tools" && f.Name != "listen" && f.Name != "http" {
				return
			}
			values := absurdNumbers
			if strings.HasPrefix(f.Value.Type(), "string") {
				values = absurdTexts
			}
			for _, what := range samples.of(values) {
				if slices.Contains(servers, cmd.CommandPath()) && strings.TrimSpace(values[what]) == "" {
					continue // which leaves the flag out
				}
				try(what, "--"+f.Name+"="+values[what])
			}
		})
	})
	t.Logf("%d runs in %v", runs, time.Since(start))
}

// TestEveryArgumentBearsAbsurdValues puts absurd values where a command takes words.
func TestEveryArgumentBearsAbsurdValues(t *testing.T) {
	s := newStage(t)
	p := &project{t: t, dir: s.project, home: s.home}
	samples := &sampler{}
	eachRunnable(func(cmd *cobra.Command, path []string) {
		if !strings.ContainsAny(cmd.Use, "<[") || slices.Contains(servers, cmd.CommandPath()) {
			return
		}
		args := argumentsOf(cmd)
		for _, what := range samples.of(absurdTexts) {
			line := slices.Concat([]string{"aurora"}, path)
			if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
				for _, arg := range args[:max(0, len(requiredArgument.FindAllString(cmd.Use, -1))-1)] {
					line = append(line, s.standIn.Replace(arg))
				}
			}
			line = append(line, "--", absurdTexts[what])
			checkAbsurd(t, p.runBounded(line...), fmt.Sprintf("%.200q with %s", line, what))
		}
	})
}

// TestEveryGlobalFlagBearsAbsurdValues does so for the flags that all commands have.
func TestEveryGlobalFlagBearsAbsurdValues(t *testing.T) {
	p := smallProject(t)
	samples := &sampler{}
	rootCommand((&app.App{}), "aurora").PersistentFlags().VisitAll(func(f *pflag.Flag) {
		for _, what := range samples.of(absurdTexts) {
			value := absurdTexts[what]
			for _, words := range []string{"status", "mem search Backoff"} {
				t.Setenv("AURORA_CONFIG", "")
				t.Setenv("AURORA_LLM_PROVIDER", "")
				line := append(strings.Fields("aurora "+words), "--"+f.Name+"="+value)
				checkAbsurd(t, p.runBounded(line...), fmt.Sprintf("%.200q with %s", line, what))
			}
		}
	})
}

// TestEveryMissingArgument has every command that needs words say which.
func TestEveryMissingArgument(t *testing.T) {
	p := smallProject(t)
	eachRunnable(func(cmd *cobra.Command, path []string) {
		if len(requiredArgument.FindAllString(cmd.Use, -1)) == 0 {
			return
		}
		line := append([]string{"aurora"}, path...)
		got := p.runBounded(line...)
		checkRefusal(t, got, app.ExitUsage, line)
		if !strings.Contains(got.err, "missing ") {
			t.Errorf("%q does not say what is missing: %s", line, got)
		}
	})
}

// TestEveryTypingError has every command and every flag be suggested to anyone who leaves out a letter of its name.
func TestEveryTypingError(t *testing.T) {
	p := newProject(t)
	eachRunnable(func(cmd *cobra.Command, path []string) {
		name := path
		if len(name) > 0 && len(cmd.Name()) >= 4 && cmd.Parent().Name() != "mem" && cmd.Parent().Args != nil { // behind mem stands what is looked for
			last := name[len(name)-1]
			line := slices.Concat([]string{"aurora"}, name[:len(name)-1], []string{last[:2] + last[3:]})
			got := p.runBounded(line...)
			if got.code != app.ExitUsage || !strings.Contains(got.err, "Did you mean: ") || got.out != "" {
				t.Errorf("%q: %s", line, got)
			}
		}
		if cmd.CommandPath() == "aurora config set" { // behind a key, everything is a value
			return
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if len(f.Name) < 4 || f.Hidden {
				return
			}
			line := slices.Concat([]string{"aurora"}, path, []string{"--" + f.Name[:2] + f.Name[3:]})
			if got := p.runBounded(line...); got.code != app.ExitUsage || !strings.Contains(got.err, "Did you mean: --") || got.out != "" {
				t.Errorf("%q: %s", line, got)
			}
		})
	})
}

// TestEveryContradiction sets all flags of each group of flags that exclude each other.
func TestEveryContradiction(t *testing.T) {
	p := smallProject(t)
	groups := 0
	eachRunnable(func(cmd *cobra.Command, path []string) {
		seen := map[string]bool{}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			for _, group := range f.Annotations["cobra_annotation_mutually_exclusive"] {
				if seen[group] {
					continue
				}
				seen[group] = true
				groups++
				line := append([]string{"aurora"}, path...)
				line = append(line, argumentsOf(cmd)...)
				for _, name := range strings.Fields(group) {
					value := map[string]string{"bool": "true", "string": "x", "int": "1", "float64": "0.5"}[cmd.Flags().Lookup(name).Value.Type()]
					line = append(line, "--"+name+"="+value)
				}
				got := p.runBounded(line...)
				checkRefusal(t, got, app.ExitUsage, line)
				if !strings.Contains(got.err, "exclude each other") {
					t.Errorf("%q: %s", line, got)
				}
			}
		})
	})
	t.Logf("%d groups", groups)
}

// TestEveryErrorAsJSON has a refusal be one object on standard error, which says what, of which kind, and what to do.
func TestEveryErrorAsJSON(t *testing.T) {
	p := newProject(t)
	eachRunnable(func(cmd *cobra.Command, path []string) {
		if cmd.CommandPath() == "aurora config set" {
			return
		}
		line := slices.Concat([]string{"aurora", "--json"}, path, []string{"--no-such-flag"})
		got := p.runBounded(line...)
		var told struct {
			Error struct{ Kind, Message, Remedy string }
		}
		if err := json.Unmarshal([]byte(got.err), &told); err != nil || told.Error.Kind != "usage" || told.Error.Message == "" || told.Error.Remedy == "" || got.out != "" {
			t.Errorf("%q: %v: %s", line, err, got)
		}
	})
}
