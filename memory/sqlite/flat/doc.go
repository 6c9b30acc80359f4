// Package flat reads rows of the one table in which versions before this one kept memory.
//
// It owns the names that its columns have been seen with. It never opens a database.
package flat
