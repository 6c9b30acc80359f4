package shared

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// A Client asks one server. All methods may be called from several goroutines.
type Client struct {
	base, token string
	http        *http.Client
}

// connectTime is how long a connection may take to be made; searches wait less, and the next one finds it made.
const connectTime = 5 * time.Second

// NewClient returns a client of the server at an address, "https://search.example.org". A token is sent over TLS or within this
// machine only.
func NewClient(address, token string) (*Client, error) {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return nil, fmt.Errorf("%.100q is no http or https URL", address)
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return nil, errors.New("the address has more than a host and a path; a token belongs into an environment variable")
	case u.Scheme == "http" && !within(u.Hostname()):
		return nil, fmt.Errorf("what is asked of %s, and the token, would be readable on the way; use https", u.Host)
	}
	return &Client{base: strings.TrimSuffix(u.String(), "/"), token: token, http: &http.Client{
		Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment, DialContext: (&net.Dialer{Timeout: connectTime}).DialContext, TLSHandshakeTimeout: connectTime,
			MaxIdleConnsPerHost: 8, IdleConnTimeout: 5 * time.Minute, ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12},
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

func within(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Address is where the server is.
func (c *Client) Address() string { return c.base }

// Ask sends a request to one of the paths.
func (c *Client) Ask(ctx context.Context, path string, r *Request) (a *Answer, bad int, err error) {
	body, err := json.Marshal(r)
	if err != nil {
		return nil, 0, err
	}
	data, err := c.send(ctx, http.MethodPost, path, body)
	if err != nil {
		return nil, 0, err
	}
	return Decode(data)
}

// List asks what the server searches.
func (c *Client) List(ctx context.Context) (*Listing, error) {
	data, err := c.send(ctx, http.MethodGet, ListPath, nil)
	if err != nil {
		return nil, err
	}
	l := &Listing{}
	switch err := json.Unmarshal(data, l); {
	case err != nil || l.Protocol == 0:
		return nil, errors.New("what it sent is no answer of a search server")
	case l.Protocol != Version:
		return nil, &VersionError{l.Protocol}
	}
	return l, nil
}

// send sends a request and returns the body of a successful answer.
func (c *Client) send(ctx context.Context, method, path string, body []byte) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "aurora")
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, plain(ctx, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, refusal(resp)
	}
	data, err := io.ReadAll(io.LimitReader(resp.Body, MaxAnswer+1))
	switch {
	case err != nil:
		return nil, plain(ctx, err)
	case len(data) > MaxAnswer:
		return nil, fmt.Errorf("it sends more than %d MiB", MaxAnswer>>20)
	}
	return data, nil
}

// plain leaves out the method and the URL that net/http puts before an error.
func plain(ctx context.Context, err error) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return context.DeadlineExceeded
	}
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	if strings.Contains(err.Error(), "certificate") {
		return fmt.Errorf("%w; the server's certificate must be valid and known to this machine", err)
	}
	return err
}

// refusal says what a status other than success means.
func refusal(resp *http.Response) error {
	status := fmt.Sprintf("%d %s", resp.StatusCode, http.StatusText(resp.StatusCode))
	switch {
	case resp.StatusCode == http.StatusUnauthorized, resp.StatusCode == http.StatusForbidden:
		return fmt.Errorf("it refuses the token, or wants one (%s)", status)
	case resp.StatusCode == http.StatusNotFound:
		return fmt.Errorf("there is no search server at the address (%s)", status)
	case resp.StatusCode == http.StatusConflict:
		var answer struct{ Version int }
		if data, err := io.ReadAll(io.LimitReader(resp.Body, 1<<16)); err == nil && json.Unmarshal(data, &answer) == nil && answer.Version != Version {
			return &VersionError{answer.Version}
		}
	case resp.StatusCode == http.StatusServiceUnavailable:
		return fmt.Errorf("it has too much to do (%s)", status)
	case resp.StatusCode/100 == 3:
		return fmt.Errorf("it sends elsewhere, which is not followed (%s)", status)
	}
	return fmt.Errorf("it answers %s", status)
}
