// Command write writes the documentation of the settings: write <folder of package config> <page>.
package main

import (
	"fmt"
	"os"

	"github.com/aurora-sidecar/aurora/internal/config/internal/reference"
)

func main() {
	page, err := reference.Page(os.Args[1])
	if err == nil {
		err = os.WriteFile(os.Args[2], []byte(page), 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "write:", err)
		os.Exit(1)
	}
}
