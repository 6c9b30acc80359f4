package shared

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aurora-sidecar/aurora/index/lexical"
	"github.com/aurora-sidecar/aurora/internal/text"
)

// Version is that of what goes over the wire. A server answers clients of its own version only.
const Version = 1

// The two requests of a search, in this order: what words are worth among all that is searched, then what may be an answer.
const (
	CorpusPath  = "/shared/corpus"
	ProposePath = "/shared/propose"
	ListPath    = "/repositories" // not of a search: what there is
)

// Limits of what is believed of an answer.
const (
	MaxAnswer     = 8 << 20 // bytes, unpacked
	maxCandidates = 2000
	maxName       = 4 << 10  // bytes of a path, a name, a line of explanation
	maxText       = 64 << 10 // bytes of a text
	maxIndex      = 1 << 16  // chunks of a file
	maxQuery      = 64 << 10 // bytes
	MaxPaths      = 20_000   // of a request
)

// A Request asks for the corpus or for candidates.
type Request struct {
	Version int    `json:"version"`
	Query   string `json:"query"` // as it was typed
	Scope   Scope  `json:"scope,omitzero"`
	Limit   int    `json:"limit,omitempty"`
	// Loose takes the words of a phrase in quotes one by one.
	Loose   bool            `json:"loose,omitempty"`
	Own     []Own           `json:"own,omitempty"`    // what the client has of its own, which is not searched
	Overlay string          `json:"overlay"`          // digest of Own, which may be left out when the server has seen it
	Corpus  *lexical.Corpus `json:"corpus,omitempty"` // of everything that is searched, the client's own included; for candidates
	WaitMs  int             `json:"waitMs,omitempty"` // how long the client waits for both answers; 0 means long
}

// Check says what is wrong with a request, nil for nothing.
func (r *Request) Check() error {
	switch {
	case r.Version != Version:
		return &VersionError{r.Version}
	case len(r.Query) > maxQuery:
		return fmt.Errorf("the query has more than %d bytes", maxQuery)
	case r.Limit < 0 || r.Limit > 1000 || r.WaitMs < 0:
		return errors.New("limit lies between 0 and 1000, and waitMs is not negative")
	}
	if r.Corpus == nil {
		return nil
	}
	return checkCorpus(r.Corpus)
}

func checkCorpus(c *lexical.Corpus) error {
	if c.Docs < 0 || c.Docs > math.MaxInt32*1024 {
		return errors.New("it counts fewer than no chunks, or too many")
	}
	for token, n := range c.Holds {
		if n < 0 || n > c.Docs {
			return fmt.Errorf("it says that %d of %d chunks hold %.40q", n, c.Docs, token)
		}
	}
	return nil
}

// A Scope narrows a search, as engine/search has it.
type Scope struct {
	Paths     []string `json:"paths,omitempty"`
	Languages []string `json:"languages,omitempty"`
	Types     []string `json:"types,omitempty"`
	Kinds     []string `json:"kinds,omitempty"`
	Exclude   []string `json:"exclude,omitempty"`
}

// Own is what a client has of a repository by itself, as paths from its root.
type Own struct {
	Names   []string `json:"names"`             // of the repository, see git.Repo.Identity
	Folders []string `json:"folders,omitempty"` // that it has as a whole, "" for all
	Paths   []string `json:"paths,omitempty"`   // files that it has, or that differ here or are deleted
}

// A Repository is one that a server searches.
type Repository struct {
	Name   string   `json:"name"`
	Names  []string `json:"names"`  // as of git.Repo.Identity
	Commit string   `json:"commit"` // that is searched
}

// A Listing is what a server searches.
type Listing struct {
	Version      string       `json:"version"`  // of the program
	Protocol     int          `json:"protocol"` // Version
	Repositories []Repository `json:"repositories"`
	Failures     []string     `json:"failures"` // of shards
}

// An Answer is what a server found.
type Answer struct {
	Version      int            `json:"version"`
	Overlay      bool           `json:"overlay"` // false when the server does not know the digest: to be sent again with Own
	Corpus       lexical.Corpus `json:"corpus,omitzero"`
	Repositories []Repository   `json:"repositories"` // of Own, for the corpus
	Candidates   []Candidate    `json:"candidates,omitempty"`
	Total        int            `json:"total"`
	Embedder     string         `json:"embedder,omitempty"` // whose vectors were compared
	Notes        []string       `json:"notes,omitempty"`    // such as which shard did not answer
}

// A Candidate is a chunk that may be an answer, with all by which it is ranked.
type Candidate struct {
	Origin
	Activity float64  `json:"activity,omitempty"` // how often and lately the file changed, 0..1
	Chunk    Chunk    `json:"chunk"`
	Matched  []string `json:"matched,omitempty"`
	BM25     float64  `json:"bm25,omitempty"`
	Cosine   float64  `json:"cosine,omitempty"`
	Nearness float64  `json:"nearness,omitempty"` // mean cosine of all chunks of the file
	Name     Name     `json:"name,omitzero"`
	By       []string `json:"by"`
	Hit      *Hit     `json:"hit,omitempty"` // of the best ones: what is shown
}

// An Origin is where a candidate is.
type Origin struct {
	Repository string `json:"repository"`
	Commit     string `json:"commit"`
	URL        string `json:"url,omitempty"` // where people read it
	Path       string `json:"path"`          // from the root of the repository
	FileHash   string `json:"fileHash"`      // of the text of the file, in hex
	Language   string `json:"language"`
	Generated  bool   `json:"generated,omitempty"`
	Index      int    `json:"index"` // of the chunk in its file
}

