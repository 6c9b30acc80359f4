package llm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/internal/retryafter"
	"github.com/aurora-sidecar/aurora/internal/scrub"
)

const (
	// maxReply is the size in bytes of the largest reply that is read.
	maxReply = 16 << 20
	// maxMessage is the length in bytes of what is quoted of an endpoint's error.
	maxMessage = 300
)

// An attempt is one exchange and its clock.
type attempt struct {
	outer    context.Context
	ctx      context.Context
	exchange *exchange
	cancel   context.CancelCauseFunc
	timer    *time.Timer
	timeout  time.Duration
}

// An exchange is what the transport saw.
type exchange struct {
	status     int
	retryAfter time.Duration
	cacheRead  int // tokens of the prompt that came from the endpoint's cache
	cacheWrite int // tokens of the prompt that were put into it
}

type exchangeKey struct{}

func (p *provider) begin(outer context.Context) *attempt {
	ctx, cancel := context.WithCancelCause(outer)
	a := &attempt{outer: outer, exchange: &exchange{}, cancel: cancel, timeout: p.timeout}
	a.ctx = context.WithValue(ctx, exchangeKey{}, a.exchange)
	a.timer = time.AfterFunc(p.timeout, func() { cancel(errIdle) })
	return a
}

// alive starts the clock again.
func (a *attempt) alive() { a.timer.Reset(a.timeout) }

func (a *attempt) end() {
	a.timer.Stop()
	a.cancel(nil)
}

// transport adds headers, notes status and Retry-After for errors, and bounds what is read.
type transport struct {
	next    http.RoundTripper
	headers map[string]string
}

// newTransport returns the chain of one endpoint.
func newTransport(e Endpoint, record, replay string) (http.RoundTripper, error) {
	var base http.RoundTripper = http.DefaultTransport
	if e.Preset == "ollama" {
		base = newOllama(base, e)
	}
	if e.isAnthropics() {
		base = newAnthropic(base, e)
	}
	var err error
	switch {
	case replay != "":
		base, err = newReplayer(replay, e.secrets())
	case record != "":
		base, err = newRecorder(base, record, e.secrets())
	}
	if err != nil {
		return nil, err
	}
	return &transport{next: base, headers: e.Headers}, nil
}

// RoundTrip implements http.RoundTripper.
func (t *transport) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	for name, value := range t.headers {
		request.Header.Set(name, value)
	}
	if request.Header.Get("Authorization") == "Bearer " || request.Header.Get("Authorization") == "Bearer" {
		request.Header.Del("Authorization") // a local model needs no key
	}
	response, err := t.next.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	if seen := seenBy(request); seen != nil {
		seen.status, seen.retryAfter = response.StatusCode, retryafter.Of(response.Header, time.Now())
	}
	response.Body = &bounded{ReadCloser: response.Body, left: maxReply}
	return response, streamOf(request, response)
}

// seenBy is the exchange that a request belongs to, nil when nobody keeps one.
func seenBy(request *http.Request) *exchange {
	seen, _ := request.Context().Value(exchangeKey{}).(*exchange)
	return seen
}

// bounded is a body that ends with an error when it is too long.
type bounded struct {
	io.ReadCloser
	left int
}

// Read implements io.Reader.
func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, fmt.Errorf("the reply is longer than %d MiB", maxReply>>20)
	}
	n, err := b.ReadCloser.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}

// secrets are the values that must not be told.
func (e Endpoint) secrets() []string {
	var secrets []string
	if e.Key != "" {
		secrets = append(secrets, e.Key)
	}
	for _, value := range e.Headers {
		_, token, found := strings.Cut(value, " ") // Bearer <token>
		if found && len(token) >= 8 {
			secrets = append(secrets, token)
		}
		if len(value) >= 8 {
			secrets = append(secrets, value)
		}
	}
	return secrets
}

// conceal takes secrets out of a text.
func conceal(s string, secrets []string) string {
	for _, secret := range secrets {
		s = strings.ReplaceAll(s, secret, "[REDACTED:key]")
	}
	s, _ = scrub.Text(s)
	return s
}

// clean is a text of the endpoint as an error may quote it: on one line, short, without secrets.
func (p *provider) clean(s string) string {
	s = strings.Join(strings.Fields(conceal(s, p.endpoint.secrets())), " ")
	if len(s) > maxMessage {
		s = strings.ToValidUTF8(s[:maxMessage], "") + "…"
	}
	return s
}

// rootCause is the part of a network error that tells something: without the method and the URL.
func rootCause(err error) string {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	return err.Error()
}

func isNetwork(err error) bool {
	var network net.Error
	return errors.As(err, &network)
}
