package protocol

//go:generate go run ./internal/reference/write . ../../docs/protocol.md
