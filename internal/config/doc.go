// Package config is the one settings struct: defaults, layers, validation.
//
// It guarantees that a bad value is reported with its key, its source and the allowed range while the last good
// configuration stays in force, and that a project's own file can't set what runs programs or sends data. It knows
// no feature.
package config
