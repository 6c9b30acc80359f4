package embedder

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/aurora-sidecar/aurora/internal/atomicfile"
)

const identityName = "identity.json"

// LoadIdentity returns who the endpoint was when its vectors were made; nil when there are none.
func LoadIdentity(dir string) (*Identity, error) {
	text, err := os.ReadFile(filepath.Join(dir, identityName))
	if errors.Is(err, fs.ErrNotExist) || dir == "" {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the model of the vectors: %w", err)
	}
	id := new(Identity)
	if err := json.Unmarshal(text, id); err != nil || id.ID.Dimensions < 1 || len(id.Probe) == 0 {
		return nil, nil // as good as none: the vectors are made again
	}
	return id, nil
}

// Save keeps the identity for LoadIdentity.
func (id Identity) Save(dir string) error {
	if dir == "" {
		return nil
	}
	text, err := json.Marshal(id)
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	if err == nil {
		err = atomicfile.Write(filepath.Join(dir, identityName), text, atomicfile.Private)
	}
	if err != nil {
		return fmt.Errorf("save the model of the vectors: %w", err)
	}
	return nil
}

// NewKey is the key of a text that its parts tell apart from all others of a space.
func NewKey(space, parts string) Key { return keyOf(space, parts) }
