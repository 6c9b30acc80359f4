// Package jsonrpc carries operations of package api over JSON-RPC 2.0: Serve answers the client at the other end of a
// connection, Remote is that client.
//
// A connection begins with the notification aurora/hello, by which the client says who it is and what can be asked of
// it; then it calls operations by their methods. While one runs the server may send aurora/progress, aurora/ask and
// aurora/complete, as to an editor. When the client hangs up, its calls end.
//
// It guarantees that errors that a person can act on arrive as they were, and that a panic in a handler becomes an error
// of that call alone. It never dials and never listens.
package jsonrpc
