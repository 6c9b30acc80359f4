package embed

import (
	_ "embed"
	"sync"
)

//go:embed model.bin
var modelBytes []byte

// Default returns the model that is part of the binary. It is opened at the first call. An error means that the binary is
// damaged; search goes on without vectors.
var Default = sync.OnceValues(func() (*Static, error) { return OpenStatic(modelBytes) })
