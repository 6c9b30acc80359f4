package mcp

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Of the HTTP door.
const (
	minToken       = 16 // bytes
	sessionTimeout = time.Hour
	headerTimeout  = 10 * time.Second
	closeGrace     = 3 * time.Second
)

// Listen opens a port of this machine's loopback interface, HOST:PORT. Port 0 takes a free one.
func Listen(ctx context.Context, address string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, invalid("http", fmt.Sprintf("%.100q is not HOST:PORT", address), "Use 127.0.0.1:7718.")
	}
	if !isLoopback(host) {
		return nil, invalid("http", address+" can be reached from other machines", "Use 127.0.0.1:PORT or [::1]:PORT.")
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	if tcp, ok := l.Addr().(*net.TCPAddr); !ok || !tcp.IP.IsLoopback() { // a hosts file may say anything of localhost
		return nil, errors.Join(invalid("http", fmt.Sprintf("%s is %s, which other machines can reach", host, l.Addr()), "Use 127.0.0.1:PORT."), l.Close())
	}
	return l, nil
}

func isLoopback(host string) bool {
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// ServeHTTP serves clients over streamable HTTP until ctx ends, and closes the listener. Each request must carry the
// token as "Authorization: Bearer TOKEN". Requests that a web page could have made are refused: those for another host
// than this machine (DNS rebinding), and those that name an origin elsewhere.
func (s *Server) ServeHTTP(ctx context.Context, l net.Listener, token string) error {
	if len(token) < minToken {
		return errors.Join(invalid("token", fmt.Sprintf("the token has fewer than %d bytes", minToken), "Leave it out: one is made."), l.Close())
	}
	streamable := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s.sdk },
		&sdk.StreamableHTTPOptions{SessionTimeout: sessionTimeout, Logger: s.log, MaxRequestBodyBytes: maxMessage})
	server := &http.Server{Handler: onlyLocal(onlyBearer(token, streamable)), ReadHeaderTimeout: headerTimeout}
	ended := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(ended)
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeGrace)
		defer cancel()
		if server.Shutdown(closing) != nil { // streams that clients keep open
			_ = server.Close()
		}
	})
	err := server.Serve(l)
	if stop() {
		return fmt.Errorf("serve HTTP: %w", err)
	}
	<-ended
	for session := range s.sdk.Sessions() {
		_ = session.Close()
	}
	return nil
}

// onlyLocal refuses what a browser sends on behalf of somebody else.
func onlyLocal(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := r.Host
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		if !isLoopback(host) {
			http.Error(w, "forbidden: the Host header must name this machine, as 127.0.0.1 or localhost", http.StatusForbidden)
			return
		}
		for _, origin := range r.Header.Values("Origin") {
			if u, err := url.Parse(origin); err != nil || !isLoopback(u.Hostname()) {
				http.Error(w, "forbidden: web pages of other origins are not served", http.StatusForbidden)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// onlyBearer refuses requests without the token. Comparing digests takes the same time whatever was sent.
func onlyBearer(token string, next http.Handler) http.Handler {
	want := sha256.Sum256([]byte(token))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		scheme, given, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		got := sha256.Sum256([]byte(strings.TrimSpace(given)))
		if !strings.EqualFold(scheme, "Bearer") || subtle.ConstantTimeCompare(got[:], want[:]) != 1 {
			w.Header().Set("WWW-Authenticate", `Bearer realm="aurora"`)
			http.Error(w, "unauthorized: send the header Authorization: Bearer TOKEN", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}
