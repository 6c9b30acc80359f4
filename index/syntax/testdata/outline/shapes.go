//go:build ignore

// Package shapes is not a doc of anything below.
package shapes

import (
	"fmt"
	str "strings"
	. "math"
	_ "embed"
)

// Pi is a constant.
const Pi = 3

// Shape has an area.
type Shape interface {
	Area() float64
}

type (
	// Square is one.
	Square struct{ side float64 }
	ID     = int
)

// List is generic.
type List[T any] struct {
	items []T
}

/* Area is
   in a block comment. */
func (s *Square) Area() float64 { return Pow(s.side, 2) }

func (l *List[T]) Add(item T) {
	l.items = append(l.items, item)
	defer func() { go l.log(str.ToUpper("x")) }()
}

func (l List[T]) log(s string) { fmt.Println(Map[int, string](l, s)) }

var x = 1 // trailing, belongs to x
func Map[A, B any](a List[A],
	b string) B {
	inner := func() {}
	inner()
	panic("no")
}

// detached

//go:noinline
func external(int) int
