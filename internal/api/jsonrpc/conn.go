package jsonrpc

import (
	"context"
	"encoding/json"
	"io"

	"go.lsp.dev/jsonrpc2"
)

// A conn is a connection whose values are those of encoding/json, as everywhere in the contract.
type conn struct{ jsonrpc2.Conn }

func newConn(rwc io.ReadWriteCloser) conn {
	return conn{jsonrpc2.NewConn(jsonrpc2.NewStream(rwc), jsonrpc2.WithCodec(codec{}))}
}

// Call implements Peer.
func (c conn) Call(ctx context.Context, method string, params, result any) error {
	_, err := c.Conn.Call(ctx, method, params, result)
	return err
}

type codec struct{}

func (codec) Marshal(v any) ([]byte, error)      { return Encode(v) }
func (codec) Unmarshal(data []byte, v any) error { return json.Unmarshal(data, v) }

// A watched connection tells at once when there is nothing more to read, while handlers still run.
type watched struct {
	io.ReadWriteCloser
	ended func()
}

// Read implements io.Reader.
func (w *watched) Read(p []byte) (int, error) {
	n, err := w.ReadWriteCloser.Read(p)
	if err != nil {
		w.ended()
	}
	return n, err
}
