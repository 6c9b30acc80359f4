package main

import (
	"fmt"
	"os"

	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/api/internal/reference"
)

func main() {
	page, err := reference.Page(os.Args[1], api.Standard)
	if err == nil {
		err = os.WriteFile(os.Args[2], []byte(page), 0o644)
	}
	var description []byte
	if err == nil {
		description, err = reference.OpenAPI(os.Args[1], api.Standard)
	}
	if err == nil {
		err = os.WriteFile(os.Args[3], description, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "write the protocol reference:", err)
		os.Exit(1)
	}
}
