package text

// Distance counts the letters to insert, delete, replace or swap with their neighbour to get from a to b: the
// Damerau-Levenshtein distance in its optimal string alignment form. Once it is sure to be above limit, some number above
// limit is returned; a negative limit means none.
func Distance(a, b []rune, limit int) int {
	before, above, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i := range a {
		row[0] = i + 1
		least := row[0]
		for j := range b {
			change := 1
			if a[i] == b[j] {
				change = 0
			}
			row[j+1] = min(above[j+1]+1, row[j]+1, above[j]+change)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
			least = min(least, row[j+1])
		}
		if limit >= 0 && least > limit {
			return least
		}
		before, above, row = above, row, before
	}
	return above[len(b)]
}
