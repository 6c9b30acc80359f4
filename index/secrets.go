package index

import (
	"bytes"

	"github.com/aurora-sidecar/aurora/index/vfs"
	"github.com/aurora-sidecar/aurora/internal/scrub"
)

// A Secret is a place in a file that looks like a secret; the secret itself is nobody's business.
type Secret struct {
	Kind string
	Line int // from 1
}

// Secrets lists what looks like a secret in the present text of a file, by the rules of its folder, and whether the index
// leaves it out. The error is that of Text.
func (x *Index) Secrets(path string) (found []Secret, leftOut bool, err error) {
	text, err := x.Text(path)
	if err != nil {
		return nil, false, err
	}
	set, leftOut := x.folders.secretsOf(vfs.Canonical(path))
	_, findings := set.Blank(text)
	for _, f := range findings {
		found = append(found, Secret{f.Kind, 1 + bytes.Count(text[:f.Start], []byte("\n"))})
	}
	return found, leftOut, nil
}

// secretsOf is what counts as a secret in a file, and whether such places are left out of the index.
func (fs *folderSet) secretsOf(abs string) (set *scrub.Set, leftOut bool) {
	fs.x.mu.Lock()
	defer fs.x.mu.Unlock()
	rules := fs.x.buffers.outside
	if f := fs.ofLocked(abs); f != nil {
		rules = f.rules
	}
	leftOut = !rules.KeepSecrets
	rules.KeepSecrets = false
	return rules.secretSet(), leftOut
}
