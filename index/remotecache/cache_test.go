package remotecache

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/index/internal/disktest"
)

var (
	owner    = ed25519.NewKeyFromSeed(bytes.Repeat([]byte{1}, ed25519.SeedSize))
	stranger = ed25519.NewKeyFromSeed(bytes.Repeat([]byte{2}, ed25519.SeedSize))
)

func public(k ed25519.PrivateKey) ed25519.PublicKey { return k.Public().(ed25519.PublicKey) }

// unhurried is a patience that no busy machine exceeds.
const unhurried = time.Minute

func cacheOf(t *testing.T, o Options) *Cache {
	t.Helper()
	if o.PublicKey == nil {
		o.PublicKey = public(owner)
	}
	if o.Patience == 0 {
		o.Patience = unhurried
	}
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func writerOf(t *testing.T, c *Cache) *Writer {
	t.Helper()
	w, err := c.Writer(owner)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// A shelf is a server as bazel-remote is one: it keeps what is put, adds a field of its own to every ActionResult, and takes
// a blob only under its sum.
type shelf struct {
	mu       sync.Mutex
	values   map[string][]byte
	requests atomic.Int64
	want     string // Authorization header
	status   int    // of every answer, 0 for what is right
}

func serve(t *testing.T, s *shelf) string {
	t.Helper()
	s.values = map[string][]byte{}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return server.URL
}

// ServeHTTP implements http.Handler.
func (s *shelf) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.requests.Add(1)
	s.mu.Lock()
	defer s.mu.Unlock()
	name := strings.TrimPrefix(r.URL.Path, "/")
	value, ok := s.values[name]
	switch {
	case s.status != 0:
		w.WriteHeader(s.status)
	case r.Header.Get("Authorization") != s.want:
		w.WriteHeader(http.StatusUnauthorized)
	case r.Method == http.MethodPut:
		value, err := io.ReadAll(r.Body)
		if err != nil {
			panic(err)
		}
		if strings.HasPrefix(name, "ac/") {
			value = appendField(value, 9<<3|2, []byte("\x0a\x06worker")) // execution_metadata
		}
		s.values[name] = value
	case ok:
		_, _ = w.Write(value)
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

func TestRoundTrip(t *testing.T) {
	plain, bearer, basic := &shelf{}, &shelf{want: "Bearer t0k3n"}, &shelf{want: "Basic " + base64.StdEncoding.EncodeToString([]byte("ci:secret"))}
	for name, o := range map[string]Options{
		"folder": {Address: t.TempDir()},
		"server": {Address: serve(t, plain) + "/team/"},
		"token":  {Address: serve(t, bearer), Token: "t0k3n"},
		"user":   {Address: serve(t, basic), Token: "ci:secret"},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, c := t.Context(), cacheOf(t, o)
			w := writerOf(t, c)
			one, other, none := NewKey("a", "bc"), NewKey("ab", "c"), NewKey("none")
			if _, err := c.Load(ctx, one); !errors.Is(err, ErrNone) {
				t.Fatalf("before anything was stored: %v", err)
			}
			large := bytes.Repeat([]byte("0123456789abcdef"), 1<<16)
			for _, err := range []error{w.Store(ctx, one, []byte("one")), w.Store(ctx, other, []byte("other")), w.StorePack(ctx, none, nil), w.StorePack(ctx, other, large)} {
				if err != nil {
					t.Fatal(err)
				}
			}
			if got, err := c.Load(ctx, one); err != nil || string(got) != "one" {
				t.Errorf("%q, %v", got, err)
			}
			// The pack lies under the key of the entry, in its place.
			i, pack, err := c.FindPack(ctx, []Key{NewKey("x"), NewKey("y"), other})
			if err != nil || i != 2 || pack.Size() != int64(len(large)) {
				t.Fatalf("pack %d of %d bytes, %v", i, pack.Size(), err)
			}
			if got, err := c.LoadPack(ctx, pack); err != nil || !bytes.Equal(got, large) {
				t.Errorf("a pack of %d bytes, %v", len(got), err)
			}
			if _, err := c.Load(ctx, other); !errors.Is(err, ErrForm) {
				t.Errorf("a pack as an entry: %v", err)
			}
			if c.Err() != nil {
				t.Error(c.Err())
			}
		})
	}
}

// TestNothingUnsignedIsBelieved: what somebody else has written, for another key, in another form, or altered, is refused.
func TestNothingUnsignedIsBelieved(t *testing.T) {
	key, other := NewKey("key"), NewKey("other")
	good := seal(owner, kindEntry, key, []byte("chunks"))
	altered := bytes.Clone(good)
	altered[len(altered)-1]++
	newer := bytes.Clone(good)
	newer[len(magic)]++
	for name, tt := range map[string]struct {
		result []byte
		want   error
	}{
		"of a stranger":    {actionResult(seal(stranger, kindEntry, key, []byte("chunks")), nil), ErrSignature},
		"of another key":   {actionResult(seal(owner, kindEntry, other, []byte("chunks")), nil), ErrSignature},
		"altered":          {actionResult(altered, nil), ErrSignature},
		"cut":              {actionResult(good[:len(good)-1], nil), ErrSignature},
		"cut on the way":   {actionResult(good, nil)[:40], ErrForm},
		"a pack":           {actionResult(seal(owner, kindPack, key, []byte("chunks")), nil), ErrForm},
		"newer":            {actionResult(newer, nil), ErrVersion},
		"empty":            {nil, ErrForm},
		"no message":       {[]byte("<html>"), ErrForm},
		"without sense":    {bytes.Repeat([]byte{0xff}, 100), ErrForm},
		"endless length":   {append([]byte{tagStdoutRaw}, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f), ErrForm},
		"of somebody else": {actionResult([]byte("compiled, exit 0"), nil), ErrForm},
		"too large":        {make([]byte, MaxEntry+headerSize+maxExtra+1), ErrForm},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			c := cacheOf(t, Options{Address: dir})
			if err := folder(dir).put(t.Context(), nameOf(key), tt.result); err != nil {
				t.Fatal(err)
			}
			if got, err := c.Load(t.Context(), key); !errors.Is(err, tt.want) || got != nil {
				t.Errorf("%q, %v, want %v", got, err, tt.want)
			}
			if c.Err() != nil {
				t.Errorf("one bad entry has the place left alone: %v", c.Err())
			}
		})
	}
}

