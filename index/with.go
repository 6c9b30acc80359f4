package index

import "github.com/aurora-sidecar/aurora/index/snapshot"

// With returns a snapshot for one reader, in which files, whose texts are their buffers, stand in place of what is at their paths, and
// nothing stands at the paths gone.
func With(s *Snapshot, files []*File, gone []string) *Snapshot {
	b, parts := snapshot.NewBuilder(s), snapshot.NewPartBuilder(nil)
	firsts := make([]int, len(files))
	for i, f := range files {
		firsts[i], _ = parts.Add(f, f.Buffer, snapshot.Lender{})
	}
	part := parts.Build()
	if part != nil {
		b.AddPart(part)
	}
	for _, abs := range gone {
		b.Drop(abs)
	}
	for i, f := range files {
		b.Put(f.Abs, f, part, firsts[i])
	}
	return b.Publish(s.Folders())
}
