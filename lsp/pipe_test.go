package lsp

import (
	"io"
	"os"
	"testing"
)

// Pipe returns the two ends of a connection over the system's pipes, as between an editor and its server.
func Pipe(t testing.TB) (client, server io.ReadWriteCloser) {
	t.Helper()
	serverIn, clientOut := osPipe(t)
	clientIn, serverOut := osPipe(t)
	return duplex{clientIn, clientOut}, duplex{serverIn, serverOut}
}

func osPipe(t testing.TB) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	return r, w
}
