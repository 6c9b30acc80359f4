package index

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/aurora-sidecar/aurora/index/snapshot"
	"github.com/aurora-sidecar/aurora/internal/atomicfile"
	"github.com/aurora-sidecar/aurora/internal/scrub"
)

// rulesName is the file beside a folder's index that tells under which rules the index was made.
const rulesName = "rules.json"

// maxRuleChanges bounds how many changes the file remembers.
const maxRuleChanges = 50

// A rulesFile is the content of that file.
type rulesFile struct {
	Rules   Rules        `json:"rules"`
	Created time.Time    `json:"created_at"`
	Updated time.Time    `json:"updated_at"`
	Changes []ruleChange `json:"changes"` // the newest last
}

// A ruleChange says which rules were changed, not to what.
type ruleChange struct {
	At   time.Time `json:"at"`
	Keys []string  `json:"keys"`
}

func readRules(path string) (rulesFile, error) {
	var file rulesFile
	data, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, &file)
	}
	return file, err
}

// compareRules finds out what has changed since the folder's index was made, and stores what is effective now. It
// returns what the first scan has to do because of that.
func (sc *scanner) compareRules(f *folder, now Rules) (changed []string, r scanRequest) {
	if f.dir == "" {
		return nil, r
	}
	path := filepath.Join(f.dir, rulesName)
	file, err := readRules(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		file = rulesFile{Created: time.Now().UTC()}
		changed = changedKeys(Rules{}, now) // an index from before the file was kept was made under the defaults
	case err != nil:
		sc.x.log.Warn("the rules of the index can't be read; every file is looked at again", "path", path, "err", err)
		file = rulesFile{Created: time.Now().UTC(), Rules: Rules{KeepSecrets: !now.KeepSecrets}}
		changed, r.check = []string{"all"}, true
	default:
		changed = changedKeys(file.Rules, now)
	}
	f.stale = !now.sameSecrets(&file.Rules)
	if err == nil && len(changed) == 0 {
		return nil, r
	}
	if err == nil {
		sc.x.log.Info("the rules have changed since the index was made", "folder", f.path, "keys", changed)
	}
	if f.stale && f.store != nil && f.store.Writer() {
		_ = os.Remove(filepath.Join(f.dir, snapshot.SavedName)) // it has words that are secrets now; what is in memory is saved again
	}
	noted := changed
	if err != nil { // what is new has not changed
		noted = nil
	}
	sc.saveRules(f, path, file, now, noted)
	return changed, r
}

// saveRules stores the rules, when this process keeps the index.
func (sc *scanner) saveRules(f *folder, path string, file rulesFile, now Rules, changed []string) {
	if f.store == nil || !f.store.Writer() {
		return
	}
	file.Rules, file.Updated = now, time.Now().UTC()
	if len(changed) > 0 {
		file.Changes = append(file.Changes, ruleChange{file.Updated, changed})
		file.Changes = file.Changes[max(0, len(file.Changes)-maxRuleChanges):]
	}
	data, err := json.MarshalIndent(file, "", "  ")
	if err == nil {
		err = atomicfile.Write(path, data, atomicfile.Private)
	}
	if err != nil {
		sc.x.log.Warn("the rules of the index are not stored; the next start looks at every file", "path", path, "err", err)
		_ = os.Remove(path) // better none than a wrong one
	}
}

// changedKeys names the rules that differ.
func changedKeys(a, b Rules) []string {
	a.Files, b.Files = a.Files.WithDefaults(), b.Files.WithDefaults()
	before, after := ruleValues(a), ruleValues(b)
	var keys []string
	for _, name := range slices.Sorted(maps.Keys(both(before, after))) {
		if !bytes.Equal(before[name], after[name]) {
			keys = append(keys, name)
		}
	}
	return keys
}

func both(a, b map[string]json.RawMessage) map[string]json.RawMessage {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

// ruleValues flattens rules: the members of Files stand beside those of Rules.
func ruleValues(r Rules) map[string]json.RawMessage {
	values := map[string]json.RawMessage{}
	for _, part := range []any{r, r.Files} {
		data, err := json.Marshal(part)
		if err == nil {
			_ = json.Unmarshal(data, &values) // it was an object
		}
	}
	delete(values, "Files")
	return values
}

// staleSecrets are no folder's.
var staleSecrets = new(scrub.Set)

// admit prepares a saved snapshot for the effective rules: files that they leave out are not shown, and files whose words
// were made under other rules of secrets are looked at again.
func (sc *scanner) admit(f *folder, b *batch, changed bool) {
	for i := range b.built {
		r := &b.built[i]
		if !f.stale {
			r.file.Secrets = f.secrets
		} else {
			r.file.Secrets = staleSecrets
		}
		if changed {
			r.outside = !f.filter.Check(f.ctx, r.file.Path, r.file.Size, 0).Indexed
		}
	}
}
