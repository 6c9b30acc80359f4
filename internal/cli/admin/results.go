package admin

import (
	"github.com/aurora-sidecar/aurora/engine/report"
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/cli/show"
	"github.com/aurora-sidecar/aurora/memory"
)

// Results are what the commands print with --json, by command: the types of which JSON Schemas are made.
var Results = map[string]any{
	"budget":          api.BudgetResult{},
	"config get":      Setting{},
	"config list":     []Setting{},
	"config models":   modelTable{},
	"config set":      setResult{},
	"config unset":    unsetResult{},
	"config validate": validation{},
	"doctor":          examination{},
	"logs":            []listedLog{},
	"report":          report.Report{},
	"report note":     notedTask{},
	"status":          show.StatusResult{},

	"config get <group>":    []Setting{},
	"config list --files":   []configPlace{},
	"dev llm":               map[string]string{},
	"logs <name>":           exported{},
	"logs <name> --answer":  logAnswer{},
	"logs <name> --lines":   logLines{},
	"logs --search":         []logMatch{},
	"report --by languages": []api.LanguageCount{},
	"report --by providers": []memory.ProviderEffect{},
	"report --by savings":   savings{},
	"report --by trend":     []memory.DayTokens{},
}
