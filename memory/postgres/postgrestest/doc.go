// Package postgrestest starts PostgreSQL servers for tests.
//
// Each is a cluster of its own in a temporary folder, reached by a socket there and by a port of this machine alone, and is gone with its test.
package postgrestest
