package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/aurora-sidecar/aurora/internal/scrub"
)

// Argument is the only argument of this program as the child that becomes a sandboxed program; see Enter.
const Argument = "sandboxed-program"

// Folder is the name of the folder of a Box in AURORA's own.
const Folder = "sandbox"

// A Command is what is to be run.
type Command struct {
	Workspace string        // absolute folder that the program sees; never the home folder or one above it
	Dir       string        // in which it starts, absolute, in Workspace
	Args      []string      // the program's name, which is looked for in PATH and in the workspace's environments, and its arguments
	Program   string        // absolute path of the program, which it sees wherever it lies; "" looks for the name
	Env       []string      // NAME=value, besides what every program gets
	Limit     time.Duration // 0 is until the caller's context ends

	// Input, where it is not nil, is what the program reads on its standard input, and what it writes to its standard output is
	// apart in Result.Answer.
	Input []byte

	// Stdin and Stdout, where they are not nil, are the program's standard input and output instead. Run closes neither.
	Stdin, Stdout *os.File

	// Replaced are texts that the program finds in files of the workspace instead of theirs, by absolute path. Files that are not
	// there are made where the system has layers.
	Replaced map[string]string

	// Removed are files of the workspace that the program does not find, by absolute path. Run fails where the system has no
	// layers.
	Removed []string

	// Hidden reports whether a file of the workspace, an absolute path, is empty for the program; it may be nil.
	Hidden func(path string) bool
}

// A Result is how a command ended.
type Result struct {
	Code     int    // exit status; -1 when a signal ended it
	Output   string // the first and the last of what it wrote, secrets taken out
	Answer   []byte // of a command with Input: all of it
	Took     time.Duration
	TimedOut bool

	// Exhausted is what it took so much of that it was ended, memory or the disk; else nil.
	Exhausted error
}

// What one run may take.
const (
	mostOutput    = 12 << 10 // bytes that are kept: the head and the tail
	mostAnswer    = 1 << 20  // bytes; a program that writes more ends
	mostProcesses = 1024     // with threads
	mostFileSize  = 2 << 30  // bytes of one file
	mostCached    = 8 << 30  // bytes of the caches of a workspace, above which they start empty again
	niceness      = 10
	abandonedFor  = 24 * time.Hour // what a run that was killed left behind
)

// A Box runs commands, one at a time.
type Box struct {
	folder  string
	program string
	bounds  func(folder string) (bounds, error)
	busy    chan struct{}
	check   func() error
}

// New returns a Box that keeps caches in a folder, which it makes. program is this program, if its main calls Enter when
// Argument is all that it is called with; else "", and there is no sandbox.
func New(folder, program string) *Box {
	b := &Box{folder: folder, program: program, bounds: machineBounds, busy: make(chan struct{}, 1)}
	b.check = sync.OnceValue(b.try)
	return b
}

// Check says why there is no sandbox on this machine, nil where there is one. It tries once.
func (b *Box) Check() error { return b.check() }

// try runs a program that does nothing.
func (b *Box) try() error {
	if !supported {
		return errors.New("AURORA has no sandbox for this system")
	}
	if b.program == "" {
		return errors.New("this program can't start itself as a child")
	}
	scratch, err := b.newScratch()
	if err != nil {
		return err
	}
	defer removeAll(scratch)
	workspace := filepath.Join(scratch, "try")
	if err := os.Mkdir(workspace, 0o700); err != nil {
		return err
	}
	r, err := b.start(context.Background(), Command{Workspace: workspace, Dir: workspace, Args: []string{"true"}, Limit: 10 * time.Second}, scratch)
	if err == nil && r.Code != 0 {
		err = fmt.Errorf("a program that does nothing ended with %d: %s", r.Code, r.Output)
	}
	return err
}

// ErrAnswerTooLong is what Run returns of a program that answers at more length than 1 MiB.
var ErrAnswerTooLong = errors.New("the program's answer is too long")