func TestPackBytesAreThoseThatWereSigned(t *testing.T) {
	key, data := NewKey("key"), bytes.Repeat([]byte("words "), 1000)
	for name, spoil := range map[string]func([]byte) []byte{
		"altered": func(b []byte) []byte { b[100]++; return b },
		"cut":     func(b []byte) []byte { return b[:len(b)-1] },
		"longer":  func(b []byte) []byte { return append(b, 0) },
		"empty":   func([]byte) []byte { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			c := cacheOf(t, Options{Address: dir})
			if err := writerOf(t, c).StorePack(t.Context(), key, data); err != nil {
				t.Fatal(err)
			}
			_, pack, err := c.FindPack(t.Context(), []Key{key})
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, pack.blob.name()), spoil(bytes.Clone(data)), 0o600); err != nil {
				t.Fatal(err)
			}
			if got, err := c.LoadPack(t.Context(), pack); got != nil || !errors.Is(err, ErrSum) && !errors.Is(err, ErrForm) {
				t.Errorf("%d bytes, %v", len(got), err)
			}
		})
	}
	huge := blob{size: maxPack + 1}
	if _, err := blobOf(huge.body()); !errors.Is(err, ErrForm) {
		t.Errorf("a pack of %d bytes: %v", huge.size, err)
	}
}

