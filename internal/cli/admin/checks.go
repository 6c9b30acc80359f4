package admin

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/aurora-sidecar/aurora/memory/sqlite"
	"github.com/aurora-sidecar/aurora/memory/sqlite/cryptvfs"
	_ "modernc.org/sqlite" // the driver that index and memory use
)

// checkTimeout bounds each check that runs a program or reads a database.
const checkTimeout = 10 * time.Second

func checkVersion() Finding {
	return Finding{Check: "aurora", Level: levelOK, Detail: app.ReadBuild().String()}
}

func checkGit(ctx context.Context) Finding {
	path, err := exec.LookPath("git")
	if err != nil {
		return Finding{"git", levelWarn, "not found: ignore rules are read without it, and hover and search show no history",
			"Install git (for example: apt install git) and start the editor again."}
	}
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	out, err := exec.CommandContext(ctx, path, "--version").Output()
	if err != nil {
		return Finding{"git", LevelFail, fmt.Sprintf("%s does not run: %v", path, err), "Repair the installation of git."}
	}
	return Finding{Check: "git", Level: levelOK, Detail: fmt.Sprintf("%s (%s)", strings.TrimSpace(string(out)), path)}
}

func checkProject(c *app.App) (f Finding, root string) {
	root, err := workspace.ProjectRoot(c, ".")
	if err != nil {
		p := app.Describe(err)
		return Finding{"project", LevelFail, p.Message, p.Remedy}, ""
	}
	if _, err := os.ReadDir(root); err != nil {
		return Finding{"project", LevelFail, fmt.Sprintf("%s can't be listed: %v", root, err), "Change its permissions, or open another folder."}, ""
	}
	return Finding{Check: "project", Level: levelOK, Detail: root}, root
}

// CheckHome looks at the folder that holds everything AURORA keeps.
func CheckHome(home string) Finding {
	const name = "home"
	if home == "" {
		return Finding{name, levelWarn, "there is no home directory: nothing is kept after the end",
			"Set HOME, or AURORA_HOME to a folder that may be written."}
	}
	info, err := os.Stat(home)
	if isAbsent(err) {
		if err := writableAbove(home); err != nil {
			return Finding{name, levelWarn, fmt.Sprintf("%s can't be made (%v): AURORA works from memory", home, err),
				"Set AURORA_HOME to a folder that may be written."}
		}
		return Finding{Check: name, Level: levelOK, Detail: home + " (will be made when first needed)"}
	}
	if err != nil {
		return Finding{name, LevelFail, fmt.Sprintf("look at %s: %v", home, err), "Check the permissions of the folders above it."}
	}
	if !info.IsDir() {
		return Finding{name, LevelFail, home + " is a file", "Move it away, or set AURORA_HOME to a folder."}
	}
	err = writable(home)
	if errors.Is(err, syscall.ENOSPC) {
		return Finding{name, LevelFail, fmt.Sprintf("the disk of %s is full: AURORA works from memory", home), freeSpace}
	}
	if errors.Is(err, syscall.EIO) {
		return Finding{name, LevelFail, fmt.Sprintf("the disk of %s fails (%v): AURORA works from memory", home, err), checkDisk}
	}
	if err != nil {
		return Finding{name, levelWarn, fmt.Sprintf("%s can't be written (%v): AURORA works from memory", home, err),
			"Make it writable (chmod u+rwx), or set AURORA_HOME to another folder."}
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return Finding{name, levelWarn, fmt.Sprintf("%s may be read by others (%v)", home, info.Mode().Perm()), "Run: chmod 700 " + home}
	}
	return Finding{Check: name, Level: levelOK, Detail: home}
}

// isAbsent reports whether a path leads nowhere, be it because a file stands where a folder should.
func isAbsent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// leastSpace is what must fit on a disk for it not to be called full: less than a database grows by at once, in bytes.
const leastSpace = 64 << 10

// writable tries to make a file in dir, with some text in it: on a full disk, an empty one can still be made.
func writable(dir string) error {
	f, err := os.CreateTemp(dir, ".aurora-doctor-*")
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, leastSpace))
	if err == nil {
		err = f.Sync() // some disks fail only then
	}
	return errors.Join(err, f.Close(), os.Remove(f.Name()))
}

