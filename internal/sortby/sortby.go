// Package sortby sorts as package slices does, with the same results.
//
// The functions of slices are compiled anew for every kind of element: 12 to 25 kB of code and tables for each, most of
// a megabyte for the lists of this program. These share what package sort has, and take up to twice the time, which is
// nothing for lists of hundreds. What is long, or is sorted while a search looks for the best, uses slices.
package sortby

import (
	"iter"
	"slices"
	"sort"
)

// Func sorts list by compare; what is equal comes in any order. See [slices.SortFunc].
func Func[E any](list []E, compare func(a, b E) int) {
	sort.Slice(list, func(i, j int) bool { return compare(list[i], list[j]) < 0 })
}

// Stable sorts list by compare; what is equal stays in its order. See [slices.SortStableFunc].
func Stable[E any](list []E, compare func(a, b E) int) {
	sort.SliceStable(list, func(i, j int) bool { return compare(list[i], list[j]) < 0 })
}

// Sorted returns what a sequence yields, sorted. See [slices.SortedFunc].
func Sorted[E any](seq iter.Seq[E], compare func(a, b E) int) []E {
	list := slices.Collect(seq)
	Func(list, compare)
	return list
}
