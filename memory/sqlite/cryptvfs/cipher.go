package cryptvfs

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
)

// keySize is that of AES-256.
const keySize = 32

// newAEAD makes the cipher for one sort of file from a database's key.
func newAEAD(key []byte, label string) (cipher.AEAD, error) {
	own, err := hkdf.Key(sha256.New, key, nil, "aurora database 1: "+label, keySize)
	if err != nil {
		return nil, fmt.Errorf("derive a key: %w", err)
	}
	defer clear(own)
	block, err := aes.NewCipher(own)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}

// randomAEAD makes a cipher whose key nobody will ever have.
func randomAEAD() (cipher.AEAD, error) {
	key := make([]byte, keySize)
	defer clear(key)
	rand.Read(key) // never fails
	return newAEAD(key, "temporary")
}

// seal encrypts a unit into dst, which has room for overhead more bytes, and returns it.
func seal(aead cipher.AEAD, dst, plain []byte, index int64) []byte {
	var place [8]byte
	binary.BigEndian.PutUint64(place[:], uint64(index))
	return aead.Seal(dst[:0], nil, plain, place[:])
}

// unseal decrypts a unit into dst. A unit that was never written is all zeros, as in a file with holes.
func unseal(aead cipher.AEAD, dst, sealed []byte, index int64) bool {
	var place [8]byte
	binary.BigEndian.PutUint64(place[:], uint64(index))
	if _, err := aead.Open(dst[:0], nil, sealed, place[:]); err == nil {
		return true
	}
	clear(dst[:len(sealed)-overhead])
	for _, b := range sealed {
		if b != 0 {
			return false
		}
	}
	return true
}
