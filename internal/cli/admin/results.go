package admin

import (
	"github.com/aurora-sidecar/aurora/engine/report"
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/cli/show"
)

// Results are what the commands print with --json, by command: the types of which JSON Schemas are made.
var Results = map[string]any{
	"budget":          api.BudgetResult{},
	"config get":      Setting{},
	"config list":     []Setting{},
	"config set":      setResult{},
	"config unset":    unsetResult{},
	"config validate": validation{},
	"doctor":          examination{},
	"logs":            []listedLog{},
	"report":          report.Report{},
	"report note":     notedTask{},
	"status":          show.StatusResult{},
}
