package syntax

import "bytes"

// The limits of nesting. Beyond them a text is data or an attack, and parsing it costs time that grows with depth
// times length or, in Markdown, the whole process.
const (
	// maxDepth bounds the nesting of brackets. People stay below 50 and generators below 300.
	maxDepth = 1000

	// maxChain bounds chains of calls, as a().b().c(), whose trees are as deep as the chain is long.
	maxChain = 1000

	// maxBlocks bounds the nesting of lists and quotations in Markdown. The grammar's scanner saves 4 bytes for each
	// open block into a buffer of 1,024 and does not look whether they fit.
	maxBlocks = 100
)

// deepBrackets reports whether more than maxDepth brackets are open somewhere in src, or more than maxChain calls
// hang on each other. It does not know strings and comments, which is why the limits have to be generous.
func deepBrackets(src []byte) bool {
	var chain [maxDepth + 1]uint16 // by depth, the links of the present chain
	depth := 0
	for i, b := range src {
		switch b {
		case '(', '[', '{':
			if depth++; depth > maxDepth {
				return true
			}
			chain[depth] = 0
		case ')', ']', '}':
			if depth > 0 {
				depth--
			}
			switch nextToken(src[i+1:]) {
			case '.', '?', '!', '(', '[', ':', '-': // .b, ?.b, !.b, (), [], ::b, ->b
				if chain[depth]++; chain[depth] > maxChain {
					return true
				}
			default:
				chain[depth] = 0
			}
		}
	}
	return false
}

// nextToken returns the first byte of src that is neither white space nor in a comment, or 0.
func nextToken(src []byte) byte {
	for i := 0; i < len(src); i++ {
		switch b := src[i]; {
		case b == ' ', b == '\n', b == '\t', b == '\r':
		case b == '#', bytes.HasPrefix(src[i:], lineComment):
			end := bytes.IndexByte(src[i:], '\n')
			if end < 0 {
				return 0
			}
			i += end
		case bytes.HasPrefix(src[i:], blockComment):
			end := bytes.Index(src[i+2:], blockCommentEnd)
			if end < 0 {
				return 0
			}
			i += end + 3
		default:
			return b
		}
	}
	return 0
}

var lineComment, blockComment, blockCommentEnd = []byte("//"), []byte("/*"), []byte("*/")

// deepBlocks reports whether Markdown lists and quotations in src may nest more than maxBlocks deep. A line opens at
// most one block for each marker it begins with, inside at most as many open ones as its indentation has room for.
func deepBlocks(src []byte) bool {
	open := 0
	for len(src) > 0 {
		markers, columns, rest := blockPrefix(src)
		if markers > 0 {
			if open = min(open, columns/2) + markers; open > maxBlocks {
				return true
			}
		}
		src = afterLine(rest)
	}
	return false
}

// blockPrefix counts the markers of lists and quotations at the start of a line, and the columns of white space and
// markers; rest is what follows them.
func blockPrefix(line []byte) (markers, columns int, rest []byte) {
	i, digits := 0, 0
	for ; i < len(line); i++ {
		next := byte('\n')
		if i+1 < len(line) {
			next = line[i+1]
		}
		blank := next == ' ' || next == '\t' || next == '\n' || next == '\r'
		columns++
		switch b := line[i]; {
		case b == ' ':
		case b == '\t':
			columns += 3
		case b == '>':
			markers++
		case blank && (b == '-' || b == '*' || b == '+' || digits > 0 && (b == '.' || b == ')')):
			markers++
		case '0' <= b && b <= '9':
			digits++
			continue
		default:
			return markers, columns, line[i:]
		}
		digits = 0
	}
	return markers, columns, line[i:]
}

// afterLine returns what follows the first line break of src.
func afterLine(src []byte) []byte {
	for i, b := range src {
		if b == '\n' || b == '\r' {
			return src[i+1:]
		}
	}
	return nil
}
