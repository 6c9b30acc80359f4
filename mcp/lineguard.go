package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"sync"
)

// maxMessage is the most bytes of one message over stdio.
const maxMessage = 8 << 20

// A lineGuard keeps lines that are no JSON from the SDK, for which they are the end of the session. It answers them as
// JSON-RPC asks.
type lineGuard struct {
	in   *bufio.Reader
	line []byte // what is left of a sound line

	writeMu sync.Mutex
	to      io.Writer

	close func() error
}

func newLineGuard(in io.ReadCloser, out io.WriteCloser) *lineGuard {
	return &lineGuard{
		in: bufio.NewReaderSize(in, 64<<10), to: out,
		close: sync.OnceValue(func() error { return errors.Join(in.Close(), out.Close()) }),
	}
}

// Read yields sound lines, each with its terminator.
func (g *lineGuard) Read(p []byte) (int, error) {
	for len(g.line) == 0 {
		if err := g.next(); err != nil {
			return 0, err
		}
	}
	n := copy(p, g.line)
	g.line = g.line[n:]
	return n, nil
}

// next reads one line and keeps it when it is sound.
func (g *lineGuard) next() error {
	line, tooLong, err := g.readLine()
	if err != nil && len(line) == 0 {
		return err
	}
	switch line = bytes.TrimSpace(line); {
	case tooLong:
		return g.refuse(codeInvalidRequest, "the message is larger than 8 MiB; send less text")
	case len(line) == 0:
	case !json.Valid(line):
		return g.refuse(codeParse, "the line is no JSON; send one message a line, without line breaks in it")
	case !isMessage(line):
		return g.refuse(codeInvalidRequest, "the line is no JSON-RPC 2.0 message")
	default:
		g.line = append(bytes.Clone(line), '\n')
	}
	return nil
}

// readLine returns a line; of one that is too long only that it was.
func (g *lineGuard) readLine() (line []byte, tooLong bool, err error) {
	for {
		read, err := g.in.ReadSlice('\n')
		if !tooLong {
			line = append(line, read...)
			tooLong = len(line) > maxMessage
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, tooLong, err
		}
	}
}

// isMessage reports whether a line of JSON is one message of JSON-RPC 2.0. Batches are none: MCP has dropped them.
func isMessage(line []byte) bool {
	var m struct {
		Version string          `json:"jsonrpc"`
		Method  *string         `json:"method"`
		ID      any             `json:"id"`
		Result  json.RawMessage `json:"result"`
		Error   json.RawMessage `json:"error"`
	}
	if json.Unmarshal(line, &m) != nil || m.Version != "2.0" {
		return false
	}
	switch m.ID.(type) {
	case nil, string, float64:
		return m.Method != nil || m.ID != nil && (m.Result != nil || m.Error != nil)
	}
	return false
}

// The codes of JSON-RPC.
const (
	codeParse          = -32700
	codeInvalidRequest = -32600
)

func (g *lineGuard) refuse(code int, message string) error {
	answer, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": code, "message": message},
	})
	if err != nil {
		return err
	}
	_, err = g.Write(append(answer, '\n'))
	return err
}

// Write implements io.Writer for the SDK's messages, each of which is one call.
func (g *lineGuard) Write(p []byte) (int, error) {
	g.writeMu.Lock()
	defer g.writeMu.Unlock()
	return g.to.Write(p)
}

// Close closes both streams. The SDK calls it for either side.
func (g *lineGuard) Close() error { return g.close() }
