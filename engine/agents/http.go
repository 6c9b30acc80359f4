package agents

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"mime"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/aurora-sidecar/aurora/internal/retryafter"
)

const (
	// attempts, the first pause and its factor are those of calls to models; an endpoint's own wish for a
	// pause is heeded up to maxPause.
	attempts   = 3
	firstPause = time.Second
	maxPause   = 30 * time.Second
)

// newClient returns the client for agents. It follows no redirects: the task goes where the user said, nowhere else.
func newClient() *http.Client {
	return &http.Client{
		Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment, DialContext: (&net.Dialer{Timeout: 10 * time.Second}).DialContext,
			ForceAttemptHTTP2: true, TLSHandshakeTimeout: 10 * time.Second, MaxIdleConnsPerHost: 4, IdleConnTimeout: 30 * time.Second,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// A refusal is an answer of an endpoint that may be better later.
type refusal struct {
	cause error
	pause time.Duration // that it asks for; 0 when it asks for none
}

func (r *refusal) Error() string { return r.cause.Error() }

// post sends the task to the endpoint. Only what can't have been worked on is sent again: no connection, 429, 502, 503
// and 504.
func (a *agent) post(ctx context.Context, t task) (*reply, error) {
	body, err := encodeTask(t)
	if err != nil {
		return nil, err
	}
	timed, cancel := context.WithTimeoutCause(ctx, a.timeout(), errStopped)
	defer cancel()
	pause := firstPause
	for attempt := 1; ; attempt++ {
		data, err := a.send(timed, body)
		var again *refusal
		if errors.As(err, &again) && attempt < attempts {
			if retryafter.Wait(timed, max(again.pause, time.Duration(float64(pause)*(0.75+rand.Float64()/2)))) == nil {
				pause *= 2
				continue
			}
		}
		switch {
		case err == nil:
			return readReply(data)
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.Is(context.Cause(timed), errStopped):
			return nil, fmt.Errorf("%s gave no answer within %s (agents.timeout_seconds)", a.definition.Endpoint, a.timeout())
		}
		return nil, fmt.Errorf("%w (attempt %d of %d)", err, attempt, attempts)
	}
}

func (a *agent) send(ctx context.Context, body []byte) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, a.definition.Endpoint, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json")
	if a.definition.KeyEnv != "" {
		request.Header.Set("Authorization", "Bearer "+os.Getenv(a.definition.KeyEnv))
	}
	response, err := a.registry.client.Do(request)
	if err != nil {
		var dial *net.OpError
		if errors.As(err, &dial) && dial.Op == "dial" {
			return nil, &refusal{cause: fmt.Errorf("%s can't be reached: %w", a.definition.Endpoint, dial.Err)}
		}
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, a.status(response)
	}
	data, err := readLimited(response.Body)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, fmt.Errorf("%s broke its answer off", a.definition.Endpoint)
	}
	return data, err
}

// status is the error of an answer that is none.
func (a *agent) status(response *http.Response) error {
	reason := ""
	if kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type")); kind == "application/json" || kind == "text/plain" {
		data, _ := io.ReadAll(io.LimitReader(response.Body, 200))
		reason = ": " + string(bytes.ToValidUTF8(bytes.TrimSpace(data), nil))
	}
	err := fmt.Errorf("%s answered with HTTP status %d%s", a.definition.Endpoint, response.StatusCode, reason)
	switch response.StatusCode {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return &refusal{err, min(retryafter.Of(response.Header, time.Now()), maxPause)}
	}
	return err
}
