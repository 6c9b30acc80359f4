// Command aurora-sbom writes the bill of materials of a Go program, from what the Go toolchain recorded in it, as
// CycloneDX JSON. Releases have one for each program.
//
//	aurora-sbom PROGRAM OUTPUT
package main
