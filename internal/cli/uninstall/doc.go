// Package uninstall takes AURORA from the machine: the programs, entries in editors and MCP clients and, when asked, the data.
//
// It removes only what AURORA made, and lists it before.
package uninstall