// Run runs a command. What went wrong with it is a Result; an error means that it was not run to its end, because it is not
// there, there is no sandbox, or ctx ended.
func (b *Box) Run(ctx context.Context, c Command) (Result, error) {
	if err := b.Check(); err != nil {
		return Result{}, fmt.Errorf("there is no sandbox: %w", err)
	}
	var err error
	if c.Workspace, c.Dir, err = realFolders(c.Workspace, c.Dir); err != nil {
		return Result{}, err
	}
	select {
	case b.busy <- struct{}{}:
		defer func() { <-b.busy }()
	case <-ctx.Done():
		return Result{}, ctx.Err()
	}
	scratch, err := b.newScratch()
	if err != nil {
		return Result{}, err
	}
	defer removeAll(scratch)
	r, err := b.start(ctx, c, scratch)
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	r.Output, _ = scrub.Text(r.Output)
	return r, err
}

// realFolders are the folders without links, if a program may see them.
func realFolders(workspace, dir string) (realWorkspace, realDir string, err error) {
	if realWorkspace, err = filepath.EvalSymlinks(workspace); err != nil {
		return "", "", err
	}
	if realDir, err = filepath.EvalSymlinks(dir); err != nil {
		return "", "", err
	}
	if !within(realDir, realWorkspace) {
		return "", "", fmt.Errorf("%s is not in the workspace", dir)
	}
	home, err := realHome()
	if err != nil {
		return "", "", err
	}
	if home == "/" || within(home, realWorkspace) {
		return "", "", fmt.Errorf("%s holds the home folder, which a sandboxed program must not see", workspace)
	}
	return realWorkspace, realDir, nil
}

func realHome() (string, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(home)
}

// within reports whether a clean absolute path is a folder or lies in it.
func within(path, folder string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}

const scratchPrefix = "run-"

// newScratch makes the folder of one run, and removes those that killed runs left behind.
func (b *Box) newScratch() (string, error) {
	if err := os.MkdirAll(b.folder, 0o700); err != nil {
		return "", err
	}
	entries, err := os.ReadDir(b.folder)
	if err != nil {
		return "", err
	}
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && strings.HasPrefix(e.Name(), scratchPrefix) && time.Since(info.ModTime()) > abandonedFor {
			removeAll(filepath.Join(b.folder, e.Name()))
		}
	}
	return os.MkdirTemp(b.folder, scratchPrefix)
}

// removeAll removes a folder also when a program has made folders in it that can't be written.
func removeAll(folder string) {
	if os.RemoveAll(folder) == nil {
		return
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return
	}
	defer root.Close()
	for range 100 { // as deep as they lie in each other
		_ = fs.WalkDir(root.FS(), ".", func(path string, d fs.DirEntry, err error) error {
			if d != nil && d.IsDir() {
				_ = root.Chmod(path, 0o700)
			}
			return nil
		})
		if os.RemoveAll(folder) == nil {
			return
		}
	}
}

// sizeOf is what a folder's files take, in bytes.
func sizeOf(folder string) (total int64) {
	_ = filepath.WalkDir(folder, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				total += info.Size()
			}
		}
		return nil
	})
	return total
}

// An answer takes what a program writes, up to a length, and then has it ended.
type answer struct {
	text    []byte
	tooLong bool
	end     func()
}

// Write implements io.Writer.
func (a *answer) Write(p []byte) (int, error) {
	if len(a.text)+len(p) > mostAnswer {
		a.tooLong = true
		a.end()
		return 0, ErrAnswerTooLong
	}
	a.text = append(a.text, p...)
	return len(p), nil
}

// A headAndTail keeps the first and the last bytes of what is written to it.
type headAndTail struct {
	head, tail []byte
	left       int // bytes left out between them
}

// Write implements io.Writer.
func (o *headAndTail) Write(p []byte) (int, error) {
	n := len(p)
	room := min(mostOutput/2-len(o.head), len(p))
	o.head, p = append(o.head, p[:room]...), p[room:]
	o.tail = append(o.tail, p...)
	if over := len(o.tail) - mostOutput/2; over > 0 {
		o.left += over
		o.tail = append(o.tail[:0], o.tail[over:]...)
	}
	return n, nil
}

// String returns what was kept.
func (o *headAndTail) String() string {
	text := string(o.head)
	if o.left > 0 {
		text += fmt.Sprintf("\n… %d bytes left out …\n", o.left)
	}
	return strings.ToValidUTF8(text+string(o.tail), "\uFFFD")
}
