package agents

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

const (
	maxListed      = 32   // capabilities, domains, arguments of one agent
	maxDescription = 300  // characters of a description that a prompt carries
	maxTimeout     = 3600 // seconds
)

var validID = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// A reading turns the values of one definition, as JSON or YAML have them, into a Definition. Values of another type
// than they should be are read where their meaning is plain: other tools write lists as text.
type reading struct {
	values   map[string]any
	used     map[string]bool
	problems []string // the definition can't be used
	warnings []string
}

func newReading(values map[string]any) *reading {
	return &reading{values: values, used: map[string]bool{}}
}

func (r *reading) fault(format string, args ...any) {
	r.problems = append(r.problems, fmt.Sprintf(format, args...))
}

// first returns the value of the first key that is there.
func (r *reading) first(keys ...string) (string, any) {
	for _, key := range keys {
		r.used[key] = true
		if v, ok := r.values[key]; ok && v != nil {
			return key, v
		}
	}
	return keys[0], nil
}

func (r *reading) text(keys ...string) string {
	key, v := r.first(keys...)
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return strings.TrimSpace(v)
	case int, int64, uint64, float64, bool:
		return fmt.Sprint(v)
	}
	r.fault("%s must be a text", key)
	return ""
}

// list reads a list of texts, or one text with commas.
func (r *reading) list(key string) []string {
	_, v := r.first(key)
	var out []string
	switch v := v.(type) {
	case nil:
		return nil
	case string:
		out = strings.Split(v, ",")
	case []any:
		for _, item := range v {
			s, ok := item.(string)
			if !ok {
				r.fault("%s must be a list of texts", key)
				return nil
			}
			out = append(out, s)
		}
	default:
		r.fault("%s must be a list of texts", key)
		return nil
	}
	for i := range out {
		out[i] = strings.TrimSpace(out[i])
	}
	out = slices.DeleteFunc(out, func(s string) bool { return s == "" })
	if len(out) > maxListed {
		r.fault("%s has %d entries, more than %d", key, len(out), maxListed)
		return nil
	}
	return out
}

func (r *reading) number(key string, least, most, usual float64) float64 {
	_, v := r.first(key)
	var n float64
	var err error
	switch v := v.(type) {
	case nil:
		return usual
	case int:
		n = float64(v)
	case float64:
		n = v
	case string:
		n, err = strconv.ParseFloat(v, 64)
	default:
		err = strconv.ErrSyntax
	}
	if err != nil || !(n >= least && n <= most) {
		r.fault("%s must be a number from %g to %g", key, least, most)
		return usual
	}
	return n
}

func (r *reading) truth(key string) bool {
	_, v := r.first(key)
	switch v := v.(type) {
	case nil:
	case bool:
		return v
	default:
		r.fault("%s must be true or false", key)
	}
	return false
}

// definition reads all keys. markdown says that the keys are those of a front matter, of which other tools have many
// more; a Markdown file has instructions, so it needs nothing else to be run.
func (r *reading) definition(markdown bool) Definition {
	d := Definition{
		ID: r.text("id", "name"), Type: strings.ReplaceAll(strings.ToLower(r.text("type")), "built_in", Builtin),
		Description: short(r.text("description")),
		Launch: Launch{
			Path: r.text("path", "command"), Args: r.list("args"), Endpoint: r.text("endpoint", "url"),
			Tool: r.text("tool"), Env: r.list("env"), KeyEnv: r.text("api_key_env"), TimeoutSeconds: int(r.number("timeout_seconds", 1, maxTimeout, 0)),
			Sandbox: !markdown && r.truth("sandbox"),
		},
		Capabilities: names(r.list("capabilities")), Domains: names(r.list("domains")),
		Availability: r.text("availability"), SuccessRate: r.number("success_rate", 0, 1, usualRate),
	}
	r.first("last_refresh") // it is told, not taken: a file is looked at when it changes
	if markdown {
		d.ID = slug(d.ID)
	}
	r.check(&d, markdown)
	if !markdown {
		r.unknown()
	}
	return d
}

