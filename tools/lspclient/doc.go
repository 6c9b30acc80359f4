// Package lspclient is the thinnest editor there is: it starts a language server, frames JSON-RPC and waits for answers.
// It answers every request of the server with null, and drops its notifications.
package lspclient
