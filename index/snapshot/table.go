package snapshot

import (
	"hash/maphash"
	"iter"
	"time"

	"github.com/aurora-sidecar/aurora/index/lexical"
	"github.com/aurora-sidecar/aurora/index/vfs"
)

// An Entry is a file and the place of its chunks among the parts.
type Entry struct {
	File    *File
	ModTime time.Time // when the file was written last, as far as is known; it may have been with the same text
	Node    vfs.Node  // at that time

	part  *lexical.Segment // nil when the file has no chunks
	first int              // document number of the first chunk
}

// A fileTable maps absolute paths to entries. It is persistent: a change copies one shard of it.
type fileTable struct {
	shards *[tableShards]map[string]Entry
	count  int
}

const tableShards = 128

var tableSeed = maphash.MakeSeed()

func shardOf(abs string) int { return int(maphash.String(tableSeed, abs) % tableShards) }

func (t fileTable) get(abs string) (Entry, bool) {
	if t.shards == nil {
		return Entry{}, false
	}
	e, ok := t.shards[shardOf(abs)][abs]
	return e, ok
}

func (t fileTable) all() iter.Seq2[string, Entry] {
	return func(yield func(string, Entry) bool) {
		if t.shards == nil {
			return
		}
		for _, shard := range t.shards {
			for abs, e := range shard {
				if !yield(abs, e) {
					return
				}
			}
		}
	}
}
