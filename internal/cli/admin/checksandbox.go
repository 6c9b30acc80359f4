package admin

import (
	"os"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/sandbox"
)

// checkSandbox tries whether models may have tests run. Without a sandbox they don't, and all else goes on.
func checkSandbox(c *app.App) Finding {
	folder, err := os.MkdirTemp("", "aurora-sandbox-*")
	if err == nil {
		defer os.RemoveAll(folder)
		err = sandbox.New(folder, c.Program).Check()
	}
	if err != nil {
		return Finding{Check: "sandbox", Level: levelOK, Detail: "none, so models run no tests: " + err.Error()}
	}
	return Finding{Check: "sandbox", Level: levelOK, Detail: "models can run tests of trusted projects, without network and without writing"}
}
