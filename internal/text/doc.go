// Package text holds what every layer needs to know of text: code-aware tokens, positions in UTF-8 and UTF-16,
// and line indexes. It never reads files and knows no feature.
package text
