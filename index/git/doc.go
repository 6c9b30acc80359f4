// Package git reads facts about the workspace from git by running git.
//
// It owns how git is run here, what of its answers is kept (one blame per version of a file, read ahead by Collect for those that HEAD has), and the parsing of its
// machine formats. It guarantees that no setting of a repository makes git start another program (hooks, fsmonitor,
// filters, text conversions, external diffs, signature checks, transports), that git never writes to the repository but in Stage and CommitStaged,
// waits for a person or opens a connection, that every process belongs to a context and dies with it, and that file
// names are bytes: spaces, newlines and other encodings survive. A repository without commits, a shallow clone, a
// linked worktree and a detached HEAD are ordinary cases; a missing git, a folder outside any repository and a
// repository of somebody else are errors of their own. Else it never changes a repository, and it never decides what is
// indexed.
package git
