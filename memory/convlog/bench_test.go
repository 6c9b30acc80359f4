package convlog

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkWrite measures what a question pays for being written down: about 15 kB, as answers with a model take.
func BenchmarkWrite(b *testing.B) {
	book := newBook(b, noon)
	text := strings.Repeat("Retries are bounded because the gateway locks an account after six attempts. ", 20)
	n := 0
	for b.Loop() {
		e := Entry{ID: "aurora-20251213-143215-abc123", At: noon, Query: fmt.Sprintf("why are retries of gateway%d bounded", n)}
		for phase := range 9 {
			e.Phases = append(e.Phases, Phase{Name: "assess", Title: fmt.Sprintf("Phase %d: X", phase+1), Blocks: []Block{{Value: map[string]string{"a": text}}}})
		}
		if _, err := book.Write(e); err != nil {
			b.Fatal(err)
		}
		n++
	}
}
