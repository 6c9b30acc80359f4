// Package filelock takes advisory locks of files, by which processes agree on who writes, and tells who holds one. The system
// frees a lock when its process ends, however that happens. Only Guard removes the file.
package filelock
