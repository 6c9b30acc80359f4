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
	"strings"
)

// CallerOptions say what ReplayCallers replays.
type CallerOptions struct {
	Program string // the aurora whose reviews are scored
	Dir     string // a repository
	Commits int    // the newest that are looked at, without merges
}

// A CallerReport is what reviews said of callers, of whole commits and of those from which one caller's file was left out.
type CallerReport struct {
	Commits  int            `json:"commits"`  // looked at
	Changed  int            `json:"changed"`  // in which the head of a function was changed
	Complete int            `json:"complete"` // findings for those as they were committed
	LeftOut  int            `json:"left_out"` // commits from which a file that calls the function was left out
	Named    int            `json:"named"`    // of LeftOut, those of which a finding names that file
	Wrong    int            `json:"wrong"`    // findings of LeftOut in other files
	Other    map[string]int `json:"other"`    // findings of the other rules for whole commits
}

// Add adds up.
func (r *CallerReport) Add(o *CallerReport) {
	r.Commits, r.Changed, r.Complete = r.Commits+o.Commits, r.Changed+o.Changed, r.Complete+o.Complete
	r.LeftOut, r.Named, r.Wrong = r.LeftOut+o.LeftOut, r.Named+o.Named, r.Wrong+o.Wrong
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
		if f.Rule == "caller-not-updated" {
			r.report.Complete++
		} else {
			r.report.Other[f.Rule]++
		}
	}
	path := callerFile(diff, names, commit)
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
		switch {
		case f.Rule != "caller-not-updated":
		case f.Path == path:
			named = true
		default:
			r.report.Wrong++
		}
	}
	if named {
		r.report.Named++
	}
	return nil
}

type callerFinding struct{ Rule, Path string }

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

// callerFile is a changed file that calls one of the functions in removed and in added lines and changes the head of none, chosen by
// the commit; "" when there is none.
func callerFile(diff string, names []string, commit string) string {
	var fit []string
	for _, part := range strings.Split(diff, "\ndiff --git ") {
		_, path, ok := strings.Cut(part, "\n+++ b/")
		if !ok {
			continue
		}
		path, body, _ := strings.Cut(path, "\n")
		if changedHead.MatchString(body) {
			continue
		}
		for _, name := range names {
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