// TestFailingServers: each failure is told, and the place is not asked again until some time has passed.
func TestFailingServers(t *testing.T) {
	for name, tt := range map[string]struct {
		status int
		want   string
	}{
		"wrong token": {401, "refuses the token, or wants one (401"}, "forbidden": {403, "refuses the token"},
		"error": {500, "answers 500"}, "elsewhere": {302, "sends elsewhere"}, "away": {503, "answers 503"},
	} {
		t.Run(name, func(t *testing.T) {
			s, now := &shelf{status: tt.status}, time.Unix(0, 0)
			c := cacheOf(t, Options{Address: serve(t, s), Now: func() time.Time { return now }})
			_, _, err := c.FindPack(t.Context(), []Key{NewKey("a")})
			if err == nil || !strings.Contains(err.Error(), tt.want) || c.Err() == nil {
				t.Fatalf("%v, and then %v", err, c.Err())
			}
			asked := s.requests.Load()
			if _, err := c.Load(t.Context(), NewKey("b")); err == nil || s.requests.Load() != asked || c.Worth(time.Hour) {
				t.Errorf("asked again: %d requests, %v", s.requests.Load(), err)
			}
			s.status, now = 0, now.Add(restTime)
			if _, err := c.Load(t.Context(), NewKey("b")); !errors.Is(err, ErrNone) {
				t.Errorf("not asked again: %v", err)
			}
		})
	}
}

// TestFullPlaces: what can't be stored is told, and nobody reads half of it.
func TestFullPlaces(t *testing.T) {
	s := &shelf{status: http.StatusInsufficientStorage}
	err := writerOf(t, cacheOf(t, Options{Address: serve(t, s)})).Store(t.Context(), NewKey("a"), []byte("text"))
	if err == nil || !strings.Contains(err.Error(), "full") {
		t.Errorf("a full server: %v", err)
	}
	if err := writerOf(t, cacheOf(t, Options{Address: filepath.Join(t.TempDir(), "away")})).Store(t.Context(), NewKey("a"), nil); err == nil || !strings.Contains(err.Error(), "can't be written") {
		t.Errorf("a folder that is not there: %v", err)
	}
	disk := disktest.Small(t, "size=1m")
	c := cacheOf(t, Options{Address: disk})
	noise := make([]byte, 4<<20)
	_, _ = rand.Read(noise)
	err = writerOf(t, c).StorePack(t.Context(), NewKey("a"), noise)
	if err == nil || !strings.Contains(Explain(err), "make room there") {
		t.Errorf("a full folder: %v", err)
	}
	if _, _, err := c.FindPack(t.Context(), []Key{NewKey("a")}); !errors.Is(err, ErrNone) {
		t.Errorf("a pack that was not stored: %v", err)
	}
	left, err := filepath.Glob(filepath.Join(disk, "cas", "*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

// TestHalfOpen: servers that take a request and say nothing, begin to answer, or go away in the middle.
func TestHalfOpen(t *testing.T) {
	for name, handle := range map[string]func(w http.ResponseWriter, end chan struct{}){
		"nothing": func(_ http.ResponseWriter, end chan struct{}) { <-end },
		"a header": func(w http.ResponseWriter, end chan struct{}) {
			w.Header().Set("Content-Length", "1000")
			w.(http.Flusher).Flush()
			<-end
		},
		"some bytes": func(w http.ResponseWriter, end chan struct{}) {
			_, _ = w.Write(make([]byte, 300))
			w.(http.Flusher).Flush()
			<-end
		},
		"an end": func(w http.ResponseWriter, end chan struct{}) {
			w.Header().Set("Content-Length", "1000")
			_, _ = w.Write(make([]byte, 300))
			panic(http.ErrAbortHandler)
		},
	} {
		t.Run(name, func(t *testing.T) {
			end := make(chan struct{})
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { handle(w, end) }))
			server.Config.ErrorLog = log.New(io.Discard, "", 0)
			t.Cleanup(func() { close(end); server.Close() })
			c := cacheOf(t, Options{Address: server.URL, Patience: 20 * time.Millisecond})
			_, _, err := c.FindPack(t.Context(), []Key{NewKey("a"), NewKey("b")})
			if err == nil || errors.Is(err, ErrNone) || c.Err() == nil {
				t.Errorf("%v, and then %v", err, c.Err())
			}
			c = cacheOf(t, Options{Address: server.URL, Patience: 20 * time.Millisecond})
			if _, err := c.LoadPack(t.Context(), Pack{blob{size: 1000}}); err == nil || c.Err() == nil {
				t.Errorf("a pack: %v, and then %v", err, c.Err())
			}
		})
	}
}

// TestNobodyListens: a port that is closed.
func TestNobodyListens(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := "http://" + l.Addr().String()
	_ = l.Close()
	c := cacheOf(t, Options{Address: address})
	if _, err := c.Load(t.Context(), NewKey("a")); err == nil || strings.Contains(err.Error(), "http://") || c.Err() == nil {
		t.Errorf("%v, and then %v", err, c.Err())
	}
}

// TestExpiredCertificate: the reason is told.
func TestExpiredCertificate(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-48 * time.Hour), NotAfter: time.Now().Add(-24 * time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(&shelf{})
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
	server.StartTLS()
	t.Cleanup(server.Close)
	c := cacheOf(t, Options{Address: server.URL, Token: "t"})
	if _, err := c.Load(t.Context(), NewKey("a")); err == nil || !strings.Contains(Explain(err), "expired") || !strings.Contains(Explain(err), "must be valid") {
		t.Errorf("%v", err)
	}
}

// TestCallersMayLeave: somebody who ends while an answer is awaited says nothing about the place.
func TestCallersMayLeave(t *testing.T) {
	end := make(chan struct{})
	asked := make(chan struct{}, 1)
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked <- struct{}{}; <-end }))
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(end) })
	c := cacheOf(t, Options{Address: server.URL})
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-asked; cancel() }()
	if _, err := c.Load(ctx, NewKey("a")); !errors.Is(err, context.Canceled) || c.Err() != nil {
		t.Errorf("%v, and then %v", err, c.Err())
	}
}