// check fills in what is not said and looks for what can't be right.
func (r *reading) check(d *Definition, markdown bool) {
	switch {
	case d.ID == "":
		r.fault("id is missing")
	case !validID.MatchString(d.ID):
		r.fault("the id %q must have 1 to 64 letters, digits, dots, dashes or underscores", d.ID)
	case isBuiltin(d.ID):
		r.fault("the id %s is that of a built-in agent", d.ID)
	}
	if d.Type == "" {
		switch {
		case d.Endpoint != "":
			d.Type = HTTP
		case d.Path != "":
			d.Type = Executable
		case markdown:
			d.Type = Builtin
		}
	}
	if d.Availability == "" {
		d.Availability = "always"
		if d.Type == HTTP {
			d.Availability = "depends_on_network"
		}
	} else if d.Availability != "always" && d.Availability != "depends_on_network" {
		r.fault("availability must be always or depends_on_network, not %q", d.Availability)
	}
	if len(d.Capabilities) == 0 && d.ID != "" {
		d.Capabilities = names([]string{d.ID})
	}
	if len(d.Domains) == 0 {
		d.Domains = []string{"general"}
	}
	r.checkType(d, markdown)
}

func (r *reading) checkType(d *Definition, markdown bool) {
	if d.Sandbox && d.Path == "" {
		r.fault("sandbox is for agents that are programs")
	}
	if d.Sandbox && d.Availability == "depends_on_network" {
		r.fault("a program in the sandbox reaches no network, on which it depends by its availability")
	}
	switch d.Type {
	case Executable:
		if d.Path == "" {
			r.fault("an executable agent needs path, the program")
		}
	case HTTP:
		r.checkEndpoint(d.Endpoint)
	case MCP:
		if (d.Path == "") == (d.Endpoint == "") {
			r.fault("an mcp agent needs either path, the server's program, or endpoint, its URL")
		} else if d.Endpoint != "" {
			r.checkEndpoint(d.Endpoint)
		}
	case Builtin:
		if !markdown {
			r.fault("builtin agents are part of AURORA, or Markdown files with instructions")
		}
	case "":
		r.fault("type is missing: executable, http or mcp")
	default:
		r.fault("the type %q is unknown: there are executable, http, mcp and builtin", d.Type)
	}
}

func (r *reading) checkEndpoint(endpoint string) {
	u, err := url.Parse(endpoint)
	switch {
	case endpoint == "":
		r.fault("endpoint is missing, the URL")
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		r.fault("endpoint must be an http or https URL")
	case u.User != nil:
		r.fault("endpoint must hold no name or password; name the variable with the key in api_key_env")
	case u.Scheme == "http" && !isLoopback(u.Hostname()):
		r.warnings = append(r.warnings, "endpoint is http: the question and the code travel unencrypted")
	}
}

func isLoopback(host string) bool {
	return host == "localhost" || host == "::1" || strings.HasPrefix(host, "127.")
}

// unknown warns of keys that nobody reads.
func (r *reading) unknown() {
	for _, key := range slices.Sorted(maps.Keys(r.values)) {
		if !r.used[key] {
			r.warnings = append(r.warnings, fmt.Sprintf("the key %q is unknown and ignored", key))
		}
	}
}

// names writes capabilities and domains one way: code-review, Code Review and code_review are the same.
func names(list []string) []string {
	var out []string
	for _, s := range list {
		s = strings.Join(strings.FieldsFunc(strings.ToLower(s), func(c rune) bool {
			return !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '+' && c != '#'
		}), "_")
		if s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// slug makes an id of a name that people read.
func slug(name string) string {
	return strings.Join(strings.FieldsFunc(name, func(c rune) bool {
		return !(c < unicode.MaxASCII && (unicode.IsLetter(c) || unicode.IsDigit(c)) || c == '.' || c == '_')
	}), "-")
}

// short puts a description on one line.
func short(s string) string {
	runes := []rune(strings.Join(strings.Fields(s), " "))
	if len(runes) > maxDescription {
		return string(runes[:maxDescription-1]) + "…"
	}
	return string(runes)
}
