package vfs

// A Node tells a file from another one that took its place, and from what it was itself before it was changed and given
// back its size and its time: nobody can set the time of change. The zero Node is that of no file, and of all files where the
// system tells nothing.
type Node struct {
	Inode   uint64
	Changed int64 // when the content or an attribute changed last, in nanoseconds since 1970
}
