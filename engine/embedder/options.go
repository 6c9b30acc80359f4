package embedder

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/index/embed"
)

// Options say which endpoint to use and how. Only BaseURL and Model are needed.
type Options struct {
	BaseURL string // "https://api.openai.com/v1", "http://localhost:11434/v1"
	APIKey  string // "" for local servers
	Model   string // "text-embedding-3-small"

	Dimensions int           // asked for, and the only length taken; 0 means the model's own
	Batch      int           // texts per request, 1 to 2048; 0 means 128
	PerMinute  int           // requests; 0 means no limit
	Attempts   int           // per request, retries included; 0 means 3
	Timeout    time.Duration // of one attempt; 0 means 30 s

	Previous *Identity // what Identity returned the last time, to tell whether the model is still the same
}

const (
	firstDelay   = time.Second // before the first retry; doubled for each further one
	maxTextBytes = 24_000      // texts are cut there: about 8,000 tokens, the most that endpoints take
)

// normal returns o with its defaults, or an error that says which option is wrong.
func (o Options) normal() (Options, error) {
	o.BaseURL = strings.TrimRight(o.BaseURL, "/")
	if u, err := url.Parse(o.BaseURL); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return o, errors.New("embedding endpoint: the base URL must begin with http:// or https:// and name a host")
	}
	if o.Model == "" {
		return o, errors.New("embedding endpoint: no model is named")
	}
	for _, n := range []struct {
		name       string
		value, max int
	}{
		{"dimensions", o.Dimensions, 4096}, {"batch size", o.Batch, 2048}, {"requests per minute", o.PerMinute, 1 << 20},
		{"attempts", o.Attempts, 20},
	} {
		if n.value < 0 || n.value > n.max {
			return o, fmt.Errorf("embedding endpoint: %s must be 0 to %d, not %d", n.name, n.max, n.value)
		}
	}
	o.Batch = cmp.Or(o.Batch, 128)
	o.Attempts = cmp.Or(o.Attempts, 3)
	o.Timeout = cmp.Or(max(o.Timeout, 0), 30*time.Second)
	return o, nil
}

// An Identity tells a model from others behind the same name. Endpoints answer with a little noise, so a fingerprint of
// the bytes would differ from day to day: who kept the Identity gives it back, and as long as the probe's vectors point
// the same way the ID stays.
type Identity struct {
	ID    embed.ID
	Probe []embed.Vector
}
