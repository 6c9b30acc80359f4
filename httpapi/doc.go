// Package httpapi is the door for orchestrators: the operations of package api over HTTP (POST /api/<name>), and the
// context engine as REST and as JSON-RPC 2.0.
//
// It owns routes, limits and the two wire formats, and guarantees that both lead to the same calls, that every request
// but GET /health carries the token, that no request takes more than its share of memory and time, and that a failure
// tells what to do. Features live in the engine; the tools are those of package mcp.
package httpapi
