package eval

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// CallerOptions say what ReplayCallers replays.
type CallerOptions struct {
	Program string // the aurora whose reviews are scored
	Dir     string // a repository
	Commits int    // the newest that are looked at, without merges
	Removed bool   // score removed-still-used, in commits that remove a definition, in place of caller-not-updated
}

func (o *CallerOptions) rule() string {
	if o.Removed {
		return "removed-still-used"
	}
	return "caller-not-updated"
}

// A CallerReport is what reviews said of callers, or of uses of what was removed, of whole commits and of those from which one caller's file was left out.
type CallerReport struct {
	Commits  int            `json:"commits"`  // looked at
	Changed  int            `json:"changed"`  // in which the head of a function was changed, or a definition removed
	Complete int            `json:"complete"` // findings for those as they were committed
	LeftOut  int            `json:"left_out"` // commits from which a file that calls the function was left out
	Named    int            `json:"named"`    // of LeftOut, those of which a finding names that file
	Wrong    int            `json:"wrong"`    // findings of LeftOut in other files
	Other    map[string]int `json:"other"`    // findings of the other rules for whole commits
	Messages []string       `json:"messages"` // findings of Complete and of Wrong, to be judged
	Missed   []string       `json:"missed"`   // files of LeftOut that no finding names
}

// Add adds up.
func (r *CallerReport) Add(o *CallerReport) {
	r.Commits, r.Changed, r.Complete = r.Commits+o.Commits, r.Changed+o.Changed, r.Complete+o.Complete
	r.LeftOut, r.Named, r.Wrong = r.LeftOut+o.LeftOut, r.Named+o.Named, r.Wrong+o.Wrong
	r.Messages, r.Missed = append(r.Messages, o.Messages...), append(r.Missed, o.Missed...)
	for rule, n := range o.Other {
		r.Other[rule] += n
	}
}

// changedHead matches the head of a function in a removed or added line, and its name.
var changedHead = regexp.MustCompile(`(?m)^[-+]\s*(?:(?:export|default|async|pub|public|private|protected|static|final|override|abstract|unsafe|const|inline)\s+)*(?:func|def|function|fn|fun)\b\s*(?:\([^)]*\)\s*)?(\w+)\(`)

// ReplayCallers reviews commits that changed the head of a function, in a clone of its own: as they are, where a finding about a
// caller is taken for wrong, since people have committed it so; and with one of the other changed files that call the function as it
// was before, which a review should name.
func ReplayCallers(ctx context.Context, o CallerOptions) (*CallerReport, error) {
	tmp, err := os.MkdirTemp("", "aurora-callers")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	r := callerReplay{ctx: ctx, o: o, home: filepath.Join(tmp, "home"), clone: filepath.Join(tmp, "clone"), report: &CallerReport{Other: map[string]int{}}}
	if _, err := r.run(tmp, nil, "git", "clone", "-q", "--no-hardlinks", o.Dir, r.clone); err != nil {
		return nil, err
	}
	log, err := r.git("log", "--no-merges", "--first-parent", "--format=%H", fmt.Sprintf("-n%d", o.Commits))
	if err != nil {
		return nil, err
	}
	for commit := range strings.FieldsSeq(log) {
		if err := r.replay(commit); err != nil {
			return nil, fmt.Errorf("replay %s of %s: %w", commit, o.Dir, err)
		}
	}
	return r.report, nil
}

type callerReplay struct {
	ctx         context.Context
	o           CallerOptions
	home, clone string
	report      *CallerReport
}

func (r *callerReplay) replay(commit string) error {
	r.report.Commits++
	diff, err := r.git("diff", "-U0", "--no-renames", commit+"^", commit)
	if err != nil {
		return nil // the first one
	}
	names := changedNames(diff)
	if r.o.Removed {
		names = slices.DeleteFunc(removedNames(diff), func(name string) bool {
			head := `(func|def|function|fn|fun|class|struct|type|interface|trait|enum|const|let|var)([[:space:]]+\([^)]*\))?[[:space:]]+` + name
			_, err := r.git("grep", "-qwE", head, commit)
			return err == nil // another definition
		})
	}
	if len(names) == 0 || len(diff) > 1<<20 {
		return nil
	}
	r.report.Changed++
	if _, err := r.git("checkout", "-q", "-f", commit); err != nil {
		return err
	}
	findings, err := r.review(diff)
	if err != nil {
		return err
	}
	for _, f := range findings {
		if f.Rule == r.o.rule() {
			r.report.Complete += len(f.Related)
			for _, p := range f.Related {
				r.say(commit, "whole", f, p)
			}
		} else {
			r.report.Other[f.Rule]++
		}
	}
	path := callerFile(diff, names, commit, r.o.Removed)
	if path == "" {
		return nil
	}
	if _, err := r.git("checkout", "-q", commit+"^", "--", path); err != nil {
		return nil // a new file
	}
	rest, err := r.git("diff", "-U0", "--no-renames", commit+"^", "--", ".", ":!"+path)
	if err != nil || rest == "" {
		return err
	}
	if findings, err = r.review(rest); err != nil {
		return err
	}
	r.report.LeftOut++
	named := false
	for _, f := range findings {
		if f.Rule != r.o.rule() {
			continue
		}
		for _, p := range f.Related {
			if p.Path == path {
				named = true
			} else {
				r.report.Wrong++
				r.say(commit, "without "+path, f, p)
			}
		}
	}
	if named {
		r.report.Named++
	} else {
		r.report.Missed = append(r.report.Missed, fmt.Sprintf("%.12s %s: %s", commit, path, strings.Join(names, ", ")))
	}
	return nil
}

