package index

import (
	"reflect"

	"github.com/aurora-sidecar/aurora/index/vfs"
	"github.com/aurora-sidecar/aurora/internal/scrub"
)

// Rules say what of one workspace folder is indexed, and how. The zero value is the default. They are plain data: what
// was effective is stored beside the index, and compared with what is effective next time.
type Rules struct {
	// Off is why nothing of the folder is indexed, "" when it is. What is off starts nothing.
	Off   string `json:",omitempty"`
	Files vfs.FilterOptions

	KeepSecrets    bool     `json:",omitempty"` // secrets become words of the index
	SecretPatterns []string `json:",omitempty"` // regular expressions of secrets, on top of the known formats
	NoFirstScan    bool     `json:",omitempty"` // index what is opened, changed or refreshed, not the folder as a whole
}

// secretSet returns what counts as a secret. A broken pattern finds nothing; settings with one are refused before.
func (r *Rules) secretSet() *scrub.Set {
	if r.KeepSecrets {
		return scrub.Off
	}
	set, err := scrub.NewSet(r.SecretPatterns)
	if err != nil {
		return nil
	}
	return set
}

// sameSecrets reports whether the words of the index are the same under both.
func (r *Rules) sameSecrets(other *Rules) bool {
	return r.KeepSecrets == other.KeepSecrets && sameList(r.SecretPatterns, other.SecretPatterns)
}

func sameList(a, b []string) bool { return len(a)+len(b) == 0 || reflect.DeepEqual(a, b) }

// rulesOf asks for the rules of a folder; "" is what lies in no folder. The lock must not be held: the function may read files.
func (fs *folderSet) rulesOf(folder string) Rules {
	fs.x.mu.Lock()
	rules := fs.x.opts.Rules
	fs.x.mu.Unlock()
	if rules == nil {
		return Rules{}
	}
	return rules(folder)
}
