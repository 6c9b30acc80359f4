package atrest

import (
	"errors"
	"fmt"
	"io"
)

// A Policy says whether what is written is encrypted, and with what. The zero value encrypts nothing and opens nothing
// encrypted. What is there stays what it is, whatever the policy says.
type Policy struct {
	Enabled bool
	Keys    *Keys // nil when there are none
	NoKeys  error // why there are none, nil when nobody looked for them
}

// Ending is that of the names of encrypted files.
const Ending = ".age"

// Reader decrypts an encrypted file while it is read. Its errors say which key does not fit, or why there is none.
func (p Policy) Reader(sealed io.Reader) (io.Reader, error) {
	r, err := p.Keys.Reader(sealed)
	return r, p.Explain(err)
}

// Seal encrypts a file.
func (p Policy) Seal(plain []byte) ([]byte, error) {
	if p.Keys.Count() == 0 {
		return nil, p.Explain(ErrNoKey)
	}
	return p.Keys.Seal(plain)
}

// Explain adds to an error about a key what is known about that key.
func (p Policy) Explain(err error) error {
	switch {
	case errors.Is(err, ErrNoKey) && p.NoKeys != nil:
		return p.NoKeys
	case errors.Is(err, ErrWrongKey):
		return fmt.Errorf("the %v from %s does not fit; %w", p.Keys, p.Keys.Source(), err)
	}
	return err
}
