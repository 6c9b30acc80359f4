// Package config is the one settings struct: defaults, layers, validation, and the trust in workspaces.
//
// It guarantees that a bad value is reported with its key, its source and the allowed range and stops nothing else: the value
// of the layer below is effective. A project's own file can't set what runs programs or sends data until the user trusts
// the workspace. Files are bounded in size and depth. It never writes a settings file and knows no feature.
package config

//go:generate go run ./internal/reference/write ../../docs/configuration.md
