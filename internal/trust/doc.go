// Package trust keeps what the user lets workspace folders do: run programs, send data elsewhere, instruct a model.
//
// It owns the file trusted.json. Trust is in what was shown: each thing that a folder brings along is approved with the
// digest of all that decides what it does, so what changes later is not trusted until the user has seen the change. It
// never asks anybody, and nothing that a folder brings along can write to it.
package trust
