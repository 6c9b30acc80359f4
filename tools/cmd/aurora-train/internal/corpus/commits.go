package corpus

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/syntax"
)

const (
	maxCommits = 250 // newest of a repository that are learned from
	maxReadLog = 2500
	maxChanged = 5 // functions of a commit whose subject may be about each of them
	maxBlobs   = 4 // source files of such a commit
	minSubject = 3 // words
	commitMark = "\x01"
)

// commits adds the pairs of a folder's history; one without a history has none. What changed is found in the files as the
// commit left them.
func (x *extractor) commits(folder string) error {
	if _, err := os.Stat(filepath.Join(folder, ".git")); err != nil {
		return nil // else git would take the history of a folder around it
	}
	blobs, err := openBlobs(folder)
	if err != nil {
		return err
	}
	used := 0
	logErr := eachCommit(folder, func(c commit) bool {
		if x.commit(c, blobs) {
			used++
		}
		return used < maxCommits
	})
	return errors.Join(logErr, blobs.close())
}

// A commit is a subject and the lines it changed.
type commit struct {
	subject string
	files   []changedFile
}

// A changedFile is a file as the commit left it.
type changedFile struct {
	path  string
	blob  string // object name
	lines [][2]int
}

// noSubject matches subjects that say nothing of the code.
var noSubject = regexp.MustCompile(`(?i)^(merge|revert|bump|chore|release|version|update (dep|change|read|package|go\.mod|submodule)|prepare|v?\d+\.)|typo|changelog|\bwip\b|^fixup|^squash|lint`)

// subjectTail matches references to issues at the end of a subject.
var subjectTail = regexp.MustCompile(`\s*[(\[]?(?:#|gh-)\d+[)\]]?\s*$`)

// commit adds the pairs of one commit and reports whether there were any.
func (x *extractor) commit(c commit, blobs *blobReader) bool {
	subject := subjectTail.ReplaceAllString(c.subject, "")
	if noSubject.MatchString(subject) || len(strings.Fields(subject)) < minSubject || len(c.files) == 0 || len(c.files) > maxBlobs {
		return false
	}
	var changed []function
	for _, f := range c.files {
		src, err := blobs.read(f.blob)
		if err != nil {
			return false // a blob that this copy of the repository lacks
		}
		if changed = append(changed, x.changed(f, src)...); len(changed) > maxChanged {
			return false
		}
	}
	query := x.tokens.bag(maxQuery, []byte(subject))
	for _, fn := range changed {
		name := []byte(fn.name)
		x.add(Commit, query, x.tokens.bag(maxCode, name, name, fn.code))
	}
	return len(changed) > 0
}

// changed returns the functions of a file that hold changed lines.
func (x *extractor) changed(f changedFile, src []byte) []function {
	lang := syntax.Detect(f.path, src)
	if lang == nil || !training[lang.Name] || len(src) > maxFile || bytes.IndexByte(src, 0) >= 0 {
		return nil
	}
	file, _ := chunk.Analyze(lang, src)
	var found []function
	for i := range file.Chunks {
		c := &file.Chunks[i]
		touched := false
		for _, lines := range f.lines {
			touched = touched || lines[0] <= c.EndLine+1 && c.StartLine+1 <= lines[1]
		}
		if !touched {
			continue
		}
		if fn, ok := functionOf(file, i, src); ok && !fn.isClass && x.usable(fn) {
			found = append(found, fn)
		}
	}
	return found
}

// eachCommit yields the newest commits of a folder's history until yield returns false.
func eachCommit(folder string, yield func(commit) bool) error {
	cmd := exec.Command("git", "-C", folder, "-c", "core.quotePath=false", "log", "--no-merges", "--no-renames", "--diff-filter=M", "--no-ext-diff",
		"--no-textconv", "-U0", "--full-index", "--max-count="+strconv.Itoa(maxReadLog), "--format="+commitMark+"%s", "-p")
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	stopped := parseLog(out, yield)
	if stopped {
		_ = cmd.Process.Kill()
	}
	if err := cmd.Wait(); err != nil && !stopped {
		return nil // a shallow or partial copy: what could be read was
	}
	return nil
}

// parseLog reads the output of git log -p and reports whether yield stopped it.
func parseLog(in io.Reader, yield func(commit) bool) (stopped bool) {
	r := bufio.NewReaderSize(in, 1<<16)
	var c commit
	for {
		line, err := r.ReadSlice('\n')
		for errors.Is(err, bufio.ErrBufferFull) { // a long line is one of the text
			_, err = r.ReadSlice('\n')
		}
		switch {
		case bytes.HasPrefix(line, []byte(commitMark)):
			if c.subject != "" && !yield(c) {
				return true
			}
			c = commit{subject: strings.TrimSpace(string(line[1:]))}
		case bytes.HasPrefix(line, []byte("index ")):
			if m := blobLine.FindSubmatch(line); m != nil {
				c.files = append(c.files, changedFile{blob: string(m[1])})
			}
		case bytes.HasPrefix(line, []byte("+++ b/")) && len(c.files) > 0:
			last := &c.files[len(c.files)-1]
			last.path = strings.TrimSpace(string(line[len("+++ b/"):]))
			if lang := syntax.ByPath(last.path); lang == nil || !training[lang.Name] || isTest(last.path) {
				c.files = c.files[:len(c.files)-1]
			}
		case bytes.HasPrefix(line, []byte("@@ ")) && len(c.files) > 0:
			if lines, ok := hunk(line); ok {
				last := &c.files[len(c.files)-1]
				last.lines = append(last.lines, lines)
			}
		}
		if err != nil {
			return c.subject != "" && !yield(c)
		}
	}
}

var (
	blobLine = regexp.MustCompile(`^index [0-9a-f]+\.\.([0-9a-f]{40,64}) `)
	hunkLine = regexp.MustCompile(`^@@ -\S+ \+(\d+)(?:,(\d+))? @@`)
)

// hunk returns the first and last line that a hunk left behind, counted from 1.
func hunk(line []byte) (lines [2]int, ok bool) {
	m := hunkLine.FindSubmatch(line)
	if m == nil {
		return lines, false
	}
	from, _ := strconv.Atoi(string(m[1]))
	count := 1
	if m[2] != nil {
		count, _ = strconv.Atoi(string(m[2]))
	}
	return [2]int{from, from + max(count, 1) - 1}, true
}

// A blobReader reads objects of a repository through one git process.
type blobReader struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func openBlobs(folder string) (*blobReader, error) {
	cmd := exec.Command("git", "-C", folder, "cat-file", "--batch")
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &blobReader{cmd: cmd, in: in, out: bufio.NewReader(out)}, cmd.Start()
}

// read returns an object's bytes.
func (b *blobReader) read(object string) ([]byte, error) {
	if _, err := io.WriteString(b.in, object+"\n"); err != nil {
		return nil, err
	}
	head, err := b.out.ReadString('\n')
	if err != nil {
		return nil, err
	}
	fields := strings.Fields(head)
	if len(fields) != 3 {
		return nil, errors.New("git cat-file: " + strings.TrimSpace(head))
	}
	size, err := strconv.Atoi(fields[2])
	if err != nil {
		return nil, err
	}
	src := make([]byte, size+1) // a line feed follows
	_, err = io.ReadFull(b.out, src)
	return src[:size], err
}

func (b *blobReader) close() error {
	return errors.Join(b.in.Close(), b.cmd.Wait())
}
