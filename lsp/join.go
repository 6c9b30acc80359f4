package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"

	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/lsp/daemon"
	"go.lsp.dev/jsonrpc2"
)

// A Membership is a session with a daemon that opens no document: it keeps the daemon, and a folder indexed, for as long
// as it lasts.
type Membership struct {
	leave context.CancelFunc
	ended chan struct{}
}

// Join introduces this process to a daemon, and returns when the daemon knows the folder. When ctx ends before, the
// session does, too.
func Join(ctx context.Context, s *daemon.Session, folder, name, version string) (*Membership, error) {
	living, leave := context.WithCancel(context.WithoutCancel(ctx))
	m := &Membership{leave: leave, ended: make(chan struct{})}
	in, toDaemon := io.Pipe()
	fromDaemon, out := io.Pipe()
	go func() {
		defer close(m.ended)
		_, err := s.Forward(living, in, out)
		_ = in.CloseWithError(err)
		_ = out.CloseWithError(errors.Join(err, io.EOF))
	}()
	conn := jsonrpc2.NewConn(jsonrpc2.NewStream(duplex{fromDaemon, toDaemon}))
	conn.Go(living, refuse) // until the session ends
	if err := introduce(ctx, conn, folder, name, version); err != nil {
		m.Close()
		return nil, err
	}
	return m, nil
}

// refuse answers what a client without capabilities is not asked.
func refuse(_ context.Context, request *jsonrpc2.Request) (any, error) {
	if request.IsCall() {
		return nil, jsonrpc2.NewError(jsonrpc2.MethodNotFound, "this client only keeps a folder indexed")
	}
	return nil, nil
}

// introduce opens the session as LSP asks; the answer to the last request comes after the daemon took the folder.
func introduce(ctx context.Context, conn jsonrpc2.Conn, folder, name, version string) error {
	initialize := map[string]any{
		"processId": os.Getpid(), "clientInfo": map[string]string{"name": name, "version": version}, "capabilities": struct{}{},
		"workspaceFolders": []map[string]string{{"uri": api.FileURI(folder), "name": "root"}},
	}
	var answer json.RawMessage
	if _, err := conn.Call(ctx, "initialize", initialize, &answer); err != nil {
		return err
	}
	if err := conn.Notify(ctx, "initialized", struct{}{}); err != nil {
		return err
	}
	_, err := conn.Call(ctx, api.ReadStatus.Method(), struct{}{}, &answer)
	return err
}

// Ended reports whether the session is over, for whatever reason.
func (m *Membership) Ended() bool {
	select {
	case <-m.ended:
		return true
	default:
		return false
	}
}

// Close leaves the daemon.
func (m *Membership) Close() {
	m.leave()
	<-m.ended
}
