// Package protocol is the wire contract: the names, parameters and results of the aurora/* methods, the error codes,
// and the conversion between what the engine says and what a client reads.
//
// It guarantees that a field is never renamed or given another meaning: fields are only added. Lists are never null,
// optional fields are left out when they say nothing, numbers are always finite. The same types serve the command
// line's --json. It never calls the engine and keeps no state.
package protocol
