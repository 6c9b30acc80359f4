package memory

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aurora-sidecar/aurora/internal/scrub"
)

const (
	// MaxContent is the most bytes that a record's content may have.
	MaxContent = 1 << 20

	// MaxExcerpt is the most bytes that are kept of cited code.
	MaxExcerpt = 2048

	maxTitle = 80 // runes
	maxSlug  = 40 // bytes
)

// Prepare returns r as a store keeps it: checked, without secrets, and with every field filled in that follows from
// the others. Times, and an ID when r has none, are left to the store, which knows what it already holds. Errors wrap
// ErrInvalid.
func Prepare(r Record) (Record, error) {
	r.Type = cmp.Or(r.Type, Knowledge)
	r.Content = strings.TrimSpace(clean(r.Content))
	if err := check(r); err != nil {
		return Record{}, err
	}
	if r.Importance == 0 {
		r.Importance = 1
	}
	r.SourceRef = strings.TrimSpace(clean(r.SourceRef))
	r.Tags = cleanTags(r.Tags)
	r.Title = title(cmp.Or(clean(r.Title), r.Content))
	r.TokenCount = (len(r.Content) + 3) / 4
	r.ContentHash = ContentHash(r.Type, r.Content, r.Workspace)
	r.Domain, r.SemanticRole, r.Keywords = clean(r.Domain), clean(r.SemanticRole), cleanTags(r.Keywords)
	describe(&r)
	var err error
	if r.Chunk, err = CleanChunk(r.Chunk); err != nil {
		return Record{}, err
	}
	r.Citations = slices.Clone(r.Citations)
	for i := range r.Citations {
		r.Citations[i] = cleanCitation(r.Citations[i])
	}
	return r, nil
}

// cleanCitation fills in what follows from the rest.
func cleanCitation(c Citation) Citation {
	c.Excerpt = clean(c.Excerpt)
	if len(c.Excerpt) > MaxExcerpt {
		c.Excerpt = strings.ToValidUTF8(c.Excerpt[:MaxExcerpt], "")
	}
	c.Signature = clean(c.Signature)
	c.NowPath, c.NowChunkID = cmp.Or(c.NowPath, c.Path), cmp.Or(c.NowChunkID, c.ChunkID)
	return c
}

func check(r Record) error {
	switch {
	case r.Type != Knowledge && r.Type != Reasoning:
		return fmt.Errorf("%w: type %q is neither knowledge nor reasoning", ErrInvalid, r.Type)
	case r.Content == "":
		return fmt.Errorf("%w: content is empty", ErrInvalid)
	case len(r.Content) > MaxContent:
		return fmt.Errorf("%w: content has %d bytes, at most %d are kept", ErrInvalid, len(r.Content), MaxContent)
	}
	for name, share := range map[string]*float64{
		"importance": &r.Importance, "the success score": r.SuccessScore, "confidence": r.Confidence,
	} {
		if share != nil && (math.IsNaN(*share) || *share < 0 || *share > 1) {
			return fmt.Errorf("%w: %s lies between 0 and 1 (got %v)", ErrInvalid, name, *share)
		}
	}
	return nil
}

// NewID makes the id of a prepared record that has none: know:<slug>-<hash>. digits is how many hexadecimal digits
// of the content's hash it takes; 8 keep ids readable, more tell apart the rare two that agree in them.
func NewID(r Record, digits int) string {
	kind := "know"
	if r.Type == Reasoning {
		kind = "reas"
	}
	hash := r.ContentHash
	if digits <= 8 {
		hash = ContentHash(r.Type, r.Content, "") // the same wherever the project lies
	}
	return fmt.Sprintf("%s:%s-%s", kind, Slug(r.Title), hash[:min(digits, len(hash))])
}

// clean makes s valid UTF-8 without NUL bytes and secrets.
func clean(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = strings.ReplaceAll(s, "\x00", "")
	s, _ = scrub.Text(s)
	return s
}

// CleanChunk returns a chunk as JSON as a store keeps it: every string in it without secrets. It fails with ErrInvalid.
func CleanChunk(text []byte) ([]byte, error) {
	if len(text) == 0 {
		return nil, nil
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, fmt.Errorf("%w: the chunk is no JSON (%v)", ErrInvalid, err)
	}
	var cleaned bytes.Buffer
	encoder := json.NewEncoder(&cleaned)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(cleanValue(value)); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return bytes.TrimRight(cleaned.Bytes(), "\n"), nil
}

func cleanValue(value any) any {
	switch v := value.(type) {
	case string:
		return clean(v)
	case []any:
		for i := range v {
			v[i] = cleanValue(v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = cleanValue(v[name])
		}
	}
	return value
}

// cleanTags returns the tags without blanks around them, each once, whatever its case.
func cleanTags(tags []string) []string {
	var kept []string
	for _, tag := range tags {
		tag = strings.Join(strings.Fields(clean(tag)), " ")
		known := slices.ContainsFunc(kept, func(k string) bool { return strings.EqualFold(k, tag) })
		if tag != "" && !known {
			kept = append(kept, tag)
		}
	}
	return kept
}

// title is the first line of s that says something, without Markdown's heading marks, shortened at a word.
func title(s string) string {
	line, _, _ := strings.Cut(strings.TrimLeft(s, "#>*- \t\r\n"), "\n")
	line = strings.Join(strings.Fields(line), " ")
	if line == "" {
		return "Untitled"
	}
	if utf8.RuneCountInString(line) <= maxTitle {
		return line
	}
	short := string([]rune(line)[:maxTitle-1])
	if space := strings.LastIndexByte(short, ' '); space > len(short)/2 {
		short = short[:space]
	}
	return strings.TrimRightFunc(short, unicode.IsPunct) + "…"
}

// Slug is s as part of an id or of a file's name: lower-case ASCII words joined by hyphens, "note" when it has none.
func Slug(s string) string {
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return (r < 'a' || 'z' < r) && (r < '0' || '9' < r)
	})
	joined := strings.Join(words, "-")
	if len(joined) > maxSlug {
		joined = joined[:maxSlug]
		if end := strings.LastIndexByte(joined, '-'); end > maxSlug/2 {
			joined = joined[:end]
		}
	}
	return cmp.Or(strings.Trim(joined, "-"), "note")
}

// ContentHash is what tells a record from others: the same text in two projects is two records.
func ContentHash(t Type, content, workspace string) string {
	text := string(t) + "\x00" + content
	if workspace != "" {
		text += "\x00" + workspace
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
