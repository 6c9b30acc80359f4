package graph

// CoChangeConfidence is how sure it is that two files belong together which together commits touched both, of commits
// that touched the one asked about: the share, drawn towards zero while there are few commits by counting two more that
// touched only one of them. 2 of 2 is 0.5, 20 of 20 is 0.91.
func CoChangeConfidence(together, commits int) float64 {
	return float64(together) / float64(max(commits, together)+2)
}
