package main

import "strings"

// nearest returns the candidate that a person most likely meant by word, or "" when none is near: at most a third of
// its letters may be wrong, never all of them and never more than two.
func nearest(word string, candidates []string) string {
	best, bestDistance := "", 3
	for _, candidate := range candidates {
		d := distance(strings.ToLower(word), candidate)
		if d < bestDistance && d <= max(1, len(candidate)/3) && d < len(candidate) {
			best, bestDistance = candidate, d
		}
	}
	return best
}

// distance counts the letters to insert, delete, replace or swap with their neighbour to get from a to b (optimal
// string alignment).
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	before, last, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i := range x {
		row[0] = i + 1
		for j := range y {
			cost := 1
			if x[i] == y[j] {
				cost = 0
			}
			row[j+1] = min(last[j]+cost, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && x[i] == y[j-1] && x[i-1] == y[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(y)]
}
