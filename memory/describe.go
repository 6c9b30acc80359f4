package memory

import (
	"cmp"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/text"
)

// maxKeywords is how many keywords describe a record.
const maxKeywords = 7

// describe fills in the semantic tags that nobody gave: keywords, domain and role.
func describe(r *Record) {
	if len(r.Keywords) == 0 {
		r.Keywords = Keywords(r.Title+"\n"+r.Content, maxKeywords)
	}
	r.Keywords = r.Keywords[:min(len(r.Keywords), maxKeywords)]
	if r.Domain == "" {
		r.Domain = domainOf(append(text.Tokenize(strings.Join(r.Tags, " ")), text.Tokenize(r.Title+" "+r.Content)...))
	}
	if r.SemanticRole == "" {
		r.SemanticRole = role(r)
	}
}

// Keywords returns the at most n terms that s names most often, lower-cased, without words that every text has; of equals
// the earlier one.
func Keywords(s string, n int) []string {
	counts, first := map[string]int{}, map[string]int{}
	for i, word := range strings.FieldsFunc(strings.ToLower(s), isNoLetter) {
		if len(word) < 3 || stopWords[word] {
			continue
		}
		if counts[word]++; counts[word] == 1 {
			first[word] = i
		}
	}
	words := make([]string, 0, len(counts))
	for word := range counts {
		words = append(words, word)
	}
	slices.SortFunc(words, func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(first[a], first[b]))
	})
	return words[:min(len(words), n)]
}

func isNoLetter(r rune) bool {
	return (r < 'a' || 'z' < r) && (r < '0' || '9' < r) && r != '_' && r < 0x80
}

var stopWords = setOf(`the and for are but not you all any can had has have her was one our out his how its may new now
	old see two who did get him let put say she too use that this with from they will would there their what when where
	which while why been were your into than then them these those over such only also just more most some very because
	after before about between during each every other same own here should could must does done being`)

// domains are told by their words, in the order in which they win.
var domains = []struct {
	name  string
	words map[string]bool
}{
	{"security", setOf(`security secure auth authentication authorization oauth oauth2 login password secret token jwt
		encrypt encryption tls csrf xss vulnerability credential credentials permission permissions`)},
	{"performance", setOf(`performance latency slow fast cache caching throughput benchmark memory profile optimize p95 speed`)},
	{"data", setOf(`database sql sqlite schema migration query table index transaction postgres storage`)},
	{"testing", setOf(`test tests testing fixture mock coverage flaky assertion`)},
	{"reliability", setOf(`retry retries backoff timeout crash failure recover recovery error errors outage`)},
	{"operations", setOf(`deploy deployment release docker kubernetes ci pipeline monitoring config configuration`)},
	{"interface", setOf(`ui api endpoint http rest editor hover command protocol request response`)},
	{"architecture", setOf(`architecture design module package layer interface boundary dependency refactor component`)},
}

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(words) {
		set[word] = true
	}
	return set
}

// domainOf returns the domain that most of the words belong to, "general" when none does.
func domainOf(words []string) string {
	best, most := "general", 0
	for _, domain := range domains {
		n := 0
		for _, word := range words {
			if domain.words[word] {
				n++
			}
		}
		if n > most {
			best, most = domain.name, n
		}
	}
	return best
}

// role names what a record is for by its subject and type, such as oauth-decomposition-pattern.
func role(r *Record) string {
	subject := r.Domain
	if len(r.Keywords) > 0 {
		subject = r.Keywords[0]
	}
	if r.Type == Reasoning {
		return subject + "-decomposition-pattern"
	}
	return subject + "-knowledge"
}
