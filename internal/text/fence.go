package text

import "strings"

// Fence is a Markdown code fence that nothing in s can end: it is longer than any row of backticks there.
func Fence(s string) string { return strings.Repeat("`", max(3, LongestTicks(s)+1)) }

// LongestTicks is the length of the longest row of backticks in s.
func LongestTicks(s string) int {
	longest, row := 0, 0
	for i := range len(s) {
		if s[i] != '`' {
			row = 0
			continue
		}
		row++
		longest = max(longest, row)
	}
	return longest
}
