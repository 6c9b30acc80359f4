package sentence

import (
	_ "embed"
	"sync"
)

//go:embed model.bin
var modelBytes []byte

// Default returns the model that is part of the binary: all-MiniLM-L6-v2 with the subwords that prose about code has. Its
// checksum is compared by a test only.
var Default = sync.OnceValues(func() (*Model, error) { return read(modelBytes) })
