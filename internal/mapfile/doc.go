// Package mapfile maps files into memory: what is read stays on the disk until it is needed, and the system may take its
// memory back at any time.
//
// Who maps a file must know that nobody shortens it in place. It is the owner's part to check what is in a file before
// it is mapped, and to replace files as a whole (write a new one, rename). See Guard for what can go wrong all the same.
package mapfile
