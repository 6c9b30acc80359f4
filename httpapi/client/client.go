package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

const (
	defaultTimeout = 10 * time.Second
	defaultRetries = 2
	firstPause     = 100 * time.Millisecond
	maxAnswer      = 64 << 20 // bytes
)

// A Client asks a context engine that runs as a process of its own.
type Client struct {
	BaseURL string        // such as http://127.0.0.1:9090
	Token   string        // of the engine's token file
	Timeout time.Duration // of one attempt; 0 means 10 s
	Retries int           // attempts after the first; 0 means 2, negative none
	HTTP    *http.Client  // nil means http.DefaultClient
}

var _ Engine = (*Client)(nil)

// An Engine gives context. A Client is one, an engine in this process another.
type Engine interface {
	AddContext(context.Context, AddRequest) (*AddResult, error)
	DeleteContext(context.Context, DeleteRequest) (*DeleteResult, error)
	QueryContext(context.Context, Query) (*Answer, error)
	Stats(context.Context) (json.RawMessage, error)
}

// AddContext has a file indexed: its text on disk, or the content of the request.
func (c *Client) AddContext(ctx context.Context, r AddRequest) (*AddResult, error) {
	return post[AddResult](ctx, c, "/add_context", r)
}

// DeleteContext takes back what AddContext gave.
func (c *Client) DeleteContext(ctx context.Context, r DeleteRequest) (*DeleteResult, error) {
	return post[DeleteResult](ctx, c, "/delete_context", r)
}

// QueryContext searches.
func (c *Client) QueryContext(ctx context.Context, q Query) (*Answer, error) {
	return post[Answer](ctx, c, "/query_context", q)
}

// Stats returns the object of get_context_stats.
func (c *Client) Stats(ctx context.Context) (json.RawMessage, error) {
	data, err := c.do(ctx, http.MethodGet, "/stats", nil)
	return data, err
}

func post[R any](ctx context.Context, c *Client, path string, request any) (*R, error) {
	body, err := json.Marshal(request)
	if err != nil {
		return nil, fmt.Errorf("encode the request: %w", err)
	}
	data, err := c.do(ctx, http.MethodPost, path, body)
	if err != nil {
		return nil, err
	}
	result := new(R)
	if err := json.Unmarshal(data, result); err != nil {
		return nil, fmt.Errorf("read the answer of %s: %w", path, err)
	}
	return result, nil
}

// An Error is a refusal of the engine.
type Error struct {
	Status  int    `json:"-"` // of HTTP
	Kind    string `json:"kind"`
	Message string `json:"message"`
	Detail  string `json:"detail,omitempty"`
	Next    string `json:"next,omitempty"` // what to do
}

// Error implements error.
func (e *Error) Error() string { return e.Message }

// Unavailable reports whether an error means that the engine can't be reached, or has no room at the moment.
func Unavailable(err error) bool {
	var refused *Error
	if errors.As(err, &refused) {
		return refused.Status == http.StatusServiceUnavailable || refused.Status == http.StatusBadGateway
	}
	return err != nil
}

func (c *Client) do(ctx context.Context, method, path string, body []byte) (json.RawMessage, error) {
	retries := c.Retries
	if retries == 0 {
		retries = defaultRetries
	}
	pause := firstPause
	for attempt := 0; ; attempt++ {
		data, err := c.once(ctx, method, path, body)
		if err == nil || ctx.Err() != nil || attempt >= retries || !Unavailable(err) {
			return data, err
		}
		select {
		case <-time.After(pause):
			pause *= 2
		case <-ctx.Done():
			return nil, err
		}
	}
}

func (c *Client) once(ctx context.Context, method, path string, body []byte) (json.RawMessage, error) {
	timeout := c.Timeout
	if timeout <= 0 {
		timeout = defaultTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(c.BaseURL, "/")+path, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("ask the context engine: %w", err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+c.Token)
	through := c.HTTP
	if through == nil {
		through = http.DefaultClient
	}
	response, err := through.Do(request)
	if err != nil {
		return nil, fmt.Errorf("ask the context engine: %w", err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("read the answer of the context engine: %w", err)
	case len(data) > maxAnswer:
		return nil, &Error{Status: response.StatusCode, Kind: "too_large", Message: "the answer is larger than 64 MiB"}
	case response.StatusCode != http.StatusOK:
		return nil, refusal(response.StatusCode, data)
	}
	return data, nil
}

func refusal(status int, data []byte) error {
	var body struct {
		Error Error `json:"error"`
	}
	if json.Unmarshal(data, &body) != nil || body.Error.Message == "" {
		body.Error = Error{Kind: "http", Message: fmt.Sprintf("the context engine answers %d: %.200s", status, strings.TrimSpace(string(data)))}
	}
	body.Error.Status = status
	return &body.Error
}
