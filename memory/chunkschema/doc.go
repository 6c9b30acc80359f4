// Package chunkschema is the border through which chunks come in as JSON: code, reasoning and knowledge, each checked
// against its JSON Schema before anything is made of it.
//
// It owns the schemas and turns valid chunks into records. It keeps fields that the schemas don't know, since chunks may
// gain some over time. It never stores anything.
package chunkschema
