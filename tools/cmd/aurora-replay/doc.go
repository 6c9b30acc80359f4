// Command aurora-replay measures what activation is worth. It replays the history of git repositories as if each commit
// were a working session: before every commit it predicts what the commit touches, from the commits before it alone,
// and compares. docs/memory.md has the table and what follows from it.
//
//	go run ./cmd/aurora-replay [-warmup N] [-commits N] <repository>...
package main