const freeSpace = "Free some disk space; the index may be deleted at any time."

// isFull reports whether the disk below dir has no space left.
func isFull(dir string) bool {
	return errors.Is(writable(dir), syscall.ENOSPC)
}

// writableAbove tries the nearest folder above path that exists.
func writableAbove(path string) error {
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(dir); err == nil || dir == filepath.Dir(dir) {
			return writable(dir)
		}
	}
}

// CheckDatabase opens a SQLite file for reading only and has SQLite check its pages.
func CheckDatabase(ctx context.Context, name, path, remedy string) Finding {
	info, err := os.Stat(path)
	if isAbsent(err) {
		return Finding{Check: name, Level: levelOK, Detail: path + " (will be made when first needed)"}
	}
	if err != nil {
		return Finding{name, LevelFail, fmt.Sprintf("look at %s: %v", path, err), "Check the permissions of the folders above it."}
	}
	err = quickCheck(ctx, path)
	if err != nil && isFull(filepath.Dir(path)) {
		return Finding{name, LevelFail, path + " can't be checked: the disk is full", freeSpace}
	}
	if err != nil {
		return Finding{name, LevelFail, fmt.Sprintf("%s: %v", path, err), remedyFor(err, path, remedy)}
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return Finding{name, levelWarn, fmt.Sprintf("%s may be read by others (%v)", path, info.Mode().Perm()), "Run: chmod 600 " + path}
	}
	return Finding{Check: name, Level: levelOK, Detail: path}
}

const checkDisk = "Check the disk or the connection to it; the system's log says more. The file itself need not be damaged: leave it where it is."

// remedyFor is a remedy for a database that is broken, unless the disk is.
func remedyFor(err error, path, remedy string) string {
	if sqlite.IsDiskFault(err, path) || errors.Is(cryptvfs.Readable(path), syscall.EIO) {
		return checkDisk
	}
	return remedy
}

func quickCheck(ctx context.Context, path string) error {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	source := url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: "mode=ro&_pragma=busy_timeout(5000)"}
	db, err := sql.Open("sqlite", source.String())
	if err != nil {
		return fmt.Errorf("open database: %w", err)
	}
	defer db.Close()
	var verdict string
	if err := db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&verdict); err != nil {
		return fmt.Errorf("check database: %w", err)
	}
	if verdict != "ok" {
		return fmt.Errorf("the database is damaged: %s", verdict)
	}
	return nil
}

// checkWatches compares the folders to follow with the kernel's limit.
func checkWatches(ctx context.Context, root string) Finding {
	const name = "file events"
	raw, err := os.ReadFile("/proc/sys/fs/inotify/max_user_watches")
	if err != nil {
		return Finding{Check: name, Level: levelOK, Detail: "no limit known on this system"}
	}
	limit, err := strconv.Atoi(string(bytes.TrimSpace(raw)))
	if err != nil {
		return Finding{Check: name, Level: levelOK, Detail: "no limit known on this system"}
	}
	folders := countFolders(ctx, root, limit)
	detail := fmt.Sprintf("%d folders to follow, the limit of all programs together is %d", folders, limit)
	if folders >= limit {
		return Finding{name, LevelFail, detail, "Run: sudo sysctl fs.inotify.max_user_watches=524288"}
	}
	if folders > limit/2 {
		return Finding{name, levelWarn, detail, "Raise it, as editors need watches, too: sudo sysctl fs.inotify.max_user_watches=524288"}
	}
	return Finding{Check: name, Level: levelOK, Detail: detail}
}

// countFolders counts the folders below root, at most limit; it stays out of those that are never indexed.
func countFolders(ctx context.Context, root string, limit int) int {
	n := 0
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if ctx.Err() != nil || n >= limit {
			return filepath.SkipAll
		}
		if err != nil || !d.IsDir() {
			return nil
		}
		if d.Name() == ".git" || d.Name() == "node_modules" {
			return filepath.SkipDir
		}
		n++
		return nil
	})
	return n
}
