package main

import (
	"fmt"
	"os"

	"github.com/aurora-sidecar/aurora/internal/config/internal/reference"
)

func main() {
	page, err := reference.Page()
	if err == nil {
		err = os.WriteFile(os.Args[1], []byte(page), 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "write:", err)
		os.Exit(1)
	}
}
