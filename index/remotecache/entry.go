package remotecache

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
)

// A Key names an entry.
type Key [sha256.Size]byte

// NewKey returns the key of what the parts say together: other parts give another key.
func NewKey(parts ...string) Key {
	var b []byte
	for _, p := range parts {
		b = binary.AppendUvarint(b, uint64(len(p)))
		b = append(b, p...)
	}
	return sha256.Sum256(b)
}

// Reasons why what lies under a key does not count.
var (
	ErrNone      = errors.New("nothing is there")
	ErrForm      = errors.New("it is no entry of AURORA")
	ErrVersion   = errors.New("another version of AURORA has written it")
	ErrSignature = errors.New("its signature is not that of the public key in the settings")
	ErrSum       = errors.New("it is not what was signed: its checksum differs")
)

const (
	magic         = "AURC"
	formatVersion = 1
	headerSize    = len(magic) + 2 + ed25519.SignatureSize
	packBody      = sha256.Size + 8

	kindEntry, kindPack = 1, 2
)

// signed returns what a signature covers.
func signed(kind byte, key Key, body []byte) []byte {
	b := append([]byte("aurora shared cache\x00"), formatVersion, kind)
	return append(append(b, key[:]...), body...)
}

// seal returns the statement that body is what belongs to the key.
func seal(owner ed25519.PrivateKey, kind byte, key Key, body []byte) []byte {
	b := append([]byte(magic), formatVersion, kind)
	b = append(b, ed25519.Sign(owner, signed(kind, key, body))...)
	return append(b, body...)
}

// unseal returns the body of a statement that the owner has signed for the kind and the key.
func unseal(owner ed25519.PublicKey, kind byte, key Key, statement []byte) ([]byte, error) {
	switch {
	case len(statement) < headerSize || string(statement[:len(magic)]) != magic:
		return nil, ErrForm
	case statement[len(magic)] != formatVersion:
		return nil, ErrVersion
	case statement[len(magic)+1] != kind:
		return nil, ErrForm
	}
	body := statement[headerSize:]
	if !ed25519.Verify(owner, signed(kind, key, body), statement[headerSize-ed25519.SignatureSize:headerSize]) {
		return nil, ErrSignature
	}
	return body, nil
}

// A blob is what a pack refers to.
type blob struct {
	sum  [sha256.Size]byte
	size int64
}

func (b blob) name() string { return "cas/" + hex.EncodeToString(b.sum[:]) }

func (b blob) body() []byte {
	return binary.LittleEndian.AppendUint64(slices.Clone(b.sum[:]), uint64(b.size))
}

func blobOf(body []byte) (b blob, err error) {
	if len(body) != packBody {
		return b, ErrForm
	}
	copy(b.sum[:], body)
	b.size = int64(binary.LittleEndian.Uint64(body[sha256.Size:]))
	if b.size < 0 || b.size > maxPack {
		return b, fmt.Errorf("%w: a pack of %d bytes", ErrForm, uint64(b.size))
	}
	return b, nil
}

// The fields of an ActionResult that are used, as tags of the wire format of Protocol Buffers, and of what is in them.
const (
	tagOutputFile = 2<<3 | 2
	tagStdoutRaw  = 5<<3 | 2
	tagPath       = 1<<3 | 2
	tagDigest     = 2<<3 | 2
	tagHash       = 1<<3 | 2
	tagSize       = 2 << 3
)

func appendField(b []byte, tag uint64, value []byte) []byte {
	b = binary.AppendUvarint(b, tag)
	return append(binary.AppendUvarint(b, uint64(len(value))), value...)
}

// actionResult wraps a statement, and names the blob that it is about, if there is one.
func actionResult(statement []byte, of *blob) []byte {
	var b []byte
	if of != nil {
		digest := appendField(nil, tagHash, []byte(hex.EncodeToString(of.sum[:])))
		digest = binary.AppendUvarint(binary.AppendUvarint(digest, tagSize), uint64(of.size))
		b = appendField(nil, tagOutputFile, appendField(appendField(nil, tagPath, []byte("aurora.pack")), tagDigest, digest))
	}
	return appendField(b, tagStdoutRaw, statement)
}

// statementOf returns the statement in an ActionResult, to which a server may have added fields of its own.
func statementOf(result []byte) ([]byte, error) {
	var statement []byte
	for len(result) > 0 {
		tag, n := binary.Uvarint(result)
		if n <= 0 {
			return nil, ErrForm
		}
		result = result[n:]
		length, n := uint64(0), 0
		switch tag & 7 {
		case 0:
			_, n = binary.Uvarint(result)
		case 1:
			length = 8
		case 2:
			length, n = binary.Uvarint(result)
		case 5:
			length = 4
		default:
			return nil, ErrForm
		}
		if n < 0 || n == 0 && tag&7 != 1 && tag&7 != 5 || length > uint64(len(result)-n) {
			return nil, ErrForm
		}
		if tag == tagStdoutRaw {
			statement = result[n : n+int(length)]
		}
		result = result[n+int(length):]
	}
	if statement == nil {
		return nil, ErrForm
	}
	return statement, nil
}
