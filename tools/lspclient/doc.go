// Package lspclient is the thinnest editor there is: it starts a language server, frames JSON-RPC and waits for answers.
// It answers requests of the server with null, those for settings with null for each, and passes its notifications on.
package lspclient
