package index

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/aurora-sidecar/aurora/index/git"
	"github.com/aurora-sidecar/aurora/index/snapshot"
	"github.com/aurora-sidecar/aurora/internal/atomicfile"
)

// A second work tree of a repository differs from the first one in few files. It begins with the saved snapshot of
// the one that was saved last, as if it had been made here, and every file is hashed before it is taken for known.
const (
	kinName = "repository" // the file that tells the kin of a workspace folder, beside its saved snapshot
	kinWait = 2 * time.Second
)

// kinOf names the repository around a folder and the folder's place in it; all work trees of a repository give the same
// answer. It is "" where there is no repository.
func (sc *scanner) kinOf(f *folder) string {
	ctx, cancel := context.WithTimeout(f.ctx, kinWait)
	defer cancel()
	kin, err := git.Kin(ctx, f.path)
	if err != nil {
		return ""
	}
	return kin
}

// adopt puts the saved snapshot of another work tree of the folder's repository into the present snapshot, when there is
// one. It notes the folder's kin for others to find, and reports whether there was one.
func (sc *scanner) adopt(f *folder) bool {
	kin := sc.kinOf(f)
	if kin == "" {
		return false
	}
	if f.store.Writer() {
		if err := atomicfile.Write(filepath.Join(f.dir, kinName), []byte(kin), atomicfile.Private); err != nil {
			sc.x.log.Debug("kin of workspace not noted", "folder", f.path, "err", err)
		}
	}
	path := sc.newestKin(f, kin)
	if path == "" {
		return false
	}
	b, err := sc.readSnapshot(path, f.path)
	if err != nil {
		sc.x.log.Debug("snapshot of another work tree not used", "path", path, "err", err)
		return false
	}
	for i := range b.built {
		b.built[i].file.ModTime = time.Time{} // so that the scan looks at the file
	}
	sc.admit(f, b, true)
	sc.x.log.Info("began with the index of another work tree", "folder", f.path, "files", len(b.built))
	sc.x.writer.apply(b)
	return true
}

// newestKin returns the path of the snapshot that was saved last by a folder of the same kin; "" when there is none.
func (sc *scanner) newestKin(f *folder, kin string) (path string) {
	notes, err := filepath.Glob(filepath.Join(globQuote(sc.x.opts.StoreDir), "*", kinName))
	if err != nil {
		return ""
	}
	var newest time.Time
	for _, note := range notes {
		dir := filepath.Dir(note)
		saved := filepath.Join(dir, snapshot.SavedName)
		info, err := os.Stat(saved)
		if dir == f.dir || err != nil || !info.ModTime().After(newest) {
			continue
		}
		rules, err := readRules(filepath.Join(dir, rulesName))
		if err != nil || !f.rules.sameSecrets(&rules.Rules) {
			continue // it may have words that are secrets here
		}
		if other, err := os.ReadFile(note); err == nil && string(other) == kin {
			path, newest = saved, info.ModTime()
		}
	}
	return path
}

// globQuote keeps filepath.Glob from reading the path as a pattern.
func globQuote(path string) string {
	var out []byte
	for i := range len(path) {
		if c := path[i]; c == '*' || c == '?' || c == '[' || c == '\\' && filepath.Separator != '\\' {
			out = append(out, '\\')
		}
		out = append(out, path[i])
	}
	return string(out)
}
