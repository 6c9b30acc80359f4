package syntax

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	sitter "github.com/smacker/go-tree-sitter"
)

// The reasons why a text has no outline. The caller treats the text as plain text.
var (
	ErrBudget   = errors.New("parsing took longer than its budget")
	ErrTooDeep  = errors.New("text is nested too deeply")
	ErrTooLarge = errors.New("text is too large to parse")
	ErrClosed   = errors.New("document is closed")
)

// maxSource bounds the text by what a tree costs: about 17 bytes of C memory for each byte of source.
const maxSource = 64 << 20

// budget is the time that parsing a text of n bytes may take. It is generous, some fifty times the usual: the limit
// runs by the clock, and a machine that is busy with a build must not lose files; yet a text on which error recovery
// explodes ends.
func budget(n int) time.Duration {
	return 10*time.Second + time.Duration(n>>20)*4*time.Second
}

// budget is the time that parsing a text of n bytes in l may take.
func (l *Language) budget(n int) time.Duration {
	if l.patience > 0 {
		return l.patience
	}
	return budget(n)
}

// live counts the trees that are not closed.
var live atomic.Int64

// Live returns how many syntax trees exist at the moment. Trees are C memory that no garbage collector frees, so
// tests assert that nothing is left.
func Live() int64 { return live.Load() }

// Parse returns the outline of src. Its errors are ErrBudget, ErrTooDeep and ErrTooLarge.
func Parse(lang *Language, src []byte) (*Outline, error) {
	if lang.read != nil {
		return lang.read(src, parseEmbedded)
	}
	rules, err := lang.compiled()
	if err != nil {
		return nil, err
	}
	tree, _, err := lang.parseWhole(src)
	if err != nil {
		return nil, fmt.Errorf("parse %s: %w", lang.Name, err)
	}
	defer closeTree(tree)
	out, err := rules.outline(tree, src, nil)
	if err != nil {
		return nil, fmt.Errorf("outline %s: %w", lang.Name, err)
	}
	return lang.regain(tree, out, src), nil
}

// parseWhole makes a tree of src, of what Language.whole makes of it, or of what Language.mend does when that has no more errors; mended is
// true when it is of another text. The caller closes the tree.
func (l *Language) parseWhole(src []byte) (tree *sitter.Tree, mended bool, err error) {
	if text, other := l.wholly(src); other {
		tree, err = l.parse(nil, text)
		return tree, true, err
	}
	tree, err = l.parse(nil, src)
	if err != nil || l.mend == nil || !tree.RootNode().HasError() {
		return tree, false, err
	}
	text := l.mend(src)
	if bytes.Equal(text, src) {
		return tree, false, nil
	}
	other, err := l.parse(nil, text)
	if err != nil {
		return tree, false, nil // the first one will do
	}
	if brokenBytes(other.RootNode()) > brokenBytes(tree.RootNode()) {
		closeTree(other)
		return tree, false, nil
	}
	closeTree(tree)
	return other, true, nil
}

// wholly is what is parsed in place of a text by Language.whole, and whether that is another one.
func (l *Language) wholly(src []byte) (text []byte, other bool) {
	if l.whole == nil || len(src) > maxSource {
		return src, false
	}
	text = l.whole(src, func(part []byte) bool {
		tree, err := l.parse(nil, part)
		if err != nil {
			return false
		}
		defer closeTree(tree)
		return !tree.RootNode().HasError()
	})
	return text, !bytes.Equal(text, src)
}

// parse makes a tree of src, reusing what old (edited to fit src, or nil) has in common with it. The caller closes
// the tree.
func (l *Language) parse(old *sitter.Tree, src []byte) (*sitter.Tree, error) {
	if len(src) > maxSource {
		return nil, ErrTooLarge
	}
	if deepBrackets(src) || l.tooDeep != nil && l.tooDeep(src) {
		return nil, ErrTooDeep
	}
	if l.spare != nil {
		src = l.spare(src)
	}
	parser := l.parsers.get(l.grammar)
	defer l.parsers.put(parser)

	if l.global != "" {
		l.parsing.Lock()
		defer l.parsing.Unlock()
		if first, err := parser.ParseCtx(context.Background(), nil, []byte(l.global)); err == nil {
			first.Close()
		}
	}
	// A cancellable context would leave the parser in a state in which it resumes the cancelled text, or refuses
	// the next one. The operation limit with a Reset after it does neither.
	parser.SetOperationLimit(int(l.budget(len(src)).Microseconds()))
	tree, err := parser.ParseCtx(context.Background(), old, src)
	if err != nil {
		parser.Reset()
		if errors.Is(err, sitter.ErrOperationLimit) {
			err = ErrBudget
		}
		return nil, err
	}
	live.Add(1)
	return tree, nil
}

func closeTree(tree *sitter.Tree) {
	tree.Close()
	live.Add(-1)
}

// copyTree returns a second handle on the same tree, which costs nothing. The caller closes it.
func copyTree(tree *sitter.Tree) *sitter.Tree {
	live.Add(1)
	return tree.Copy()
}

// A parserPool keeps idle parsers of one language. One parser serves one goroutine at a time.
type parserPool struct {
	mu   sync.Mutex
	idle []*sitter.Parser
}

// maxIdle bounds how many parsers of one language wait for work.
const maxIdle = 8

func (p *parserPool) get(grammar func() *sitter.Language) *sitter.Parser {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.idle); n > 0 {
		parser := p.idle[n-1]
		p.idle = p.idle[:n-1]
		return parser
	}
	parser := sitter.NewParser()
	parser.SetLanguage(grammar())
	return parser
}

// put gives a parser back. One that the pool has no room for is freed with the last tree it made: the binding keeps
// a parser alive through its trees and deletes it in a finalizer.
func (p *parserPool) put(parser *sitter.Parser) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.idle) < maxIdle {
		p.idle = append(p.idle, parser)
	}
}