// A Chunk is what ranking looks at of a chunk.
type Chunk struct {
	Type      string `json:"type"`
	Kind      string `json:"kind"`
	Name      string `json:"name,omitempty"`
	Container string `json:"container,omitempty"`
	Ordinal   int    `json:"ordinal,omitempty"`
	StartLine int    `json:"startLine"`
	EndLine   int    `json:"endLine"`
	Bytes     int    `json:"bytes"`
	Behind    int    `json:"behind"` // bytes behind the signature
	Hash      uint64 `json:"hash,string"`
}

// A Name is how the name or the path of a candidate matches.
type Name struct {
	Tier      int     `json:"tier,omitempty"`
	Name      string  `json:"name,omitempty"`
	Why       string  `json:"why,omitempty"`
	Closeness float64 `json:"closeness,omitempty"`
	Certain   float64 `json:"certain,omitempty"`
	Symbol    int     `json:"symbol,omitempty"` // its kind and one; 0 for none
}

// A Hit is what is shown of a candidate.
type Hit struct {
	Type      string      `json:"type"`
	Kind      string      `json:"kind"`
	Name      string      `json:"name"`
	Container string      `json:"container,omitempty"`
	Signature string      `json:"signature,omitempty"`
	Doc       string      `json:"doc,omitempty"`
	Range     text.Range  `json:"range"`
	NameRange *text.Range `json:"nameRange,omitempty"`
	Above     int         `json:"above,omitempty"`
	Text      string      `json:"text"`
	Origin    string      `json:"origin,omitempty"`
}

// Decode reads an answer. What is wrong with single candidates leaves them out; bad counts them.
func Decode(data []byte) (a *Answer, bad int, err error) {
	a = &Answer{}
	if err := json.Unmarshal(data, a); err != nil {
		return nil, 0, errors.New("what it sent is no answer of a search server")
	}
	if a.Version != Version {
		return nil, 0, &VersionError{a.Version}
	}
	if err := checkCorpus(&a.Corpus); err != nil {
		return nil, 0, err
	}
	if a.Total < 0 {
		return nil, 0, errors.New("it counts fewer than none")
	}
	before := min(len(a.Candidates), maxCandidates)
	bad = len(a.Candidates) - before
	a.Candidates = slices.DeleteFunc(a.Candidates[:before], func(c Candidate) bool { return !c.valid() })
	bad += before - len(a.Candidates)
	for i := range a.Notes {
		a.Notes[i] = printable(a.Notes[i], 300)
	}
	a.Notes = a.Notes[:min(len(a.Notes), 20)]
	return a, bad, nil
}

// A VersionError is that of a server of another version.
type VersionError struct{ Server int }

// Error implements error.
func (e *VersionError) Error() string {
	if e.Server < Version {
		return fmt.Sprintf("the server is older (it speaks version %d, this program %d): update it", e.Server, Version)
	}
	return fmt.Sprintf("the server is newer (it speaks version %d, this program %d): update aurora", e.Server, Version)
}

// valid reports whether a candidate can be what a server found.
func (c *Candidate) valid() bool {
	return ValidPath(c.Path) && validURL(c.URL) && short(c.Repository, c.Language, c.Commit, c.URL, c.Chunk.Name, c.Chunk.Container, c.Name.Name, c.Name.Why) && short(c.Matched...) && short(c.By...) &&
		c.Repository != "" && len(c.By) > 0 && c.Index >= 0 && c.Index < maxIndex && c.Chunk.StartLine >= 0 && c.Chunk.EndLine >= c.Chunk.StartLine &&
		c.Chunk.Bytes >= 0 && c.Chunk.Ordinal >= 0 && share(c.Activity) && share(c.Name.Closeness) && share(c.Name.Certain) && c.Name.Tier >= 0 && c.Name.Tier <= 3 &&
		cosine(c.Cosine) && cosine(c.Nearness) && c.BM25 >= 0 && !math.IsInf(c.BM25, 0) && c.Name.Symbol >= 0 && (c.Hit == nil || c.Hit.valid())
}

func (h *Hit) valid() bool {
	ok := func(r text.Range) bool {
		return r.Start.Line >= 0 && r.End.Line >= r.Start.Line && min(r.Start.Byte, r.Start.UTF16, r.End.Byte, r.End.UTF16) >= 0
	}
	return short(h.Type, h.Kind, h.Name, h.Container, h.Signature, h.Doc, h.Origin) && len(h.Text) <= maxText && utf8.ValidString(h.Text) &&
		ok(h.Range) && (h.NameRange == nil || ok(*h.NameRange)) && h.Above >= 0 && h.Above <= h.Range.Start.Line
}

// validURL reports whether an address is none, or that of a page.
func validURL(s string) bool {
	return s == "" || (strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "http://")) && !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) || unicode.IsSpace(r) })
}

func share(x float64) bool { return x >= 0 && x <= 1 }

func cosine(x float64) bool { return x >= -1.01 && x <= 1.01 }

func short(list ...string) bool {
	return !slices.ContainsFunc(list, func(s string) bool { return len(s) > maxName || !utf8.ValidString(s) })
}

// ValidPath reports whether p is a path below a root, with slashes, that no system takes for another one.
func ValidPath(p string) bool {
	return p != "" && len(p) <= maxName && p != "." && path.Clean(p) == p && !path.IsAbs(p) && p != ".." && !strings.HasPrefix(p, "../") && utf8.ValidString(p) &&
		!strings.ContainsFunc(p, func(r rune) bool { return r == '\\' || r == ':' || unicode.IsControl(r) })
}

// printable is a text on one line, cut to a number of bytes.
func printable(s string, most int) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	return s[:min(len(s), most)]
}
