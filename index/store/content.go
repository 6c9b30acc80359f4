package store

import (
	"crypto/sha256"
	"encoding/binary"
)

// A Key says what a content was computed from.
type Key [sha256.Size]byte

// ContentKey returns the key of what chunker version v computes from a text of the hash in the language. Other
// inputs give other keys.
func ContentKey(hash [32]byte, language string, v int) Key {
	var b []byte
	b = append(b, hash[:]...)
	b = binary.AppendVarint(b, int64(v))
	b = append(b, language...)
	return sha256.Sum256(b)
}
