package lexical

import "math"

// A Field is a part of a document with a weight of its own.
type Field uint8

// The fields of a document. Calls is a namespace rather than prose: it takes no part in BM25 and only answers
// Lookup ("which chunks call this name").
const (
	Name Field = iota
	Path
	Signature
	Doc
	Body
	Calls
	NumFields
)

// scored is the number of fields that take part in BM25: all before Calls.
const scored = int(Calls)

// Params are the constants of the scoring formula.
type Params struct {
	K1      float64            // term frequency saturation, >= 0; typical 1.2 to 2.0
	B       float64            // length normalisation, 0..1
	Weights [NumFields]float64 // of a field's term frequency; Calls is ignored
}

// DefaultParams are the product's defaults: k1 and b as documented, the weights as tuned on the development
// sets of docs/search.md.
var DefaultParams = Params{K1: 1.5, B: 0.75, Weights: [NumFields]float64{Name: 6, Path: 1, Signature: 2, Doc: 1, Body: 1}}

// normal returns p with every constant in its range: the zero Params become the defaults, and what lies outside
// the range is moved to its nearest end.
func (p Params) normal() Params {
	if p == (Params{}) {
		return DefaultParams
	}
	p.K1 = clamp(p.K1, 0, math.MaxFloat32)
	p.B = clamp(p.B, 0, 1)
	for f := range p.Weights {
		p.Weights[f] = clamp(p.Weights[f], 0, math.MaxFloat32)
	}
	p.Weights[Calls] = 0
	return p
}

// clamp moves x into [lo, hi]; NaN becomes lo.
func clamp(x, lo, hi float64) float64 {
	if !(x >= lo) {
		return lo
	}
	return min(x, hi)
}
