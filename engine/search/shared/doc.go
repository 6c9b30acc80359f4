// Package shared asks a search server of the team: it owns what goes over the wire, the client, and what this checkout has of its own.
//
// It guarantees that nothing that a server sends is believed without a check, that nobody waits for a server beyond a limit, and that
// a server which fails is left alone for a while. It never sends a text, and opens no file for a server.
package shared
