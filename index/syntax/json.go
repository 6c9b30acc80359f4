package syntax

import (
	"bytes"
	"encoding/json"
	"strings"
)

// readJSON outlines JSON without a grammar. A key of the outermost object that holds an object or an array is a block,
// and a key one level below that holds an object is a block inside it. The other keys of these objects and of those below
// them, but not of arrays, are symbols. Comments and commas before a closing bracket,
// which many tools allow, do no harm. Of broken JSON the outline has what begins before the fault.
func readJSON(src []byte, _ embeddedParser) (*Outline, error) {
	if len(src) > maxSource {
		return nil, ErrTooLarge
	}
	r := newJSONReader(src)
	for r.dec.More() && !r.failed {
		if r.next() == json.Delim('{') {
			r.blocks(-1)
		}
	}
	return &Outline{Definitions: r.definitions, Symbols: r.symbols, HasError: r.failed}, nil
}

// A jsonReader goes through the tokens of a JSON text and knows where they stand. After the first fault every token is
// nil.
type jsonReader struct {
	src         []byte
	dec         *json.Decoder
	start, end  int // of the last token
	failed      bool
	definitions []Definition
	symbols     []Symbol
}

func newJSONReader(src []byte) *jsonReader {
	return &jsonReader{src: src, dec: json.NewDecoder(bytes.NewReader(strictJSON(src)))}
}

func (r *jsonReader) next() json.Token {
	if r.failed {
		return nil
	}
	from := int(r.dec.InputOffset())
	token, err := r.dec.Token()
	if err != nil {
		r.failed = true
		r.end = len(r.src)
		return nil
	}
	r.end = int(r.dec.InputOffset())
	r.start = r.end - 1
	if _, isString := token.(string); isString {
		r.start = from + bytes.IndexByte(r.src[from:r.end], '"')
	}
	return token
}

// more reports whether the present object or array has another element.
func (r *jsonReader) more() bool { return !r.failed && r.dec.More() }

// blocks reads the members of an object whose bracket was read, with its closing bracket, and makes blocks of them.
func (r *jsonReader) blocks(parent int) {
	for r.more() {
		name, _ := r.next().(string)
		key := Span{r.start, r.end}
		value := r.next()
		switch {
		case value == json.Delim('{') && (parent < 0 || r.definitions[parent].Parent < 0):
			r.block(parent, name, key)
		case value == json.Delim('[') && parent < 0:
			i := r.open(parent, name, key)
			r.skip(value)
			r.definitions[i].Span.End = r.end
		default:
			r.symbol(parent, name, key, value)
		}
	}
	r.next()
}

// symbol reads the rest of a value whose first token was read, and makes symbols of its key and of the keys of an object.
func (r *jsonReader) symbol(parent int, name string, key Span, value json.Token) {
	symbol := Symbol{Kind: Key, Name: name, Span: key, NameSpan: Span{key.Start + 1, key.End - 1}}
	if parent >= 0 {
		symbol.Container = strings.Trim(r.definitions[parent].Container+"."+r.definitions[parent].Name, ".")
	}
	at := len(r.symbols)
	plain := name == string(r.src[symbol.NameSpan.Start:symbol.NameSpan.End]) // without escapes
	if plain && name != "" && len(name) <= maxSymbolName && at < maxKeys {
		r.symbols = append(r.symbols, symbol)
	}
	if value == json.Delim('{') {
		for r.more() {
			name, _ := r.next().(string)
			key := Span{r.start, r.end}
			r.symbol(parent, name, key, r.next())
		}
		r.next()
	} else {
		r.skip(value)
	}
	if at < len(r.symbols) {
		r.symbols[at].Span.End = r.end
	}
}

// block makes a block of an object whose bracket was read, and one level of blocks inside it.
func (r *jsonReader) block(parent int, name string, key Span) {
	i := r.open(parent, name, key)
	r.blocks(i)
	r.definitions[i].Span.End = r.end
}

// open begins a block at its key and returns its index.
func (r *jsonReader) open(parent int, name string, key Span) int {
	d := Definition{Kind: Block, Name: name, Parent: parent, Span: key, NameSpan: Span{key.Start + 1, key.End - 1}, Signature: key}
	if parent >= 0 {
		d.Container = r.definitions[parent].Name
	}
	r.definitions = append(r.definitions, d)
	return len(r.definitions) - 1
}

// skip reads the rest of a value whose first token was read.
func (r *jsonReader) skip(value json.Token) {
	depth := 0
	for {
		switch value {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth <= 0 || r.failed {
			return
		}
		value = r.next()
	}
}

// strictJSON returns a copy of src in which comments and commas before a closing bracket are white space, so that
// every offset stays.
func strictJSON(src []byte) []byte {
	out := bytes.Clone(src)
	comma := -1 // a comma that nothing but white space follows so far
	for i := 0; i < len(out); i++ {
		switch b := out[i]; {
		case b == '"':
			i, comma = stringEnd(out, i), -1
		case b == '/' && i+1 < len(out) && (out[i+1] == '/' || out[i+1] == '*'):
			end := commentEnd(out, i)
			blank(out[i:end])
			i = end - 1
		case b == ',':
			comma = i
		case b == '}' || b == ']':
			if comma >= 0 {
				out[comma] = ' '
			}
			comma = -1
		case b != ' ' && b != '\t' && b != '\n' && b != '\r':
			comma = -1
		}
	}
	return out
}

// stringEnd returns the offset of the quote that closes the string which opens at i, or of the last byte.
func stringEnd(src []byte, i int) int {
	for i++; i < len(src) && src[i] != '"'; i++ {
		if src[i] == '\\' {
			i++
		}
	}
	return min(i, len(src)-1)
}

// commentEnd returns where the comment that opens at i ends.
func commentEnd(src []byte, i int) int {
	mark, extra := newline, 0
	if src[i+1] == '*' {
		mark, extra = blockCommentEnd, len(blockCommentEnd)
	}
	end := bytes.Index(src[i+2:], mark)
	if end < 0 {
		return len(src)
	}
	return i + 2 + end + extra
}

// blank overwrites everything but line breaks.
func blank(b []byte) {
	for i := range b {
		if b[i] != '\n' && b[i] != '\r' {
			b[i] = ' '
		}
	}
}