func (r *callerReplay) say(commit, how string, f callerFinding, p callerPlace) {
	r.report.Messages = append(r.report.Messages, fmt.Sprintf("%.12s %s: %s:%d %s: %s", commit, how, p.Path, p.Line, p.Message, f.Message))
}

type callerFinding struct {
	Rule, Path, Message string
	Line                int
	Related             []callerPlace
}

// A callerPlace is a call or a use that a finding names.
type callerPlace struct {
	Path, Message string
	Line          int
}

func (r *callerReplay) review(patch string) ([]callerFinding, error) {
	out, err := r.run(r.clone, strings.NewReader(patch), r.o.Program, "review", "--patch", "-", "--json")
	var found struct{ Findings []callerFinding }
	if jsonErr := json.Unmarshal(out, &found); jsonErr != nil {
		return nil, errors.Join(err, jsonErr)
	}
	return found.Findings, nil
}

func (r *callerReplay) git(args ...string) (string, error) {
	out, err := r.run(r.clone, nil, "git", args...)
	return string(out), err
}

func (r *callerReplay) run(dir string, in *strings.Reader, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(r.ctx, name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "HOME="+r.home, "GIT_CONFIG_NOSYSTEM=1")
	if in != nil {
		cmd.Stdin = in
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%s %v: %w: %.300s", name, args, err, stderr.String())
	}
	return out, err
}

// changedNames are the functions whose heads a diff removes and adds.
func changedNames(diff string) []string {
	removed, seen := map[string]bool{}, map[string]bool{}
	var names []string
	for _, m := range changedHead.FindAllStringSubmatch(diff, -1) {
		switch {
		case m[0][0] == '-':
			removed[m[1]] = true
		case removed[m[1]] && !seen[m[1]]:
			seen[m[1]] = true
			names = append(names, m[1])
		}
	}
	return names
}

// definitionHead matches the head of a definition in a removed or added line, and its name.
var definitionHead = regexp.MustCompile(`(?m)^[-+]\s*(?:(?:export|default|async|pub(?:\([a-z]+\))?|public|private|protected|internal|static|final|override|abstract|sealed|data|unsafe|inline)\s+)*(?:func|def|function|fn|fun|class|struct|type|interface|trait|enum)\s+(?:\([^)]*\)\s*)?(\w+)`)

// removedNames are the definitions whose heads a diff removes and adds nowhere.
func removedNames(diff string) []string {
	added, seen := map[string]bool{}, map[string]bool{}
	heads := definitionHead.FindAllStringSubmatch(diff, -1)
	for _, m := range heads {
		if m[0][0] == '+' {
			added[m[1]] = true
		}
	}
	var names []string
	for _, m := range heads {
		if m[0][0] == '-' && !added[m[1]] && !seen[m[1]] && len(m[1]) > 2 {
			seen[m[1]] = true
			names = append(names, m[1])
		}
	}
	return names
}

// callerFile is a changed file that calls one of the functions in removed and in added lines and changes the head of none, chosen by
// the commit; "" when there is none. With removed it is one that has a name in removed lines alone, and is still there.
func callerFile(diff string, names []string, commit string, removed bool) string {
	var fit []string
	for _, part := range strings.Split(diff, "\ndiff --git ") {
		_, path, ok := strings.Cut(part, "\n+++ b/")
		if !ok {
			continue
		}
		path, body, _ := strings.Cut(path, "\n")
		if !removed && changedHead.MatchString(body) {
			continue
		}
		for _, name := range names {
			if removed {
				word := `\b` + regexp.QuoteMeta(name) + `\b`
				if regexp.MustCompile(`(?m)^-.*`+word).MatchString(body) && !regexp.MustCompile(`(?m)^\+.*`+word).MatchString(body) && !definesOne(body, names) && isCode(path) {
					fit = append(fit, strings.TrimSpace(path))
					break
				}
				continue
			}
			call := `\b` + regexp.QuoteMeta(name) + `\(`
			if regexp.MustCompile(`(?m)^-.*`+call).MatchString(body) && regexp.MustCompile(`(?m)^\+.*`+call).MatchString(body) {
				fit = append(fit, strings.TrimSpace(path))
				break
			}
		}
	}
	if len(fit) == 0 {
		return ""
	}
	sum := fnv.New32a()
	sum.Write([]byte(commit))
	return fit[int(sum.Sum32()%uint32(len(fit)))]
}

func definesOne(body string, names []string) bool {
	return slices.ContainsFunc(definitionHead.FindAllStringSubmatch(body, -1), func(m []string) bool { return slices.Contains(names, m[1]) })
}

func isCode(path string) bool {
	return !slices.Contains([]string{".md", ".rst", ".txt", ".json", ".yml", ".yaml", ".toml", ".html", ".adoc"}, filepath.Ext(strings.TrimSpace(path)))
}
