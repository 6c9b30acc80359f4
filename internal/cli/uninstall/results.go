package uninstall

// Results are what the commands print with --json, by command: the types of which JSON Schemas are made.
var Results = map[string]any{
	"uninstall": UninstallPlan{},
}
