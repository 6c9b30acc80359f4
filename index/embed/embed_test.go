package embed

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
)

// model returns a small model whose rows are given by word.
func model(t testing.TB, dims int, words map[string][]int8) *Static {
	t.Helper()
	var rows []Row
	for w, values := range words {
		rows = append(rows, Row{Hash: HashToken([]byte(w)), Scale: 60_000, Values: values})
	}
	data, err := Encode(dims, rows)
	if err != nil {
		t.Fatal(err)
	}
	s, err := OpenStatic(data)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func defaultModel(t testing.TB) *Static {
	t.Helper()
	s, err := Default()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func cosine(a, b Vector) float64 {
	var dot, aa, bb float64
	for i := range a {
		dot += float64(a[i]) * float64(b[i])
		aa += float64(a[i]) * float64(a[i])
		bb += float64(b[i]) * float64(b[i])
	}
	return dot / math.Sqrt(aa*bb)
}

func TestVectorIsTheWeightedSum(t *testing.T) {
	s := model(t, 3, map[string][]int8{"read": {100, 0, 0}, "file": {0, 100, 0}, "close": {0, 0, -50}})
	tests := []struct {
		text string
		want Vector
	}{
		{"", nil},
		{"unknown words only", nil},
		{"read", Vector{127, 0, 0}},
		{"read unknown", Vector{127, 0, 0}},
		{"readFile", Vector{127, 127, 0}},
		{"read read read read file", Vector{127, 63, 0}}, // the root of 4 against that of 1
		{"close", Vector{0, 0, -127}},
		{"read close", Vector{127, 0, -63}},
	}
	for _, test := range tests {
		if got := s.Vector([]byte(test.text)); !slices.Equal(got, test.want) {
			t.Errorf("%q: %v, want %v", test.text, got, test.want)
		}
	}
}

func TestOnlyTheFirstTokensCount(t *testing.T) {
	s := model(t, 2, map[string][]int8{"read": {100, 0}, "late": {0, 100}})
	if got := s.Vector([]byte("read " + strings.Repeat("xx ", maxTokens-1) + "late")); !slices.Equal(got, Vector{127, 0}) {
		t.Errorf("got %v", got)
	}
	if got := s.Vector([]byte("read " + strings.Repeat("xx ", maxTokens-2) + "late")); !slices.Equal(got, Vector{127, 127}) {
		t.Errorf("got %v", got)
	}
}

// TestSumsDoNotOverflow embeds the text with the largest possible sum.
func TestSumsDoNotOverflow(t *testing.T) {
	words := map[string][]int8{}
	var text strings.Builder
	for i := range maxTokens {
		w := fmt.Sprintf("word%c%c", 'a'+i/26, 'a'+i%26)
		words["word"] = []int8{-127, 127}
		words[w] = []int8{-127, 127}
		text.WriteString(w + " ")
	}
	var rows []Row
	for w, values := range words {
		rows = append(rows, Row{Hash: HashToken([]byte(w)), Scale: math.MaxUint16, Values: values})
	}
	data, err := Encode(2, rows)
	if err != nil {
		t.Fatal(err)
	}
	s, err := OpenStatic(data)
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Vector([]byte(text.String())); !slices.Equal(got, Vector{-127, 127}) {
		t.Errorf("got %v", got)
	}
}

// TestModelInTheBinary makes the comparisons that Default leaves out.
func TestModelInTheBinary(t *testing.T) {
	checked, err := OpenStatic(modelBytes)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Default()
	if err != nil {
		t.Fatal(err)
	}
	if s.ID() != checked.ID() {
		t.Errorf("the fingerprint is %08x, want %08x", s.ID().Fingerprint, checked.ID().Fingerprint)
	}
}

func TestOpenStaticRefusesDamage(t *testing.T) {
	good, err := Encode(4, []Row{{1, 2, []int8{1, 2, 3, 4}}, {7, 8, []int8{5, 6, 7, 8}}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range good {
		bad := bytes.Clone(good)
		bad[i] ^= 0x10
		if _, err := OpenStatic(bad); !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrVersion) {
			t.Fatalf("byte %d damaged: %v", i, err)
		}
		if _, err := OpenStatic(good[:i]); !errors.Is(err, ErrDamaged) {
			t.Fatalf("cut to %d bytes: %v", i, err)
		}
	}
	resum := func(data []byte) []byte {
		binary.LittleEndian.PutUint32(data[len(magic)+4:], crc32.Checksum(data[summedFrom:], castagnoli))
		return data
	}
	for _, at := range []int{summedFrom, summedFrom + 4} {
		for _, size := range []uint32{0, 1, 1 << 30, math.MaxUint32} {
			bad := bytes.Clone(good)
			binary.LittleEndian.PutUint32(bad[at:], size)
			if _, err := OpenStatic(resum(bad)); !errors.Is(err, ErrDamaged) {
				t.Errorf("size %d at %d: %v", size, at, err)
			}
		}
	}
	twice := bytes.Clone(good)
	copy(twice[headerSize+8:headerSize+16], twice[headerSize:headerSize+8])
	if _, err := OpenStatic(resum(twice)); !errors.Is(err, ErrDamaged) {
		t.Errorf("the same token twice: %v", err)
	}
}

func TestEncodeRefuses(t *testing.T) {
	for name, rows := range map[string][]Row{
		"other length": {{1, 1, []int8{1}}}, "token twice": {{1, 1, []int8{1, 2}}, {1, 1, []int8{1, 2}}},
	} {
		if _, err := Encode(2, rows); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
}

// TestDefaultModel asks the embedded model for what it was made for.
func TestDefaultModel(t *testing.T) {
	s := defaultModel(t)
	if id := s.ID(); id.Dimensions != 256 || id.Model != StaticModel || s.Rows() < 30_000 {
		t.Fatalf("%s with %d rows", id, s.Rows())
	}
	code := map[string]string{
		"delete a file from disk":               "func removeAll(path string) error { if err := os.Remove(path); err != nil { return err } }",
		"sort the list by size":                 "def order_by_length(items): return sorted(items, key=lambda item: len(item))",
		"open a network connection to a server": "public Socket connect(InetAddress address, int port) throws IOException { return new Socket(address, port); }",
		"parse json text":                       "fn from_str(input: &str) -> Result<Value, Error> { let mut de = Deserializer::new(input); de.decode_object() }",
	}
	for query, want := range code {
		best, found := math.Inf(-1), ""
		q := s.Vector([]byte(query))
		for _, c := range code {
			if score := cosine(q, s.Vector([]byte(c))); score > best {
				best, found = score, c
			}
		}
		if found != want {
			t.Errorf("%q finds %q (%.2f)", query, found, best)
		}
	}
}

// TestFingerprintIsPinned fails when the same model gives other vectors: on another machine, or after a change of the
// tokeniser or the arithmetic that must come with a new StaticVersion.
func TestFingerprintIsPinned(t *testing.T) {
	s := model(t, 8, map[string][]int8{
		"parse": {1, -2, 3, -4, 5, -6, 7, -8}, "http": {127, 0, -127, 1, 9, 9, 9, 9}, "größe": {0, 0, 1, 0, 0, 0, 0, 99}, "sha": {-7, 5, 3, 1, 1, 3, 5, 7},
	})
	if got, want := s.ID().String(), "aurora-static@1/8/6cda743e"; got != want {
		t.Errorf("ID is %s, want %s", got, want)
	}
}

func TestPartialError(t *testing.T) {
	cause := errors.New("too long")
	err := error(&PartialError{Failed: map[int]error{3: cause, 1: context.DeadlineExceeded}, Total: 5})
	if want := "embed: 2 of 5 texts failed; text 1: context deadline exceeded"; err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
	if !errors.Is(err, cause) || !errors.Is(err, context.DeadlineExceeded) {
		t.Error("the causes are not found")
	}
}

// TestStaticServesManyGoroutines embeds the same texts at the same time.
func TestStaticServesManyGoroutines(t *testing.T) {
	s := defaultModel(t)
	var texts [][]byte
	for i := range 50 {
		texts = append(texts, fmt.Appendf(nil, "read the file of user %d and parse its header", i))
	}
	embed := func() (vectors []Vector) {
		for _, text := range texts {
			vectors = append(vectors, s.Vector(text))
		}
		return vectors
	}
	want := embed()
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			if got := embed(); !slices.EqualFunc(got, want, func(a, b Vector) bool { return slices.Equal(a, b) }) {
				t.Error("other vectors than alone")
			}
		})
	}
	group.Wait()
}

func TestVectorAllocatesNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector drops pooled buffers on purpose")
	}
	s := defaultModel(t)
	src := []byte("func (s *HTTPServer) ReadUserIDs(ctx context.Context, max_count int) ([]string, error) { return nil, nil }")
	dst := make([]int8, 0, 256)
	if allocs := testing.AllocsPerRun(100, func() { s.AppendVector(dst, src) }); allocs != 0 {
		t.Errorf("%v allocations for each text", allocs)
	}
}
