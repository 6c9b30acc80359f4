package display

import "strings"

// diffContext is how many unchanged lines stand around a change.
const diffContext = 2

// Diff shows how before becomes after: unchanged lines begin with two blanks, others with "- " or "+ ". Everything
// between the first and the last difference counts as changed, which is exact for one edit.
func Diff(before, after string) string {
	old, fresh := splitLines(before), splitLines(after)
	head := 0
	for head < len(old) && head < len(fresh) && old[head] == fresh[head] {
		head++
	}
	tail := 0
	for tail < len(old)-head && tail < len(fresh)-head && old[len(old)-1-tail] == fresh[len(fresh)-1-tail] {
		tail++
	}
	var b strings.Builder
	write := func(mark string, lines []string) {
		for _, line := range lines {
			b.WriteString(mark + line + "\n")
		}
	}
	write("  ", old[max(0, head-diffContext):head])
	write("- ", old[head:len(old)-tail])
	write("+ ", fresh[head:len(fresh)-tail])
	write("  ", old[len(old)-tail:min(len(old), len(old)-tail+diffContext)])
	return b.String()
}

// splitLines returns the lines of s without their terminators.
func splitLines(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}
