package llm

import (
	"fmt"
	"net"
	"net/url"
	"strings"
)

// An Endpoint says where a model is and how it is spoken to.
type Endpoint struct {
	Preset  string // openai, anthropic, ollama, vllm, llamacpp; "" for none
	BaseURL string // "" means the preset's
	Model   string
	Key     string            // "" sends none
	Headers map[string]string // sent with every request, besides the key
	Format  string            // auto, json_schema, json_object, text: how JSON is asked for; "" means the preset's
	Prices  Prices            // nil means DefaultPrices
}

// A Preset is what is known of a kind of endpoint.
type Preset struct {
	BaseURL string
	KeyEnv  string // variable that usually holds the key
	Format  string
	Free    bool // runs on the person's own machine
}

// Presets are the endpoints that need at most a name.
var Presets = map[string]Preset{
	"openai":    {BaseURL: "https://api.openai.com/v1", KeyEnv: "OPENAI_API_KEY", Format: formatAuto},
	"anthropic": {BaseURL: "https://api.anthropic.com/v1", KeyEnv: "ANTHROPIC_API_KEY", Format: formatAuto},
	"ollama":    {BaseURL: "http://localhost:11434/v1", Format: formatAuto, Free: true},
	"vllm":      {BaseURL: "http://localhost:8000/v1", Format: formatAuto, Free: true},
	"llamacpp":  {BaseURL: "http://localhost:8080/v1", Format: formatAuto, Free: true},
}

// How JSON is asked for.
const (
	formatAuto   = "auto" // json_schema, and less where the endpoint refuses it
	formatSchema = "json_schema"
	formatObject = "json_object"
	formatText   = "text"
)

// complete fills in what the preset knows, and refuses what can't be right.
func (e Endpoint) complete() (Endpoint, error) {
	preset, known := Presets[e.Preset]
	if e.Preset != "" && !known {
		return e, &Error{Fault: Setup, Message: fmt.Sprintf("unknown provider %q", e.Preset)}
	}
	if e.BaseURL == "" {
		e.BaseURL = preset.BaseURL
	}
	if e.Format == "" {
		e.Format = preset.Format
	}
	if e.Format == "" {
		e.Format = formatAuto
	}
	if e.Prices == nil {
		e.Prices = DefaultPrices()
	}
	if e.Model == "" {
		return e, &Error{Fault: Setup, Message: "no model is named (llm.model)"}
	}
	u, err := url.Parse(e.BaseURL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
		return e, &Error{Fault: Setup, Message: "llm.base_url must be an http or https URL without a user, such as http://localhost:11434/v1"}
	}
	e.BaseURL = strings.TrimRight(e.BaseURL, "/")
	if preset.Free || IsLoopback(u.Hostname()) {
		e.Prices = e.Prices.withFree(e.Model)
	}
	return e, nil
}

// host names the endpoint in errors.
func (e Endpoint) host() string {
	if u, err := url.Parse(e.BaseURL); err == nil {
		return u.Host
	}
	return ""
}

// IsLoopback reports whether a host is this machine.
func IsLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Free reports whether calls of the endpoint's model cost nothing: it runs on this machine, or its price is 0.
func (e Endpoint) Free() bool {
	complete, err := e.complete()
	if err != nil {
		return false
	}
	price, known := complete.Prices.Of(complete.Model)
	return known && price == Price{}
}
