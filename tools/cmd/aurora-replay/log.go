package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A commit is what one commit touched.
type commit struct {
	hash      string
	at        time.Time
	subject   string
	files     []string
	functions []string // path and the line that begins the function, as git prints it behind a hunk's place
}

// maxTouched is the most files of a commit that counts: formatting runs and imports of whole trees are no sessions.
const maxTouched = 30

// languages tell git where functions begin.
const languages = "*.go diff=golang\n*.py diff=python\n*.rs diff=rust\n*.rb diff=ruby\n*.java diff=java\n*.c diff=cpp\n*.h diff=cpp\n*.cpp diff=cpp\n"

// readLog returns the commits of a repository, the oldest first.
func readLog(repository string) ([]commit, error) {
	attributes := filepath.Join(os.TempDir(), fmt.Sprintf("aurora-replay-%d", os.Getpid()))
	if err := os.WriteFile(attributes, []byte(languages), 0o600); err != nil {
		return nil, err
	}
	defer os.Remove(attributes)
	cmd := exec.Command("git", "-c", "core.attributesFile="+attributes, "-C", repository, "log", "--reverse", "--no-merges",
		"--no-renames", "--no-ext-diff", "--no-textconv", "-U0", "-p", "--format=%x01%H %ct %s")
	cmd.Stderr = os.Stderr
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	log, err := parseLog(pipe)
	if err != nil {
		return nil, err
	}
	return log, cmd.Wait()
}

func parseLog(r io.Reader) ([]commit, error) {
	lines := bufio.NewReaderSize(r, 1<<20)
	var log []commit
	var path string
	for {
		line, err := lines.ReadString('\n')
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		line = strings.TrimRight(line, "\r\n")
		switch {
		case strings.HasPrefix(line, "\x01"):
			hash, rest, _ := strings.Cut(line[1:], " ")
			seconds, subject, _ := strings.Cut(rest, " ")
			at, err := strconv.ParseInt(seconds, 10, 64)
			if err != nil {
				return nil, fmt.Errorf("read the date %q: %w", seconds, err)
			}
			log, path = append(log, commit{hash: hash, at: time.Unix(at, 0), subject: subject}), ""
		case strings.HasPrefix(line, "diff --git ") && len(log) > 0:
			_, path, _ = strings.Cut(line, " b/")
			c := &log[len(log)-1]
			c.files = append(c.files, path)
		case strings.HasPrefix(line, "@@ ") && path != "":
			_, function, _ := strings.Cut(line[3:], " @@ ")
			if id := path + " " + functionName(function); function != "" {
				c := &log[len(log)-1]
				if !slices.Contains(c.functions, id) {
					c.functions = append(c.functions, id)
				}
			}
		}
	}
	return slices.DeleteFunc(log, func(c commit) bool { return len(c.files) == 0 || len(c.files) > maxTouched }), nil
}

// functionName is the part of a function's first line that survives a change of its parameters.
func functionName(line string) string {
	line = strings.TrimSpace(line)
	if rest, method := strings.CutPrefix(line, "func ("); method {
		receiver, name, _ := strings.Cut(rest, ") ")
		fields := strings.Fields(receiver)
		name, _, _ = strings.Cut(name, "(")
		return strings.TrimLeft(fields[max(0, len(fields)-1)], "*") + "." + name
	}
	name, _, _ := strings.Cut(line, "(")
	return name
}
