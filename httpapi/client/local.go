package client

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/internal/config"
)

// requestTimeout bounds each attempt of a request, and retries is how many attempts follow the first.
const (
	requestTimeout = time.Minute
	retries        = 2
)

// TokenVariable holds the token of an engine when its file does not.
const TokenVariable = "AURORA_HTTP_TOKEN"

// Local returns a Client of the engine that "aurora serve --http default" runs for this user: at http.host and http.port,
// with the token of $AURORA_HTTP_TOKEN, else of AURORA's folder. It connects to nothing. It fails when no port is set or
// there is no token yet.
func Local() (*Client, error) {
	s, _, _ := config.Load(config.LoadOptions{}) // bad values have their defaults; the engine reports them
	if s.HTTP.Port == 0 {
		return nil, errors.New("http.port is 0, so that only the engine knows its port; set http.port")
	}
	token, err := localToken()
	if err != nil {
		return nil, err
	}
	c := &Client{
		BaseURL: "http://" + net.JoinHostPort(s.HTTP.Host, strconv.Itoa(s.HTTP.Port)), Token: token,
		Timeout: requestTimeout, Retries: retries,
	}
	return c, nil
}

func localToken() (string, error) {
	if token := strings.TrimSpace(os.Getenv(TokenVariable)); token != "" {
		return token, nil
	}
	home, err := config.Home()
	if err != nil {
		return "", fmt.Errorf("find the token: %w", err)
	}
	path := filepath.Join(home, "http-token")
	token, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("there is no %s; start the engine once with: aurora serve --http default", path)
	}
	if err != nil {
		return "", fmt.Errorf("read the token: %w", err)
	}
	return strings.TrimSpace(string(token)), nil
}
