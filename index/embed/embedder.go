package embed

import (
	"fmt"
	"hash/crc32"
)

// A Vector is the direction of a text's meaning. Only its angle to others counts, so its entries are scaled to use the
// whole range of -127 to 127. An empty Vector means that nothing is known about the text.
type Vector []int8

// An ID tells which vectors may be compared: those with the same ID. Every stored vector carries it.
type ID struct {
	Model       string // "aurora-static", "text-embedding-3-small"
	Version     string // of the model, "" when it has none
	Dimensions  int
	Fingerprint uint32 // of the vectors of a fixed probe: a model that changed behind its name has another one
}

// String returns the form of the ID that is stored, as in aurora-static@1/256/7c0ffee1.
func (id ID) String() string {
	name := id.Model
	if id.Version != "" {
		name += "@" + id.Version
	}
	return fmt.Sprintf("%s/%d/%08x", name, id.Dimensions, id.Fingerprint)
}

// Probe holds the texts whose vectors make a Fingerprint. They cover prose and code, several ways to write names, and
// letters beyond ASCII. Who changes them changes every ID.
func Probe() [][]byte {
	return [][]byte{
		[]byte("parse the configuration file and return an error when a key is unknown"),
		[]byte("func (s *HTTPServer) ReadUserIDs(ctx context.Context, max_count int) ([]string, error) { return nil, nil }"),
		[]byte("größe naïve 日本語 sha256Sum $scope"),
	}
}

// Fingerprint returns the digest of a probe's vectors. Their order counts.
func Fingerprint(vectors []Vector) uint32 {
	sum := crc32.New(castagnoli)
	for _, v := range vectors {
		line := make([]byte, 0, len(v)+1)
		for _, x := range v {
			line = append(line, byte(x))
		}
		sum.Write(append(line, '\n'))
	}
	return sum.Sum32()
}

// A PartialError says which texts of a call have no vector, and why. The others' vectors are right.
type PartialError struct {
	Failed map[int]error // by the index of the text
	Total  int           // texts of the call
}

// Error gives the number of failures and the first of them.
func (e *PartialError) Error() string {
	first := -1
	for i := range e.Failed {
		if first < 0 || i < first {
			first = i
		}
	}
	if first < 0 {
		return "embed: no text failed"
	}
	return fmt.Sprintf("embed: %d of %d texts failed; text %d: %v", len(e.Failed), e.Total, first, e.Failed[first])
}

// Unwrap returns the failures, so that errors.Is finds a cause.
func (e *PartialError) Unwrap() []error {
	var causes []error
	for i := range e.Total {
		if err := e.Failed[i]; err != nil {
			causes = append(causes, err)
		}
	}
	return causes
}
