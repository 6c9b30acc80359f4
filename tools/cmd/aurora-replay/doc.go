// Command aurora-replay measures what activation is worth. It replays the history of git repositories as if each commit
// were a working session: before every commit it predicts what the commit touches, from the commits before it alone,
// and compares. With -search it asks the search itself, at some commits and about those that follow. docs/memory-measured.md has the tables
// and what follows from them.
//
//	go run ./cmd/aurora-replay [-warmup N] [-commits N] [-search] <repository>...
package main
