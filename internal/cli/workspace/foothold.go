package workspace

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"strconv"
	"time"

	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/lsp/daemon"
)

// footholdLimit is how long a daemon may take to welcome an agent.
const footholdLimit = 15 * time.Second

// A foothold keeps a daemon, and its folder indexed, for as long as this process needs them: to the daemon it is an
// editor that opens no file.
type foothold struct {
	at    daemon.Place
	leave context.CancelFunc
	ended chan struct{} // closed when the session is over, for whatever reason
}

// stepInto opens a session in the workspace and returns when its folder is known to the daemon.
func stepInto(ctx context.Context, m *meeting) (*foothold, error) {
	joining, cancel := context.WithTimeout(ctx, footholdLimit)
	defer cancel()
	session, err := m.join(joining)
	if err != nil {
		return nil, err
	}
	living, leave := context.WithCancel(context.WithoutCancel(ctx))
	f := &foothold{at: m.Place, leave: leave, ended: make(chan struct{})}
	said, say := io.Pipe()
	heard, hear := io.Pipe()
	go func() {
		defer close(f.ended)
		_, err := session.Forward(living, said, hear)
		_ = said.CloseWithError(err)
		_ = hear.CloseWithError(errors.Join(err, io.EOF))
	}()
	greeted := make(chan error, 1)
	go func() { greeted <- f.greet(say, heard, m.root) }()
	select {
	case err = <-greeted:
	case <-joining.Done():
		err = joining.Err()
	}
	if err != nil {
		f.close()
		return nil, fmt.Errorf("join the daemon: %w", err)
	}
	go func() { _, _ = io.Copy(io.Discard, heard) }() // until the session ends
	return f, nil
}

// greet introduces this process as LSP asks, and waits for an answer that comes after the daemon took the folder.
func (f *foothold) greet(say io.Writer, heard io.Reader, root string) error {
	for _, message := range []any{
		lspMessage{ID: 1, Method: "initialize", Params: map[string]any{
			"processId": os.Getpid(), "clientInfo": map[string]string{"name": "aurora mcp", "version": app.ReadBuild().Version},
			"capabilities": struct{}{}, "workspaceFolders": []map[string]string{{"uri": api.FileURI(root), "name": "root"}},
		}},
		lspMessage{Method: "initialized", Params: struct{}{}},
		lspMessage{ID: statusRequest, Method: "aurora/status", Params: struct{}{}},
	} {
		if err := writeFrame(say, message); err != nil {
			return err
		}
	}
	in := bufio.NewReader(heard)
	for {
		var answer struct {
			ID     json.Number     `json:"id"`
			Method string          `json:"method"`
			Error  json.RawMessage `json:"error"`
		}
		if err := readFrame(in, &answer); err != nil {
			return err
		}
		switch {
		case answer.Method != "": // a notification, or a request that a client without capabilities need not answer
		case answer.Error != nil:
			return fmt.Errorf("it refuses: %s", answer.Error)
		case answer.ID.String() == strconv.Itoa(statusRequest):
			return nil
		}
	}
}

// statusRequest is the id of the last request of a greeting.
const statusRequest = 2

// lspMessage is a request, or a notification without ID.
type lspMessage struct {
	ID     int
	Method string
	Params any
}

func writeFrame(w io.Writer, v any) error {
	m := v.(lspMessage)
	wire := map[string]any{"jsonrpc": "2.0", "method": m.Method, "params": m.Params}
	if m.ID != 0 {
		wire["id"] = m.ID
	}
	body, err := json.Marshal(wire)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "Content-Length: %d\r\n\r\n%s", len(body), body)
	return err
}

func readFrame(in *bufio.Reader, v any) error {
	header, err := textproto.NewReader(in).ReadMIMEHeader()
	if err != nil {
		return err
	}
	length, err := strconv.Atoi(header.Get("Content-Length"))
	if err != nil {
		return err
	}
	body := make([]byte, length)
	if _, err := io.ReadFull(in, body); err != nil {
		return err
	}
	return json.Unmarshal(body, v)
}

// gone reports whether the session is over.
func (f *foothold) gone() bool {
	select {
	case <-f.ended:
		return true
	default:
		return false
	}
}

// close leaves the daemon.
func (f *foothold) close() {
	f.leave()
	<-f.ended
}
