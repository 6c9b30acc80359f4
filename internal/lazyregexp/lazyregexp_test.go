package lazyregexp_test

import (
	"testing"

	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

func TestWrongExpressionsFailInTests(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a wrong expression was not noticed before its use")
		}
	}()
	lazyregexp.New("(")
}

func TestUsedByMany(t *testing.T) {
	r := lazyregexp.New(`^(\w+)-(\d+)$`)
	done := make(chan []string)
	for range 8 {
		go func() { done <- r.FindStringSubmatch("cart-42") }()
	}
	for range 8 {
		if m := <-done; len(m) != 3 || m[2] != "42" {
			t.Errorf("%q", m)
		}
	}
}
