package sentence

import (
	_ "embed"
	"sync"
)

//go:embed model.bin
var modelBytes []byte

// Default returns the model that is part of the binary: all-MiniLM-L6-v2 (Apache-2.0), changed: its two upper layers are trained further,
// its matrices are of integers, and it has the subwords that prose about code has. Its checksum is compared by a test only.
var Default = sync.OnceValues(func() (*Model, error) { return read(modelBytes) })