func TestAddresses(t *testing.T) {
	for address, want := range map[string]string{
		"relative/folder": "absolute path", "ftp://host/x": "neither an http", "https://me:pw@host": "environment variable", "http://host/?q=1": "environment variable",
		"http://cache.example.org": "use https", "https://": "neither an http",
	} {
		if _, err := New(Options{Address: address, Token: "t", PublicKey: public(owner)}); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "pw") {
			t.Errorf("%s: %v", address, err)
		}
	}
	if _, err := New(Options{Address: "/x"}); err == nil {
		t.Error("a cache whose entries nobody signs")
	}
	if _, err := cacheOf(t, Options{Address: "/x"}).Writer(stranger); err == nil {
		t.Error("a writer whose entries nobody takes")
	}
}

// TestMissesAreGivenUp: a place that has nothing is not asked for every file.
func TestMissesAreGivenUp(t *testing.T) {
	now := time.Unix(0, 0)
	c := cacheOf(t, Options{Address: t.TempDir(), Now: func() time.Time { now = now.Add(time.Millisecond); return now }})
	if !c.Worth(2*time.Millisecond) || c.Err() != nil {
		t.Fatal("not asked at all")
	}
	for range missesBorne {
		if _, err := c.Load(t.Context(), NewKey("a")); !errors.Is(err, ErrNone) {
			t.Fatal(err)
		}
	}
	if c.Worth(time.Hour) {
		t.Error("still asked")
	}
	c.hits.Store(0)
	if trip := time.Duration(c.trip.Load()); trip == 0 || c.Worth(trip) || !c.Worth(trip+1) {
		t.Errorf("an entry takes %s", time.Duration(c.trip.Load()))
	}
}

func FuzzStatement(f *testing.F) {
	f.Add(actionResult(seal(owner, kindPack, NewKey("a"), make([]byte, packBody)), &blob{size: 1}))
	f.Add([]byte("\x2a\xff\xff\xff\xff\x0f"))
	f.Fuzz(func(t *testing.T, data []byte) {
		statement, err := statementOf(data)
		if err == nil {
			_, _ = unseal(public(owner), kindPack, NewKey("a"), statement)
		}
	})
}
