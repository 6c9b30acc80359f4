// Command aurora-bench measures the sidecar as its users meet it: it starts `aurora serve` on a source tree, talks
// to it like an editor, and prints a table.
//
//	aurora-bench [-aurora bin/aurora] [-dir GOROOT/src] [-json]
//
// Every figure is wall time between a message that is written and the answer that is read, so it includes the
// pipes, the encoding and the search. Nothing is written into the tree: the tree that is edited is a copy.
package main
