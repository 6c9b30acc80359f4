// Package rpc carries JSON-RPC 2.0 between one client and one server over LSP's base protocol.
//
// It owns framing, the order of messages, the life of a connection and the cancellation of requests. It wraps
// go.lsp.dev/jsonrpc2, which gives up a connection at the first frame that it can't read, whose notification
// handlers end the connection with any error, and whose request contexts must not outlive a handler.
//
// It guarantees that
//   - no input ends the process, and only an oversized Content-Length ends the connection;
//   - notifications are handled one by one in the order of the wire, requests concurrently, and a request sees
//     every notification that was sent before it;
//   - every request is answered exactly once, a cancelled one at once, even when its handler is slow to notice;
//   - a panic in a handler becomes an error of that request alone.
//
// It never knows what a method means, beyond initialize, shutdown, exit and $/cancelRequest.
package rpc
