package sentence

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"slices"
	"strings"
)

// A Source is a trained model.
type Source struct {
	Shape    Shape // Subwords does not count
	Subwords []string
	Kept     []int                       // which of Subwords the written model has; the first three are special, see the package comment
	Tensor   func(name string) []float32 // by the names of BERT's parts in PyTorch, row by row
}

// Write lays out a model, its matrices rounded to integers of 8 bits.
func Write(s *Source) ([]byte, error) {
	w := &writer{source: s}
	shape := s.Shape
	shape.Subwords = len(s.Kept)
	var names []string
	for _, i := range s.Kept {
		names = append(names, s.Subwords[i])
	}
	table := strings.Join(names, "\n")
	for _, n := range []int{shape.Subwords, shape.Width, shape.Layers, shape.Heads, shape.Inner, shape.Positions, len(table)} {
		w.buf = binary.LittleEndian.AppendUint32(w.buf, uint32(n))
	}
	w.buf = append(w.buf, table...)
	w.embeddings(shape)
	for i := range shape.Layers {
		part := func(name string) string { return fmt.Sprintf("encoder.layer.%d.%s", i, name) }
		for _, name := range []string{"attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"} {
			w.dense(part(name), shape.Width, shape.Width)
		}
		w.norm(part("attention.output.LayerNorm"), shape.Width)
		w.dense(part("intermediate.dense"), shape.Inner, shape.Width)
		w.dense(part("output.dense"), shape.Width, shape.Inner)
		w.norm(part("output.LayerNorm"), shape.Width)
	}
	if w.err != nil {
		return nil, w.err
	}
	head := binary.LittleEndian.AppendUint32([]byte(magic), formatVersion)
	head = binary.LittleEndian.AppendUint32(head, crc32.Checksum(w.buf, castagnoli))
	return append(head, w.buf...), nil
}

type writer struct {
	source *Source
	buf    []byte
	err    error
}

// tensor returns a part with so many numbers.
func (w *writer) tensor(name string, n int) []float32 {
	t := w.source.Tensor(name)
	if len(t) < n && w.err == nil {
		w.err = fmt.Errorf("write sentence model: %s has %d numbers, want %d", name, len(t), n)
	}
	if w.err != nil {
		return make([]float32, n)
	}
	return t[:n]
}

func (w *writer) embeddings(s Shape) {
	words := w.tensor("embeddings.word_embeddings.weight", len(w.source.Subwords)*s.Width)
	kept := make([]float32, 0, s.Subwords*s.Width)
	for _, i := range w.source.Kept {
		kept = append(kept, words[i*s.Width:(i+1)*s.Width]...)
	}
	positions := slices.Clone(w.tensor("embeddings.position_embeddings.weight", s.Positions*s.Width))
	for i, x := range w.tensor("embeddings.token_type_embeddings.weight", s.Width) { // all is of the first kind
		for row := range s.Positions {
			positions[row*s.Width+i] += x
		}
	}
	w.matrix(kept, s.Width)
	w.matrix(positions, s.Width)
	w.norm("embeddings.LayerNorm", s.Width)
}

func (w *writer) dense(name string, rows, cols int) {
	w.matrix(w.tensor(name+".weight", rows*cols), cols)
	w.vector(w.tensor(name+".bias", rows))
}

func (w *writer) norm(name string, n int) {
	w.vector(w.tensor(name+".weight", n))
	w.vector(w.tensor(name+".bias", n))
}

func (w *writer) vector(v []float32) {
	for _, x := range v {
		w.buf = binary.LittleEndian.AppendUint32(w.buf, math.Float32bits(x))
	}
}

func (w *writer) matrix(values []float32, cols int) {
	var scales []float32
	var rounded []byte
	for row := range slices.Chunk(values, cols) {
		q := quantise([][]float32{row})
		scales = append(scales, q.scales[0])
		for _, n := range q.vector(0) {
			rounded = append(rounded, byte(int8(n)))
		}
	}
	w.vector(scales)
	w.buf = append(w.buf, rounded...)
}
