package rank

import (
	"strings"

	"github.com/aurora-sidecar/aurora/engine/codebase"
)

// endings are what English puts behind a stem, the longest of a kind first. Two words with the same stem and endings of
// this list are taken for forms of one word.
var endings = strings.Fields(`ations ation ators ator ating ated ates ate ments ment ings ing ions ion able
	ers ors ies ied ed er or es e y s`)

// minStem is the least number of letters of a stem: shorter ones belong to too many words.
const minStem = 4

// wordForms returns other forms of a plain word that code may use: handle, handles, handled, handling, handler. Most of
// them are no words of any language; they cost a look into the dictionary each.
func wordForms(word string) []string {
	if len(word) < minStem || !IsPlainWord(word) {
		return nil
	}
	stem := stemOf(word)
	var forms []string
	add := func(form string) {
		if form != word && len(form) >= 3 {
			forms = append(forms, form)
		}
	}
	add(stem)
	for _, e := range endings {
		add(stem + e)
	}
	for _, form := range otherStem(stem, word) {
		add(form)
	}
	if last := stem[len(stem)-1]; strings.IndexByte("bdgklmnprtz", last) >= 0 && len(stem) <= 4 {
		for _, e := range []string{"ed", "ing", "er", "ers"} {
			add(stem + string(last) + e) // stop, stopped
		}
	}
	return forms
}

// changedStems are stems of verbs that change in their nouns, and the nouns: revoke, revocation.
var changedStems = [...][2]string{
	{"ok", "ocation"}, {"if", "ification"}, {"olv", "olution"}, {"ert", "ersion"}, {"end", "ension"}, {"and", "ansion"}, {"uc", "uction"},
	{"crib", "cription"}, {"um", "umption"},
}

// otherStem returns the nouns of a verb whose stem changes in them, or the verb's forms of such a noun.
func otherStem(stem, word string) []string {
	word = strings.TrimSuffix(word, "s")
	for _, pair := range changedStems {
		if root, ok := strings.CutSuffix(word, pair[1]); ok && len(root) > 1 {
			verb := root + pair[0]
			forms := []string{verb}
			for _, e := range [...]string{"e", "es", "ed", "ing", "er", "y", "ies", "ied", "ying", "s"} {
				forms = append(forms, verb+e)
			}
			return forms
		}
		if root, ok := strings.CutSuffix(stem, pair[0]); ok && len(root) > 1 {
			return []string{root + pair[1], root + pair[1] + "s"}
		}
	}
	return nil
}

// stemOf cuts the ending off a word.
func stemOf(word string) string {
	for _, e := range endings {
		stem, ok := strings.CutSuffix(word, e)
		if !ok || len(stem) < 3 || e == "s" && strings.HasSuffix(stem, "s") {
			continue
		}
		if n := len(stem); n > 3 && stem[n-1] == stem[n-2] && (e == "ing" || e == "ed" || e == "er" || e == "ers") && strings.IndexByte("ls", stem[n-1]) < 0 {
			stem = stem[:n-1]
		}
		return stem
	}
	return word
}

func IsPlainWord(word string) bool {
	for i := range len(word) {
		if word[i] < 'a' || word[i] > 'z' {
			return false
		}
	}
	return true
}

// shortForms are the short forms that programmers write for words, and the words behind them.
var shortForms = pairs(`
	config configuration
	auth authentication
	auth authorization
	db database
	init initialize
	msg message
	err error
	ctx context
	req request
	resp response
	param parameter
	params parameters
	arg argument
	args arguments
	env environment
	async asynchronous
	sync synchronize
	repo repository
	dir directory
	doc documentation
	func function
	fn function
	str string
	num number
	char character
	max maximum
	min minimum
	prev previous
	cmd command
	conn connection
	addr address
	buf buffer
	len length
	idx index
	val value
	var variable
	attr attribute
	attrs attributes
	elem element
	lib library
	impl implementation
	info information
	spec specification
	temp temporary
	util utility
	utils utilities
	mem memory
	alloc allocate
	fs filesystem
	ws websocket
	dns resolver
	ref reference
	refs references
	opt option
	opts options
	ext extension
	src source
	dest destination
	dst destination
	exec execute
	eval evaluate
	decl declaration
	def definition
	expr expression
	stmt statement
	iter iterator
	seq sequence
	ser serialize
	deser deserialize
	obj object
	int integer
	bool boolean
	sem semaphore
	proc process
	pkg package
	mod module
	deps dependencies
	dep dependency
	cert certificate
	creds credentials
	pwd password
	hdr header
	ver version
	perf performance
	calc calculate
	gen generate
	fmt format
	acc accumulator
	dict dictionary
	enc encode
	dec decode
	lex lexer
	regex regexp
	regexp regex
	tls ssl
	ctor constructor
	cb callback
`)

func pairs(list string) map[string][]string {
	m := map[string][]string{}
	for line := range strings.Lines(strings.TrimSpace(list)) {
		if a, b, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			m[a] = append(m[a], b)
			m[b] = append(m[b], a)
		}
	}
	return m
}

// shortPlurals are the short forms of a plural: of implementations impl and impls, of repositories repo and repos.
func shortPlurals(word string) []string {
	singular, ok := strings.CutSuffix(word, "s")
	if !ok || len(shortForms[word]) > 0 {
		return nil
	}
	if stem, ok := strings.CutSuffix(singular, "ie"); ok {
		singular = stem + "y"
	}
	var forms []string
	for _, short := range shortForms[singular] {
		if len(short) < len(singular) {
			forms = append(forms, short, short+"s")
		}
	}
	return forms
}

// SoftWords tell about code rather than name what is in it.
var SoftWords = codebase.WordSet(`implementation implementations implement implements implemented logic mechanism internals internal
	behavior behaviour work works working used using use uses handling handles handle handled function functions method methods class
	classes file files support supports different between across per via
	called call based way make makes made get gets does through out given process`)
