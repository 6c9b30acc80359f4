package index

import "github.com/aurora-sidecar/aurora/index/snapshot"

// Some files pass the rules that know names and sizes only and are left out when they are read: binary ones, for
// instance. What a scan knows of them is kept and saved, so that the next one reads them only when they have changed.

// noteLocked remembers what came of reading a file.
func (f *folder) noteLocked(r *built) {
	switch {
	case r.unwanted && r.task.seen != snapshot.Stamp{}:
		if f.unwanted == nil {
			f.unwanted = map[string]snapshot.Stamp{}
		}
		f.unwanted[r.task.rel] = r.task.seen
	case r.file != nil:
		delete(f.unwanted, r.task.rel)
	}
}
