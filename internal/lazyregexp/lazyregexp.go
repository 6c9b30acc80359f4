package lazyregexp

import (
	"os"
	"regexp"
	"strings"
	"sync"
)

// A Regexp is a [regexp.Regexp] that compiles itself. Its methods are those of the same name; a wrong expression panics
// in the first of them.
type Regexp struct {
	text     string
	once     sync.Once
	compiled *regexp.Regexp
}

// inTest is set in the binary of a test, which finds wrong expressions before anybody uses them.
var inTest = len(os.Args) > 0 && strings.HasSuffix(strings.TrimSuffix(os.Args[0], ".exe"), ".test")

// New returns the expression, for a variable of a package.
func New(text string) *Regexp {
	r := &Regexp{text: text}
	if inTest {
		r.re()
	}
	return r
}

// Lazy returns the expression without trying it in tests, for one of many that come from a file.
func Lazy(text string) *Regexp { return &Regexp{text: text} }

func (r *Regexp) re() *regexp.Regexp {
	r.once.Do(func() { r.compiled = regexp.MustCompile(r.text) })
	return r.compiled
}

func (r *Regexp) FindAllString(s string, n int) []string { return r.re().FindAllString(s, n) }

func (r *Regexp) FindAllStringIndex(s string, n int) [][]int { return r.re().FindAllStringIndex(s, n) }

func (r *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	return r.re().FindAllStringSubmatch(s, n)
}

func (r *Regexp) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return r.re().FindAllStringSubmatchIndex(s, n)
}

func (r *Regexp) FindAllSubmatch(b []byte, n int) [][][]byte { return r.re().FindAllSubmatch(b, n) }
func (r *Regexp) FindAllSubmatchIndex(b []byte, n int) [][]int {
	return r.re().FindAllSubmatchIndex(b, n)
}

func (r *Regexp) FindSubmatchIndex(b []byte) []int { return r.re().FindSubmatchIndex(b) }

func (r *Regexp) FindString(s string) string { return r.re().FindString(s) }

func (r *Regexp) FindStringIndex(s string) []int { return r.re().FindStringIndex(s) }

func (r *Regexp) FindStringSubmatch(s string) []string { return r.re().FindStringSubmatch(s) }

func (r *Regexp) FindStringSubmatchIndex(s string) []int { return r.re().FindStringSubmatchIndex(s) }

func (r *Regexp) Match(b []byte) bool { return r.re().Match(b) }

func (r *Regexp) MatchString(s string) bool { return r.re().MatchString(s) }

func (r *Regexp) ReplaceAllString(src, repl string) string { return r.re().ReplaceAllString(src, repl) }

func (r *Regexp) ReplaceAllStringFunc(src string, repl func(string) string) string {
	return r.re().ReplaceAllStringFunc(src, repl)
}

func (r *Regexp) SubexpNames() []string { return r.re().SubexpNames() }
