package loopback

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

const (
	// MinToken is the length in bytes of the shortest token that is taken.
	MinToken = 16

	headerTimeout = 10 * time.Second
	bodyTimeout   = 10 * time.Second // of the whole body
	closeGrace    = 3 * time.Second
)

// An AddressError says why an address is not served at.
type AddressError struct {
	Message string
	Remedy  string
}

// Error implements error.
func (e *AddressError) Error() string { return e.Message }

// Listen opens a port of this machine's loopback interface, HOST:PORT. Port 0 takes a free one. Any other address is
// refused with an *AddressError.
func Listen(ctx context.Context, address string) (net.Listener, error) {
	if err := Check(address); err != nil {
		return nil, err
	}
	host, _, _ := net.SplitHostPort(address)
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	if tcp, ok := l.Addr().(*net.TCPAddr); !ok || !tcp.IP.IsLoopback() { // a hosts file may say anything of localhost
		refused := &AddressError{fmt.Sprintf("%s is %s, which other machines can reach", host, l.Addr()), "Use 127.0.0.1:PORT."}
		return nil, errors.Join(refused, l.Close())
	}
	return l, nil
}

// Check refuses an address that Listen would refuse by how it is written.
func Check(address string) error {
	host, port, err := net.SplitHostPort(address)
	if n, bad := strconv.Atoi(port); err != nil || bad != nil || n < 0 || n > 65535 {
		return &AddressError{fmt.Sprintf("%.100q is not HOST:PORT", address), "Use 127.0.0.1:PORT."}
	}
	if !isLoopback(host) {
		return &AddressError{address + " can be reached from other machines", "Use 127.0.0.1:PORT or [::1]:PORT."}
	}
	return nil
}

func isLoopback(host string) bool {
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// Serve serves until ctx ends, and closes the listener. Requests get a few seconds to end; then their connections are
// closed. Requests that a web page could have made are refused: those for another host than this machine (DNS
// rebinding), those of another origin, and bodies that do not say that they are JSON, which a page can send without asking
// first. A body that takes longer than 10 s is cut off.
func Serve(ctx context.Context, l net.Listener, h http.Handler) error {
	server := &http.Server{Handler: JSONErrors(onlyLocal(timed(bodyTimeout, h))), ReadHeaderTimeout: headerTimeout}
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
			if u, err := url.Parse(origin); err != nil || u.Host != r.Host {
				http.Error(w, "forbidden: web pages of other origins are not served", http.StatusForbidden)
				return
			}
		}
		if r.ContentLength != 0 {
			if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
				http.Error(w, "unsupported media type: send the header Content-Type: application/json", http.StatusUnsupportedMediaType)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// timed bounds how long a body may take, so that a client that sends slowly can't hold what waits for it.
func timed(limit time.Duration, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength != 0 {
			connection := http.NewResponseController(w)
			_ = connection.SetReadDeadline(time.Now().Add(limit)) // fails in tests without a connection
			r.Body = &timedBody{r.Body, connection}
		}
		next.ServeHTTP(w, r)
	})
}

// A timedBody lifts the deadline of its connection with its end: what comes then is the next request.
type timedBody struct {
	io.ReadCloser
	connection *http.ResponseController
}

// Read implements io.Reader.
func (b *timedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		_ = b.connection.SetReadDeadline(time.Time{})
	}
	return n, err
}

// Bearer refuses requests without the token, which they carry as "Authorization: Bearer TOKEN". Comparing digests takes
// the same time whatever was sent.
func Bearer(token string, next http.Handler) http.Handler {
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
