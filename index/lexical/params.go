package lexical

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

// Params are the constants of the scoring formula.
type Params struct {
	K1      float64            // term frequency saturation, >= 0; typical 1.2 to 2.0
	B       float64            // length normalisation, 0..1
	Weights [NumFields]float64 // of a field's term frequency; Calls is ignored
}

// DefaultParams are the product's defaults (BMX-016).
var DefaultParams = Params{K1: 1.5, B: 0.75, Weights: [NumFields]float64{Name: 4, Path: 1, Signature: 2, Doc: 1.5, Body: 1}}
