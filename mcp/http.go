package mcp

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/aurora-sidecar/aurora/internal/loopback"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// sessionTimeout is how long a session over HTTP outlives its last request.
const sessionTimeout = time.Hour

// Listen opens a port of this machine's loopback interface, HOST:PORT. Port 0 takes a free one.
func Listen(ctx context.Context, address string) (net.Listener, error) {
	l, err := loopback.Listen(ctx, address)
	var refused *loopback.AddressError
	if errors.As(err, &refused) {
		return nil, invalid("http", refused.Message, refused.Remedy)
	}
	return l, err
}

// ServeHTTP serves clients over streamable HTTP until ctx ends, and closes the listener. Each request must carry the
// token as "Authorization: Bearer TOKEN". Requests that a web page could have made are refused, see package loopback.
func (s *Server) ServeHTTP(ctx context.Context, l net.Listener, token string) error {
	if len(token) < loopback.MinToken {
		return errors.Join(invalid("token", fmt.Sprintf("the token has fewer than %d bytes", loopback.MinToken), "Leave it out: one is made."), l.Close())
	}
	streamable := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s.sdk },
		&sdk.StreamableHTTPOptions{SessionTimeout: sessionTimeout, Logger: s.log, MaxRequestBodyBytes: maxMessage})
	if err := loopback.Serve(ctx, l, loopback.Bearer(token, streamable)); err != nil {
		return err
	}
	for session := range s.sdk.Sessions() {
		_ = session.Close()
	}
	return nil
}
