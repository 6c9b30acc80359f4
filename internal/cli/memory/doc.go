// Package memory has the commands that keep memory: remember, forget, teach, audit, export, import and encryption.
package memory
