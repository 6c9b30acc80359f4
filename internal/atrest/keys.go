package atrest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"filippo.io/age"
)

// ErrWrongKey is returned for what none of the keys opens.
var ErrWrongKey = errors.New("it was encrypted with another key")

// ErrNoKey is wrapped by the errors of sources that have no key.
var ErrNoKey = errors.New("there is no key")

// ErrUnusable is wrapped, beside ErrNoKey, when a place for keys can't be used at all.
var ErrUnusable = errors.New("the place for it can't be used")

// ErrDamaged is returned for what a key fits, but whose content was changed or cut.
var ErrDamaged = errors.New("the encrypted content is damaged")

// Keys are one or more keys. The first one encrypts, all of them decrypt: while a key is being changed, the old one
// follows the new one. The zero value and nil have none.
type Keys struct {
	all    []*age.X25519Identity
	source string
}

// prefix is how the text of a key begins.
const prefix = "AGE-SECRET-KEY-1"

// Generate makes a key.
func Generate() (*Keys, error) {
	id, err := age.GenerateX25519Identity()
	if err != nil {
		return nil, fmt.Errorf("make a key: %w", err)
	}
	return &Keys{all: []*age.X25519Identity{id}, source: "new"}, nil
}

// Parse reads keys between white space or commas. Lines that begin with # are comments, as age-keygen writes them.
// Errors never repeat the text.
func Parse(text string) (*Keys, error) {
	var k Keys
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "#") {
			continue
		}
		for _, word := range strings.FieldsFunc(line, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' || r == '\r' || r == '\n' }) {
			id, err := age.ParseX25519Identity(word)
			if err != nil {
				return nil, fmt.Errorf("key %d is not an age key (%s..., as `aurora mem encryption --new-key` makes it)", len(k.all)+1, prefix)
			}
			k.all = append(k.all, id)
		}
	}
	if len(k.all) == 0 {
		return nil, ErrNoKey
	}
	return &k, nil
}

// With returns these keys, followed by those of old that are not among them.
func (k *Keys) With(old *Keys) *Keys {
	out := &Keys{all: slices.Clone(k.all), source: k.source}
	if old == nil {
		return out
	}
	for _, id := range old.all {
		if !out.has(id) {
			out.all = append(out.all, id)
		}
	}
	return out
}

func (k *Keys) has(id *age.X25519Identity) bool {
	for _, own := range k.all {
		if own.String() == id.String() {
			return true
		}
	}
	return false
}

// First returns the key that encrypts, alone.
func (k *Keys) First() *Keys { return &Keys{all: k.all[:1:1], source: k.source} }

// Last returns the last key, alone: the one that is to go when a key is being changed.
func (k *Keys) Last() *Keys { return &Keys{all: k.all[len(k.all)-1:], source: k.source} }

// Count is how many keys there are.
func (k *Keys) Count() int {
	if k == nil {
		return 0
	}
	return len(k.all)
}

// From returns the same keys as kept in a source.
func (k *Keys) From(s Source) *Keys { return &Keys{all: k.all, source: s.String()} }

// Source says where the keys come from, for people.
func (k *Keys) Source() string { return k.source }

// Fingerprint tells keys apart without telling them: 8 hexadecimal digits of a digest of the first one's public half.
func (k *Keys) Fingerprint() string {
	if k.Count() == 0 {
		return "none"
	}
	sum := sha256.Sum256([]byte(k.all[0].Recipient().String()))
	return hex.EncodeToString(sum[:4])
}

// String implements fmt.Stringer; it does not tell the keys.
func (k *Keys) String() string { return "key " + k.Fingerprint() }

// GoString implements fmt.GoStringer; it does not tell the keys.
func (k *Keys) GoString() string { return k.String() }

// Secret is the text of the keys, a line each: for the place where they are kept, and nothing else.
func (k *Keys) Secret() string {
	var b strings.Builder
	for _, id := range k.all {
		b.WriteString(id.String())
		b.WriteByte('\n')
	}
	return b.String()
}

// Seal encrypts with the first key.
func (k *Keys) Seal(plain []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := k.Writer(&out)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(plain); err != nil {
		return nil, fmt.Errorf("encrypt: %w", err)
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("encrypt: %w", err)
	}
	return out.Bytes(), nil
}

// Writer encrypts with the first key what is written to it, until it is closed, which does not close out.
func (k *Keys) Writer(out io.Writer) (io.WriteCloser, error) {
	if k.Count() == 0 {
		return nil, ErrNoKey
	}
	w, err := age.Encrypt(out, k.all[0].Recipient())
	if err != nil {
		return nil, fmt.Errorf("encrypt: %w", err)
	}
	return w, nil
}

// Open decrypts what Seal, or the age program, made. It fails with ErrNoKey, ErrWrongKey or ErrDamaged.
func (k *Keys) Open(sealed []byte) ([]byte, error) {
	r, err := k.Reader(bytes.NewReader(sealed))
	if err != nil {
		return nil, err
	}
	plain, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return plain, nil
}

// OpenedByFirst reports whether the first key, which encrypts now, is the one that opens sealed.
func (k *Keys) OpenedByFirst(sealed []byte) bool {
	if k.Count() == 0 {
		return false
	}
	_, err := k.First().Reader(bytes.NewReader(sealed))
	return err == nil
}

// Reader decrypts while it is read. It fails as Open does; a damaged end is only found on reaching it.
func (k *Keys) Reader(sealed io.Reader) (io.Reader, error) {
	if k.Count() == 0 {
		return nil, ErrNoKey
	}
	ids := make([]age.Identity, len(k.all))
	for i, id := range k.all {
		ids[i] = id
	}
	r, err := age.Decrypt(sealed, ids...)
	var none *age.NoIdentityMatchError
	if errors.As(err, &none) {
		return nil, ErrWrongKey
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return r, nil
}

// Magic is how an encrypted file begins.
const Magic = "age-encryption.org/v1\n"

// IsSealed reports whether a file that begins so is encrypted.
func IsSealed(head []byte) bool { return bytes.HasPrefix(head, []byte(Magic)) }
