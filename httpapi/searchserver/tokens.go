package searchserver

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"crypto/tls"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/aurora-sidecar/aurora/internal/loopback"
)

// lookEvery is how often files of tokens and certificates are looked at.
const lookEvery = 2 * time.Second

// A watched file is read again when it has changed.
type watched struct {
	paths []string
	read  func() error

	mu     sync.Mutex
	looked time.Time
	stamp  string
}

// look reads the files again when they are others. What can't be read leaves what was read before.
func (f *watched) look() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if time.Since(f.looked) < lookEvery {
		return nil
	}
	f.looked = time.Now()
	stamp := ""
	for _, p := range f.paths {
		info, err := os.Stat(p)
		if err != nil {
			return err
		}
		stamp += fmt.Sprint(info.Size(), info.ModTime().UnixNano(), ";")
	}
	if stamp == f.stamp {
		return nil
	}
	if err := f.read(); err != nil {
		return err
	}
	f.stamp = stamp
	return nil
}

// Tokens are those of the people and programs that may ask, in a file: on each line a name and a token. It is read again when it has
// changed.
type Tokens struct {
	file  watched
	mu    sync.Mutex
	known map[[sha256.Size]byte]string // name by the digest of the token
}

// OpenTokens reads a file of tokens.
func OpenTokens(path string) (*Tokens, error) {
	t := &Tokens{}
	t.file.paths, t.file.read = []string{path}, func() error { return t.read(path) }
	return t, t.file.look()
}

func (t *Tokens) read(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	known := map[[sha256.Size]byte]string{}
	lines := bufio.NewScanner(bytes.NewReader(data))
	for n := 1; lines.Scan(); n++ {
		fields := strings.Fields(lines.Text())
		switch {
		case len(fields) == 0 || strings.HasPrefix(fields[0], "#"):
			continue
		case len(fields) != 2 || len(fields[1]) < loopback.MinToken:
			return fmt.Errorf("%s:%d: a line is a name and a token of at least %d bytes", path, n, loopback.MinToken)
		}
		known[sha256.Sum256([]byte(fields[1]))] = fields[0]
	}
	if len(known) == 0 {
		return fmt.Errorf("%s has no token", path)
	}
	t.mu.Lock()
	t.known = known
	t.mu.Unlock()
	return lines.Err()
}

// Require refuses requests without one of the tokens. It looks up digests, so that time tells nothing of a token.
func (t *Tokens) Require(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = t.file.look() // what was read before counts on
		scheme, given, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		digest := sha256.Sum256([]byte(strings.TrimSpace(given)))
		t.mu.Lock()
		_, ok := t.known[digest]
		t.mu.Unlock()
		if !ok || !strings.EqualFold(scheme, "Bearer") {
			w.Header().Set("WWW-Authenticate", `Bearer realm="aurora"`)
			http.Error(w, "unauthorized: send the header Authorization: Bearer TOKEN", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// Certificate returns what gives the certificate of two files, read again when they have changed.
func Certificate(certificate, key string) (func(*tls.ClientHelloInfo) (*tls.Certificate, error), error) {
	var mu sync.Mutex
	var present *tls.Certificate
	f := &watched{paths: []string{certificate, key}, read: func() error {
		pair, err := tls.LoadX509KeyPair(certificate, key)
		if err == nil {
			mu.Lock()
			present = &pair
			mu.Unlock()
		}
		return err
	}}
	if err := f.look(); err != nil {
		return nil, err
	}
	return func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
		_ = f.look() // what was read before counts on
		mu.Lock()
		defer mu.Unlock()
		return present, nil
	}, nil
}
