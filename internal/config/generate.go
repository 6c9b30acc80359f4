package config

//go:generate go run ./internal/reference/write ../../docs/configuration.md
