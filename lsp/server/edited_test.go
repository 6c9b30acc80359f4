package server

import (
	"slices"
	"testing"

	"github.com/aurora-sidecar/aurora/index"
)

func TestEditedPlacesMoveAlong(t *testing.T) {
	var e edited
	e.note("a", []index.Edit{{Start: 10, OldEnd: 10, New: []byte("xyz")}})
	e.note("a", []index.Edit{{Start: 5, OldEnd: 5, New: []byte("1234")}}) // before: the first place moves
	e.note("a", []index.Edit{{Start: 90, OldEnd: 91}})                    // behind: it stays
	if got := e.take("a"); !slices.Equal(got, []int{14, 5, 90}) {
		t.Errorf("places %v", got)
	}
	if got := e.take("a"); len(got) != 0 {
		t.Errorf("taken twice: %v", got)
	}
	e.note("a", []index.Edit{{Start: 10, OldEnd: 10, New: []byte("x")}, {Start: 8, OldEnd: 20}}) // the first is deleted
	if got := e.take("a"); !slices.Equal(got, []int{8}) {
		t.Errorf("places %v", got)
	}
	for i := range 1000 {
		e.note("b", []index.Edit{{Start: i * 10, OldEnd: i * 10, New: []byte("x")}})
	}
	if got := e.take("b"); len(got) != maxEdited {
		t.Errorf("%d places", len(got))
	}
	e.note("c", nil)
	if got := e.take("c"); len(got) != 0 {
		t.Errorf("places %v", got)
	}
}
