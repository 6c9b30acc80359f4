// Package mcp is the door for agents: tools, resources and prompts of the Model Context Protocol over the facade.
//
// It decodes, calls and encodes; what an answer holds is the engine's business. It guarantees that no path outside the
// workspace is looked at, that text from files and memory is fenced as data, that a bad argument or a failure comes back
// as a tool error which says what to do next, that a malformed message does not end a session, and that the tools which
// a client gets without asking cost it less than 1,500 tokens.
package mcp
