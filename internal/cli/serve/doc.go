// Package serve has the commands that run until they are stopped: the language server, the MCP server, HTTP and the daemon.
//
// Nothing but protocol is written to stdout by them.
package serve
