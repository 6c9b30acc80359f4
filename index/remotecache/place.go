package remotecache

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A place holds values by names such as ac/<hex>. Reading what is not there is ErrNone.
type place interface {
	get(ctx context.Context, name string) (io.ReadCloser, error)
	put(ctx context.Context, name string, value []byte) error
}

// newPlace returns the place of an address. A server gets the token: as user and password when it has a colon, else as bearer
// token.
func newPlace(o Options) (place, error) {
	if !strings.Contains(o.Address, "://") {
		if !filepath.IsAbs(o.Address) {
			return nil, fmt.Errorf("%q is neither an http or https URL nor the absolute path of a folder", o.Address)
		}
		return folder(o.Address), nil
	}
	u, err := url.Parse(o.Address)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return nil, errors.New("the address is neither an http or https URL nor the absolute path of a folder")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return nil, errors.New("the address has more than a host and a path; a token belongs into an environment variable")
	case o.Token != "" && u.Scheme == "http" && !loopback(u.Hostname()):
		return nil, errors.New("a token would be readable on the way to " + u.Host + "; use https")
	}
	s := &server{base: strings.TrimSuffix(u.String(), "/"), patience: o.Patience}
	if user, password, ok := strings.Cut(o.Token, ":"); ok {
		s.authorization = "Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+password))
	} else if o.Token != "" {
		s.authorization = "Bearer " + o.Token
	}
	s.client = &http.Client{
		Transport: &http.Transport{
			Proxy:                 http.ProxyFromEnvironment,
			DialContext:           (&net.Dialer{Timeout: o.Patience}).DialContext,
			TLSHandshakeTimeout:   o.Patience,
			ResponseHeaderTimeout: uploadTime,
			MaxIdleConnsPerHost:   parallel,
			DisableCompression:    true, // what is sent is compressed, and what is not must not grow on the way
			ForceAttemptHTTP2:     true,
			IdleConnTimeout:       time.Minute,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return s, nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// A folder is a place on a file system, which may be one of the network.
type folder string

func (f folder) get(_ context.Context, name string) (io.ReadCloser, error) {
	file, err := os.Open(filepath.Join(string(f), filepath.FromSlash(name)))
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Stat(string(f)); err != nil {
			return nil, fmt.Errorf("the folder can't be read: %w", err)
		}
		return nil, ErrNone
	}
	if err != nil {
		return nil, err
	}
	return file, nil
}

// put writes beside and renames, so that nobody reads half of a value.
func (f folder) put(_ context.Context, name string, value []byte) error {
	if _, err := os.Stat(string(f)); err != nil { // a mount that is away must not be written under
		return fmt.Errorf("the folder can't be written: %w", err)
	}
	path := filepath.Join(string(f), filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o775); err != nil {
		return err
	}
	var random [8]byte
	_, _ = rand.Read(random[:])
	beside := path + "." + hex.EncodeToString(random[:])
	err := os.WriteFile(beside, value, 0o664)
	if err == nil {
		err = os.Rename(beside, path)
	}
	if err != nil {
		_ = os.Remove(beside) // what was written of it
	}
	return err
}

// A server is a place behind HTTP.
type server struct {
	base          string
	authorization string // header, "" for none
	patience      time.Duration
	client        *http.Client
}

func (s *server) get(ctx context.Context, name string) (io.ReadCloser, error) {
	return s.do(ctx, http.MethodGet, name, nil)
}

func (s *server) put(ctx context.Context, name string, value []byte) error {
	body, err := s.do(ctx, http.MethodPut, name, value)
	if err == nil {
		_ = body.Close()
	}
	return err
}

func (s *server) do(ctx context.Context, method, name string, value []byte) (io.ReadCloser, error) {
	var body io.Reader
	if value != nil {
		body = bytes.NewReader(value)
	}
	req, err := http.NewRequestWithContext(ctx, method, s.base+"/"+name, body)
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", "aurora")
	if s.authorization != "" {
		req.Header.Set("Authorization", s.authorization)
	}
	resp, err := s.client.Do(req)
	if err != nil {
		return nil, withoutURL(err)
	}
	if resp.StatusCode/100 == 2 {
		return resp.Body, nil
	}
	_ = resp.Body.Close()
	return nil, refusal(method, resp.StatusCode)
}

// withoutURL leaves out the method and the URL that net/http puts before an error: the report names the place.
func withoutURL(err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		return wrapped.Err
	}
	return err
}

// refusal says what a status other than success means.
func refusal(method string, status int) error {
	text := fmt.Sprintf("%d %s", status, http.StatusText(status))
	switch {
	case status == http.StatusNotFound && method == http.MethodGet:
		return ErrNone
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return fmt.Errorf("the server refuses the token, or wants one (%s)", text)
	case status == http.StatusInsufficientStorage, status == http.StatusRequestEntityTooLarge:
		return fmt.Errorf("the server takes no more: it is full, or has a limit (%s)", text)
	case status/100 == 3:
		return fmt.Errorf("the server sends elsewhere, which is not followed (%s)", text)
	}
	return fmt.Errorf("the server answers %s", text)
}
