// Command aurora-eval measures what AURORA finds and answers, on queries and questions whose answers are known.
//
//	go run ./cmd/aurora-eval search|answers|context|tokens|reasoning|graph [flags]
//
// docs/search.md, docs/engine.md and docs/mcp.md say what it measured.
package main
