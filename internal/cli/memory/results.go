package memory

import (
	"github.com/aurora-sidecar/aurora/internal/api"
)

// Results are what the commands print with --json, by command: the types of which JSON Schemas are made.
var Results = map[string]any{
	"forget":         api.RestoreResult{},
	"mem audit":      auditJSON{},
	"mem encryption": EncryptionStatus{},
	"mem export":     map[string]int{},
	"mem goal":       []goalJSON{},
	"mem import":     map[string]int{},
	"mem learn":      learnedJSON{},
	"mem rate":       map[string]int{},
	"mem relate":     map[string]int{},
	"mem show":       accountJSON{},
	"mem stats":      memStats{},
	"remember":       api.RememberResult{},
}
