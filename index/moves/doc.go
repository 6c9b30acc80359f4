// Package moves finds files that went on under another path: what left one place and came to another with the same text, or
// most of its chunks, within ten minutes. It owns the memory of what came and left, keeps it within bounds, and never looks at
// the disk.
package moves
