package memory

import (
	"github.com/aurora-sidecar/aurora/internal/api"
)

// Results are what the commands print with --json, by command: the types of which JSON Schemas are made.
var Results = map[string]any{
	"forget":             api.ForgetResult{},
	"forget --purge":     api.PurgeResult{},
	"forget --undo":      api.RestoreResult{},
	"mem audit":          api.AuditResult{},
	"mem audit --review": api.RecordsResult{},
	"mem edit":           api.ReviseResult{},
	"mem encryption":     EncryptionStatus{},
	"mem export":         map[string]int{},
	"mem goal":           []api.Goal{},
	"mem import":         map[string]int{},
	"mem rate":           api.RateResult{},
	"mem relate":         api.RelateResult{},
	"mem restore-backup": []storedBackup{},

	"mem restore-backup <date>": restoredBackup{},
	"mem show":                  api.RecordAccount{},

	"mem encryption --new-key":  newKey{},
	"mem encryption --save-key": savedKey{},
	"mem stats":                 api.MemoryStatsResult{},
	"remember":                  api.RememberResult{},
	"remember --commits":        api.DecisionsResult{},
}
