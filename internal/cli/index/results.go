package index

import (
	"github.com/aurora-sidecar/aurora/internal/api"
)

// Results are what the commands print with --json, by command: the types of which JSON Schemas are made.
var Results = map[string]any{
	"index":         summary{},
	"index check":   []checkedFile{},
	"index list":    []listedFile{},
	"index rebuild": api.Job{},
}
