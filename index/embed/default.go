package embed

import (
	_ "embed"
	"sync"
)

//go:embed model.bin
var modelBytes []byte

//go:embed prose.bin
var proseBytes []byte

// What the fingerprints of the models' bytes would be; a test compares them, and their checksums.
const (
	modelFingerprint = 0x8f8061c1
	proseFingerprint = 0xe6ad7a9f
)

// Default returns the model of code that is part of the binary. What of it is needed is read with the first text: most starts
// find their vectors made, and would pay 10 MB of memory for it. An error means that the binary is damaged; search goes on
// without vectors.
var Default = sync.OnceValues(func() (*Static, error) { return openUnchecked(modelBytes, modelFingerprint) })

// Prose returns the model of prose that is part of the binary: of what people write about code, as in notes and messages of
// commits. It knows less of code than Default does.
var Prose = sync.OnceValues(func() (*Static, error) { return openUnchecked(proseBytes, proseFingerprint) })

// openUnchecked opens a model of the binary, whose fingerprint is known.
func openUnchecked(data []byte, fingerprint uint32) (*Static, error) {
	model, err := openTable(data)
	if err != nil {
		return nil, err
	}
	s := newStatic(model)
	s.id.Fingerprint = fingerprint
	return s, nil
}
