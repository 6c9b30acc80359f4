package sentence

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// tiny is a model of random numbers that knows a few subwords.
func tiny(t testing.TB) []byte {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	data, err := Write(&Source{
		Shape:    Shape{Width: 32, Layers: 2, Heads: 4, Inner: 64, Positions: 8},
		Subwords: []string{"[CLS]", "[SEP]", "[UNK]", "re", "##try", "the", "gate", "##way", ",", "é", "e", "seldom"},
		Kept:     []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 10},
		Tensor: func(string) []float32 {
			v := make([]float32, 64*64)
			for i := range v {
				v[i] = float32(random.NormFloat64())
			}
			return v
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestSubwords(t *testing.T) {
	m, err := Open(tiny(t))
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string][]string{
		"":                       nil,
		"Retry, the\tGateway":    {"re", "##try", ",", "the", "gate", "##way"},
		"é retrying 中\x00\u200b": {"e", "[UNK]", "[UNK]"},
		"seldom":                 {"[UNK]"},
	} {
		if got := m.Subwords(text); !reflect.DeepEqual(got, want) {
			t.Errorf("%q is cut into %q, want %q", text, got, want)
		}
	}
	if ids := m.cut("the the the the the the the the the", 8); len(ids) != 8 || ids[0] != m.begin || ids[7] != m.end {
		t.Errorf("a long text has %v", ids)
	}
}

func TestVectors(t *testing.T) {
	m, err := Open(tiny(t))
	if err != nil {
		t.Fatal(err)
	}
	a, b := m.Vector("retry the gateway"), m.Vector("gateway the retry")
	if len(a) != m.ID().Dimensions || !slices.Contains(a, 127) && !slices.Contains(a, -127) {
		t.Errorf("the vector %v does not use its range", a)
	}
	if v := m.Vector(" \n"); v != nil {
		t.Errorf("nothing has the vector %v", v)
	}
	if reflect.DeepEqual(a, b) {
		t.Error("the order of words says nothing")
	}
	if again := m.Vector("Retry  the Gateway"); !reflect.DeepEqual(a, again) {
		t.Error("the same words have another vector")
	}
}

func TestProductsAreThoseOfPlainGo(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, cols := range []int{16, 32, 48, 50, 400} {
		for _, size := range []int{1, 2, 3, 4, 5, 9} {
			d := dense{matrix{size, cols, make([]float32, size), make([]byte, size*cols)}, make([]float32, size)}
			for i := range d.values {
				d.values[i] = byte(random.IntN(256))
			}
			x := rows(size+2, cols)
			for i := range d.rows {
				d.scales[i], d.bias[i] = random.Float32(), random.Float32()
			}
			for _, v := range x {
				for i := range v {
					v[i] = float32(random.NormFloat64())
				}
			}
			q := quantise(x)
			want := rows(len(x), d.rows)
			d.fill(want, q, 0, d.rows, 0, len(x))
			if got := d.times(q); !reflect.DeepEqual(got, want) {
				t.Fatalf("%d rows of %d: %v, want %v", size, cols, got, want)
			}
		}
	}
}

func TestGELU(t *testing.T) {
	for x := -9.0; x < 9; x += 0.001 {
		want := x * 0.5 * math.Erfc(-x*math.Sqrt2/2)
		if got := float64(geluTable().at(float32(x))); math.Abs(got-want) > 1e-5 {
			t.Fatalf("gelu(%v) is %v, want %v", x, got, want)
		}
	}
}

func TestOpenRefusesDamage(t *testing.T) {
	good := tiny(t)
	for i := 0; i < len(good); i += 97 {
		bad := bytes.Clone(good)
		bad[i] ^= 0x10
		if _, err := Open(bad); !errors.Is(err, ErrDamaged) {
			t.Fatalf("byte %d damaged: %v", i, err)
		}
		if _, err := Open(good[:i]); !errors.Is(err, ErrDamaged) {
			t.Fatalf("cut to %d bytes: %v", i, err)
		}
	}
}

// TestModelInTheBinary makes the comparison that Default leaves out, and compares cosines with those that floats have (JAX).
func TestModelInTheBinary(t *testing.T) {
	m, err := Open(modelBytes)
	if err != nil {
		t.Fatal(err)
	}
	asked := m.Vector("why does the gateway not retry requests with a body")
	for text, want := range map[string]float64{
		"Requests that carry a body are never sent twice by the proxy.": 0.601,
		"The config file is read once at start-up.":                     0.094,
		"retry gateway body": 0.870,
	} {
		var dot, length, other float64
		for i, x := range m.Vector(text) {
			a, b := float64(asked[i]), float64(x)
			dot, length, other = dot+a*b, length+a*a, other+b*b
		}
		if got := dot / math.Sqrt(length*other); math.Abs(got-want) > 0.03 {
			t.Errorf("%s: cosine %.3f, want %.3f", text, got, want)
		}
	}
}

func BenchmarkVector(b *testing.B) {
	m, err := Default()
	if err != nil {
		b.Fatal(err)
	}
	question := "why do beginning and end of row markers misbehave with zero-byte separated input"
	for name, text := range map[string]string{"question": question, "record of 128 subwords": strings.Repeat(question+" ", 8)} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				m.Vector(text)
			}
		})
	}
}
