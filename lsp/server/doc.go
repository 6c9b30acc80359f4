// Package server serves LSP and the aurora/* methods of one client over the engine.
//
// Every handler decodes, calls the facade and encodes; what to answer is decided in the engine. The package owns
// what belongs to a connection: what the client can do, its open documents, its position encoding, its progress. A
// Hub joins the connections that share one engine.
//
// It guarantees that a client gets only messages that it announced it understands, that hover answers within its
// budget, and that edits which make no sense leave the last good text in place until the client sends a whole one.
// It never knows how text is indexed, searched or remembered.
package server
