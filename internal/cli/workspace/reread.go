package workspace

import (
	"os"
	"sync"
	"time"

	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/aurora-sidecar/aurora/internal/setup"
)

// lookAgain is how long a look at the settings files counts.
const lookAgain = 300 * time.Millisecond

// A rereader notices that the files of settings have changed, and applies what counts at once: so that a change
// acts on the next search, no matter who made it.
type rereader struct {
	parts *Parts
	paths []string

	mu     sync.Mutex
	looked time.Time
	seen   map[string]stamp
}

// A stamp tells versions of a file apart; the zero value is that of a file which is not there.
type stamp struct {
	size    int64
	changed int64
}

// rereader returns what an engine calls before a search, nil for a command: it has just read them.
func (p *Parts) rereader() func() {
	if !p.server {
		return nil
	}
	r := &rereader{parts: p, paths: config.Files(p.root)}
	r.seen = r.stamps()
	return r.look
}

func (r *rereader) stamps() map[string]stamp {
	seen := map[string]stamp{}
	for _, path := range r.paths {
		if info, err := os.Stat(path); err == nil {
			seen[path] = stamp{info.Size(), info.ModTime().UnixNano()}
		}
	}
	return seen
}

// look reads the settings again when a file of them is another one than before.
func (r *rereader) look() {
	if !r.changed() {
		return
	}
	if err := r.parts.configure(nil); err != nil {
		r.parts.Log.Warn("bad settings keep their last values", "err", err)
	}
}

func (r *rereader) changed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if time.Since(r.looked) < lookAgain {
		return false
	}
	now := r.stamps()
	r.looked = time.Now()
	changed := len(now) != len(r.seen)
	for path, s := range now {
		changed = changed || r.seen[path] != s
	}
	r.seen = now
	return changed
}

// configure applies the settings of an editor, nil for those of before, read again. The error says what is wrong with any
// value, which keeps its last one.
func (p *Parts) configure(client map[string]any) error {
	err := p.ruleResolver.take(client, p.Index)
	settings, _, _ := p.ruleResolver.load(p.root) // what is wrong stands in err
	p.Engine.Tune(setup.Tuning(settings))
	return err
}
