package syntax

import (
	"bytes"
	"strings"

	sitter "github.com/smacker/go-tree-sitter"
)

// A TokenKind is what a stretch of source is to the eye.
type TokenKind uint8

// The kinds of tokens that stand out.
const (
	Keyword TokenKind = iota + 1
	Comment
	String
	Number
	TypeName
)

// A Token is a stretch of source with its kind.
type Token struct {
	Span
	Kind TokenKind
}

// maxHighlighted bounds the text whose tokens are told, in bytes: what is shown to people is short.
const maxHighlighted = 64 << 10

// phpOpening is what PHP's grammar needs before it takes a text for code.
const phpOpening = "<?php "

// Tokens returns what stands out in src, which may be a part of a file, in the order of the text and without overlaps.
// A text that can't be parsed, or whose language has no grammar, has none.
func Tokens(lang *Language, src []byte) []Token {
	if lang == nil || lang.grammar == nil || len(src) > maxHighlighted {
		return nil
	}
	before := 0
	if lang.Name == "php" && !bytes.Contains(src, []byte("<?")) {
		before, src = len(phpOpening), append([]byte(phpOpening), src...)
	}
	tree, err := lang.parse(nil, src)
	if err != nil {
		return nil
	}
	defer closeTree(tree)
	var tokens []Token
	cursor := sitter.NewTreeCursor(tree.RootNode())
	defer cursor.Close()
	for {
		node := cursor.CurrentNode()
		kind := tokenKind(node, src)
		if start, end := int(node.StartByte())-before, int(node.EndByte())-before; kind != 0 && start >= 0 && start < end {
			tokens = append(tokens, Token{Span{start, end}, kind})
		}
		if kind == 0 && cursor.GoToFirstChild() {
			continue
		}
		for !cursor.GoToNextSibling() {
			if !cursor.GoToParent() {
				return tokens
			}
		}
	}
}

// tokenKind tells the kind of a node by its name, which grammars choose alike, 0 when its children have to tell.
func tokenKind(node *sitter.Node, src []byte) TokenKind {
	name, leaf := node.Type(), node.ChildCount() == 0
	if !node.IsNamed() {
		if isWord(name) {
			return Keyword
		}
		return 0
	}
	has := func(parts ...string) bool {
		for _, part := range parts {
			if strings.Contains(name, part) {
				return true
			}
		}
		return false
	}
	switch {
	case has("comment", "groovy_doc"):
		return Comment
	case has("heredoc_body", "char_literal", "rune_literal", "attribute_value"), has("string") && !has("interpolation", "scalar"):
		return String
	case has("quote_scalar"):
		return String
	case has("_heading"):
		return Keyword
	case name == "type_identifier", has("primitive_type", "predefined_type", "builtin_type"):
		return TypeName
	case !leaf:
		return 0
	case name == "character":
		return String
	case strings.HasPrefix(name, "keyword_"):
		return Keyword
	case has("number", "integer", "float", "int_literal", "numeric"):
		return Number
	case isWord(name) && strings.EqualFold(name, node.Content(src)): // true, nil, self
		return Keyword
	}
	return 0
}

// isWord reports whether s is a word of two letters and more, as keywords are: return, #include, @media.
func isWord(s string) bool {
	s = strings.TrimLeft(s, "#@")
	return len(s) > 1 && strings.IndexFunc(s, func(r rune) bool { return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && r != '_' }) < 0
}
