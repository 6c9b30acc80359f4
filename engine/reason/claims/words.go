package claims

import "strings"

// HasWord reports whether text has name as a whole word.
func HasWord(text, name string) bool {
	for from := 0; ; {
		at := strings.Index(text[from:], name)
		if at < 0 {
			return false
		}
		start, end := from+at, from+at+len(name)
		if (start == 0 || !isWord(text[start-1])) && (end == len(text) || !isWord(text[end])) {
			return true
		}
		from = start + 1
	}
}

func isWord(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80
}

// Words are the words of a text: letters, digits and underscores.
func Words(text string) []string { return word.FindAllString(text, -1) }

// NamesAsked are the names of code in a question, qualified ones as a whole.
func NamesAsked(question string) []string {
	var names []string
	for _, m := range backticked.FindAllStringSubmatch(question, -1) {
		if len(word.FindString(m[1])) > 1 {
			names = append(names, m[1])
		}
	}
	return append(names, bareName.FindAllString(backticked.ReplaceAllString(question, ""), -1)...)
}
