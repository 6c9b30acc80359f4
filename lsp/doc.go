// Package lsp is the language server's front door: it serves one editor over stdio, or several over a socket, from
// one engine.
//
// It owns where connections come from and when they end. It guarantees that a socket can be reached by its owner's
// processes only (mode 0600) or from this machine only (loopback). What is served is in package server, how in
// package rpc; the engine is opened and closed by the caller.
package lsp
