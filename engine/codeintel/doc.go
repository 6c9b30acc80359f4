// Package codeintel tells facts about a place in a file: the symbol there and its definitions, its neighbours in the graph of
// calls, its git history, and what is remembered about it, as hovers, lenses, outlines, actions and edges.
//
// It works by names and scopes, not by a compiler, and each edge says how sure it is. What git or memory do not tell in time
// is left out, never waited for. It asks memory through an interface of its own, and no model.
package codeintel
