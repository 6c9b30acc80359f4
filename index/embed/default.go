package embed

import (
	_ "embed"
	"sync"
)

//go:embed model.bin
var modelBytes []byte

// modelFingerprint is what the fingerprint of the model's bytes would be; a test compares it, and their checksum.
const modelFingerprint = 0x8f8061c1

// Default returns the model of code that is part of the binary. What of it is needed is read with the first text: most starts
// find their vectors made, and would pay 10 MB of memory for it. An error means that the binary is damaged; search goes on
// without vectors.
var Default = sync.OnceValues(func() (*Static, error) {
	model, err := openTable(modelBytes)
	if err != nil {
		return nil, err
	}
	s := newStatic(model)
	s.id.Fingerprint = modelFingerprint
	return s, nil
})
