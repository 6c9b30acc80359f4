// Package api is the registry of operations: everything that AURORA can be asked, once.
//
// An Operation is a name, the types of its parameters and its result, what it does in a sentence, and a handler over the
// engine. The doors are views of the registry: LSP's aurora/* methods, the daemon's socket (package jsonrpc below), HTTP
// (package httpapi), tools of MCP (package mcp) and the command line. docs/protocol.md, the TypeScript types of the VS
// Code extension and httpapi/openapi.json are generated from it. A new operation is one entry and one handler.
//
// It owns the wire types of the contract, and guarantees that a result is the same through every door, that lists are
// never null, and that no field is renamed within a Version. A Client calls operations in this process or in a daemon;
// its caller can't tell which. The package knows no transport, and opens and listens at nothing.
package api
