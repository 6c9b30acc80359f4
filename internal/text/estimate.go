package text

import "unicode/utf8"

// EstimateTokens is the one count of a model's tokens used everywhere: four characters a token, rounded up.
func EstimateTokens(s string) int { return (utf8.RuneCountInString(s) + 3) / 4 }
