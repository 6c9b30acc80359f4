// Package engine is AURORA's one facade: search, hover, code actions, context, queries, memory and status.
//
// It owns everything that needs both code and memory. It takes and returns plain data in editor terms, so that the
// language server, the MCP server and the command line are thin doors to the same functions. It guarantees that no
// answer is silent about what is missing (Notes, Warnings) and that a hit's text is what the file or the buffer
// holds now. It never knows JSON-RPC, SQL, or which client asks.
package engine
