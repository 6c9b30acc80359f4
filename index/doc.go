// Package index keeps a searchable snapshot of the workspace: every file, every chunk, unsaved text included.
//
// It owns the pipeline scan -> read -> parse -> chunk -> tokens -> snapshot, the overlays of open buffers, and the
// order in which changes become visible. It guarantees that a Snapshot never changes once published, that readers
// never wait for writers, that the rules of a folder can change while it runs without anything being parsed that they
// are not about, that what is switched off runs nothing, that an open buffer wins over the file on disk, and that everything it stores can be
// deleted at any moment and costs one re-index. It never ranks with memory, never talks to an editor or a model,
// and never writes into the user's project.
package index
