package journal

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/internal/scrub"
	"github.com/aurora-sidecar/aurora/memory/convlog"
)

// An Entry is a question as lists show it.
type Entry struct {
	ID           string    `json:"queryId"`
	Question     string    `json:"query"` // personal data and keys are taken out
	Asked        time.Time `json:"askedAt"`
	Conversation string    `json:"conversationId,omitempty"`
	Folder       string    `json:"folder,omitempty"`
	Complexity   string    `json:"complexity,omitempty"`
	Model        string    `json:"model,omitempty"`
	Verified     bool      `json:"verified"`
	Score        *float64  `json:"overallScore,omitempty"`
	Confidence   float64   `json:"confidence"`
	Taken
	Signature string `json:"signature,omitempty"` // of questions like this one
	Error     string `json:"error,omitempty"`     // why there was no answer
}

// Taken is what a question took.
type Taken struct {
	USD    float64       `json:"usd"`
	Tokens int           `json:"tokens"`
	Calls  int           `json:"calls"`
	Passes int           `json:"passes"`
	Total  time.Duration `json:"durationNs"`
}

// logged is a conversation as it is kept until its file is written.
type logged struct {
	convlog.Entry
	Phases []loggedPhase
}

type loggedPhase struct {
	Name, Title string
	Blocks      []loggedBlock
}

type loggedBlock struct {
	Label string
	Value json.RawMessage // its keys keep their order
}

func (l *logged) entry() convlog.Entry {
	e := l.Entry
	e.Phases = nil
	for _, p := range l.Phases {
		part := convlog.Phase{Name: p.Name, Title: p.Title}
		for _, b := range p.Blocks {
			part.Blocks = append(part.Blocks, convlog.Block{Label: b.Label, Value: b.Value})
		}
		e.Phases = append(e.Phases, part)
	}
	return e
}

// maxDetail is the size of the largest detail that is read, unpacked.
const maxDetail = 256 << 20

// pack is what is kept of a question: lines of JSON, compressed. Lists read the first one only.
func pack(lines ...any) ([]byte, error) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	for _, line := range lines {
		var raw bytes.Buffer
		enc := json.NewEncoder(&raw)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(line); err != nil {
			return nil, err
		}
		if _, err := io.WriteString(z, withoutSecrets(raw.String())); err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// unpack decodes the first lines into targets; nil skips a line.
func unpack(detail []byte, targets ...any) error {
	z, err := gzip.NewReader(bytes.NewReader(detail))
	if err != nil {
		return err
	}
	dec := json.NewDecoder(io.LimitReader(z, maxDetail))
	for _, target := range targets {
		if target == nil {
			target = new(json.RawMessage)
		}
		if err := dec.Decode(target); err != nil {
			return err
		}
	}
	return nil
}

// names are keys whose values are made by AURORA itself; a hash looks like a secret.
var names = []string{"prompt", "queryId", "id", "ID", "At", "askedAt", "startedAt"}

// withoutSecrets takes what looks like a secret out of every string of a JSON text, and leaves all else as it is. Prompts
// are cleaned, too, before they are sent, so that a record plays as it went.
func withoutSecrets(text string) string {
	var out strings.Builder
	key := ""
	for {
		start := strings.IndexByte(text, '"')
		if start < 0 {
			out.WriteString(text)
			return out.String()
		}
		end := endOfString(text, start)
		quoted, rest := text[start:end], text[end:]
		out.WriteString(text[:start])
		switch {
		case strings.HasPrefix(rest, ":"):
			key = strings.Trim(quoted, `"`)
			out.WriteString(quoted)
		case slices.Contains(names, key):
			out.WriteString(quoted)
		default:
			out.WriteString(cleanString(quoted))
		}
		text = rest
	}
}

// endOfString is the offset behind the string that begins at start.
func endOfString(text string, start int) int {
	end := start + 1
	for end < len(text) && text[end] != '"' {
		if text[end] == '\\' {
			end++
		}
		end++
	}
	return min(end+1, len(text))
}

func cleanString(quoted string) string {
	var s string
	if json.Unmarshal([]byte(quoted), &s) != nil {
		return quoted
	}
	clean, _ := scrub.Text(s)
	if clean == s {
		return quoted
	}
	encoded, err := json.Marshal(clean)
	if err != nil {
		return `""`
	}
	return string(encoded)
}
