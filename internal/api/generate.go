package api

//go:generate go run ./internal/reference/write . ../../docs/protocol.md ../../httpapi/openapi.json
