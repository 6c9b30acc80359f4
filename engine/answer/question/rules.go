package question

import (
	"sync"

	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// A rule recognises an intent. Groups named other and verb become parts of the question; the last of the remaining
// groups is the subject.
type rule struct {
	intent  Intent
	fact    Fact // of Facts
	pattern *lazyregexp.Regexp
}

func newFact(fact Fact, pattern string) rule {
	r := newRule(Facts, pattern)
	r.fact = fact
	return r
}

func newRule(intent Intent, pattern string) rule {
	return rule{intent, "", lazyregexp.New(`(?is)^(?:please\s+)?(?:can you\s+)?(?:tell me\s+)?` + pattern + `\s*$`)}
}

// Parts of patterns.
const (
	// listed are the things that can be listed; which ones is read from the question again.
	listed = `(?:functions?|methods?|classes|class|types?|structs?|interfaces?|sections?|symbols?|definitions?|everything|things?|code)(?:\s+and\s+\w+)?`
	// asksFor begins a request for a list.
	asksFor = `(?:(?:list|show|find|enumerate|give|what\s+are|which\s+are)\s+)?(?:me\s+)?(?:(?:all|every|each)\s+)?(?:of\s+)?(?:the\s+)?(?:(?:what|which)\s+)?`
	// route is a route of HTTP, whose method is left out.
	route = `(?:the\s+)?(?:(?:route|endpoint|path|requests?\s+(?:to|for)|(?:get|post|put|patch|delete|head|options))\s+)*(/\S+)`
	// nameFits says how names are to look.
	nameFits = `(?:(?:that|which|whose\s+names?|with\s+(?:a\s+)?names?(?:\s+that)?|named\s+like)\s+)?(?:names?\s+)?` +
		`(?P<verb>starts?|starting|begins?|beginning|ends?|ending|contains?|containing|match(?:es|ing)?|includes?|has|have|having)\s+(?:with\s+|in\s+)?(.+?)` +
		`(?:\s+in\s+(?:their|its|the)\s+names?)?`
	// members are what a type declares besides its methods.
	members = `(?:enum(?:eration)?\s+)?(?:fields|attributes|properties|members|variants|cases|values|constants)`
	thing1  = `(?:\S+)` // one word
	// decided is that people made up their minds, with the word before what it was about.
	decided = `(?:decided?|agreed?|concluded?|settled?)(?:\s+(?:up)?on|\s+about|\s+for|\s+against|\s+regarding|\s+whether|\s+how|\s+to\s+do\s+(?:about|with)|\s+to)?`
	// opted is the same of one thing.
	opted = `(?:choose|chose|chosen|pick(?:ed)?|prefer(?:red)?|reject(?:ed)?|drop(?:ped)?|avoid(?:ed)?|go(?:ne)?\s+(?:with|for)|went\s+(?:with|for)|opt(?:ed)?\s+for|switch(?:ed)?\s+to|` + decided + `)`
	// project is the whole workspace.
	project = `(?:this|the|our)\s+(?:project|repo|repository|code\s?base|program|library|workspace)`
	// whole is the project or a word for it.
	whole = `(?:it|this|` + project + `)`
	// ofWhole may follow what is asked of the project.
	ofWhole = `(?:\s+(?:of|for|in|by|does|do|is|under|on|to|from)?\s*(?:it|this|we|` + project + `)(?:\s+(?:have|has|use|uses|need|needs|require|requires|support|supports|under|released\s+under|licensed\s+under|on|run\s+on))?)?`
	// language is what a project may need a version of.
	language = `(?:python|go|golang|rust|node(?:\.?js)?|ruby|java|php|typescript|cmake|npm|\.net|swift|kotlin|perl)`
	// chore is what people do with a project as a whole.
	chore = `(build|compile|install|run|start|use|test|contribute|release|deploy|develop|set\s?up|lint|format|debug|benchmark|upgrade)`
	// toChore is what a chore is done to.
	toChore = `(?P<other>it|this|to\s+it|to\s+` + project + `|` + project + `|(?:all\s+)?(?:the\s+|a\s+)?(?:unit\s+|integration\s+)?(?:tests?|test\s*suite|benchmarks?|docs|documentation|linters?)|(?:a|the|my)\s+(?:dev(?:elopment)?\s+)?environment|locally)`
	// decision is what is left of it.
	decision = `(?:decisions?|adrs?|agreements?|rationales?)`
)

// rules are tried in order: what is more special comes first. Commands that ask nothing must not wait for them.
var rules = sync.OnceValue(func() []rule {
	return []rule{
		newRule(Overview, `what(?:'s|\s+is)\s+`+project+`(?:\s+(?:all\s+)?(?:about|for))?`),
		newRule(Overview, `what\s+(?:does|can)\s+`+project+`\s+do`),
		newRule(Overview, `(?:(?:describe|explain|summari[sz]e|introduce)(?:\s+me)?(?:\s+to)?|about|how\s+does|(?:give\s+me\s+)?(?:an?\s+)?(?:overview|summary|outline)\s+of)\s+`+project+`(?:\s+(?:work|to\s+me))?`),

		newFact(License, `(?:what|which)(?:'s|\s+is|\s+are)?\s+(?:the\s+|its\s+)?licen[cs]e(?:\s+(?:of|for|does|is)\b.*)?`),
		newFact(License, `(?:how|under\s+(?:what|which)\s+(?:licen[cs]e|terms))\s+is\s+(?:it|this|`+project+`|\S+)\s+(?:licensed|released|distributed|published)`),
		newFact(License, `is\s+`+whole+`\s+(?:open[\s-]source|free(?:\s+software)?)`),
		newFact(Needs, `(?:what|which)\s+(?:(?:minimum|oldest|lowest|supported)\s+)*(?:versions?\s+of\s+`+language+`|`+language+`\s+versions?)\b.*`),
		newFact(Needs, `(?:what(?:'s|\s+is|\s+are)\s+)?(?:the\s+)?(?:(?:minimum|minimal|oldest|lowest|required|supported)\s+)+`+language+`\s+versions?`+ofWhole),
		newFact(Version, `what(?:'s|\s+is)\s+(?:the\s+)?(?:current\s+|latest\s+)?version(?:\s+number)?`+ofWhole),
		newFact(Version, `(?:which|what)\s+version\s+(?:is|of)\s+`+whole+`(?:\s+is\s+this)?`),
		newFact(Version, `where\s+is\s+(?:the|its)\s+version(?:\s+number)?(?:\s+(?:defined|set|kept|stored|found))?`+ofWhole),
		newFact(Dependencies, `(?:what|which|list|show)\s+(?:me\s+)?(?:are\s+)?(?:all\s+)?(?:the\s+|its\s+)?(?:(?:external|third[\s-]party|runtime|direct)\s+)*(?:dependencies|requirements)`+ofWhole),
		newFact(Dependencies, `(?:what|which\s+(?:other\s+)?(?:libraries|packages|modules))\s+(?:does|do)\s+(?:it|this|we|`+project+`)\s+(?:depend\s+on|use|need|require)`),
		newFact(Chore, `how\s+(?:do|can|should|would|must|to|does)\s+(?:(?:i|we|you|one|someone)\s+)?(?:to\s+)?`+chore+`\s+`+toChore+`(?:\s+(?:from\s+source|locally|myself|on\s+\S+))?`),
		newFact(Chore, `how\s+(?:do|can|should)\s+(?:i|we|you|one)\s+(contribute)`),
		newFact(Chore, `(?:how|where)\s+(?:do|can|should|to)\s+(?:(?:i|we|you|one)\s+)?(report)\s+(?:a\s+|any\s+)?(?:security\s+)?(?:vulnerabilit(?:y|ies)|bugs?|issues?|problems?)`),
		newFact(Chore, `how\s+(?:is|are|to\s+get)\s+(?P<other>it|this|`+project+`|(?:the\s+)?(?:unit\s+)?tests)\s+(built|run|tested|installed|started|released|deployed)`),

		newRule(Deprecated, `(?:is|are|was)\s+(?:the\s+)?(\S+)\s+(?:now\s+|already\s+)?deprecated`),

		newRule(Decisions, `(?:remind\s+me\s+)?(?:of\s+)?what\s+(?:(?:did|have|had|has|was|were)\s+)?(?:we|they|the\s+team|been)?\s*(?:been\s+)?`+decided+`\s+(.+)`),
		newRule(Decisions, `what\s+did\s+(?:we|they|the\s+team)\s+say\s+about\s+(.+)`),
		newRule(Decisions, `(?:remind\s+me\s+)?why\s+(?:(?:did|have|had|are|were)\s+)?(?:we|they|the\s+team)\s+`+opted+`\s+(.+)`),
		newRule(Decisions, `why\s+(?:was|were|is|are|has|have)\s+(.+?)\s+(?:been\s+)?(?:chosen|picked|preferred|rejected|decided(?:\s+on)?|agreed(?:\s+on)?|settled(?:\s+on)?)`),
		newRule(Decisions, `(?:is|are|was|were)\s+there\s+(?:an?\s+|any\s+)?(?:earlier\s+|past\s+|recorded\s+)?`+decision+`\s+(?:on|about|for|regarding|concerning|to)\s+(.+)`),
		newRule(Decisions, `(?:do|did|have)\s+we\s+(?:have|make|made|reach(?:ed)?|record(?:ed)?)\s+(?:an?\s+|any\s+)?`+decision+`\s+(?:on|about|for|regarding|concerning)\s+(.+)`),
		newRule(Decisions, `(?:did|have|had)\s+we\s+(?:ever\s+|already\s+)?`+decided+`\s+(.+)`),
		newRule(Decisions, `how\s+did\s+we\s+`+decided+`\s+(.+)`),
		newRule(Decisions, `(?:(?:what(?:'s|\s+is|\s+are|\s+was|\s+were)|list|show|find|recall)\s+)?(?:me\s+)?(?:the\s+|our\s+|all\s+|any\s+|past\s+)*`+decision+`\s+(?:on|about|for|behind|regarding|concerning)\s+(.+)`),
		newRule(Decisions, `(?:what|which)\s+(.+?)\s+did\s+we\s+(?:choose|pick|decide\s+on|agree\s+on|settle\s+on|go\s+with|opt\s+for)`),
		newRule(Decisions, `what\s+(?:(?:do\s+we|is|was)\s+)(?:know|remember(?:ed)?|noted?)\s+about\s+(.+)`),

		newRule(Compare, `(?:what(?:'s|\s+is|\s+are)\s+)?(?:the\s+)?differences?\s+between\s+(.+?)\s+and\s+(?P<other>.+)`),
		newRule(Compare, `compare\s+(.+?)\s+(?:with|to|and|against)\s+(?P<other>.+)`),
		newRule(Compare, `how\s+(?:does|do|is|are)\s+(.+?)\s+(?:differ(?:ent)?)\s+(?:from|to)\s+(?P<other>.+)`),
		newRule(Compare, `how\s+do\s+(\S+)\s+and\s+(?P<other>\S+)\s+differ`),
		newRule(Compare, `(`+thing1+`)\s+(?:vs\.?|versus)\s+(?P<other>`+thing1+`)`),

		newRule(Together, `(?:what|which)\s+(?:(?:other\s+)?(?:files?|code|modules?|else)\s+)?(?:is\s+|are\s+|was\s+|were\s+|gets?\s+|have\s+|has\s+)?(?:often\s+|usually\s+|also\s+)?(?:been\s+)?(?:changed?|changes)\s+(?:often\s+|usually\s+)?together\s+with\s+(.+)`),
		newRule(Together, `(?:what\s+else|(?:what|which)\s+other\s+(?:files?|code|modules?))\s+(?:is\s+|are\s+|was\s+|were\s+)?(?:changed?|changes)\s+with\s+(.+)`),
		newRule(Together, `(?:what|which)\s+(?:(?:other\s+)?(?:files?|code|modules?)\s+|else\s+)?(?:often\s+|usually\s+|also\s+)?(?:changed?|changes)\s+when\s+(?:i\s+change\s+)?(.+?)(?:\s+(?:changed|changes|does|did))?`),
		newRule(Together, `(?:what|which\s+files?)\s+(?:else\s+)?(?:should|must|do)\s+(?:i|we)\s+(?:also\s+)?change\s+(?:together\s+)?(?:with|when\s+(?:i|we)\s+change)\s+(.+)`),

		newRule(Changes, `what(?:'s| has| have| is)?\s+(?:been\s+)?(?:changed|changing|new|modified|different|happened)\b(.*)`),
		newRule(Changes, `what\s+(?:did|have)\s+\S+\s+change[d]?\b(.*)`),
		newRule(Changes, `(?:show\s+|list\s+)?(?:me\s+)?(?:the\s+)?(?:recent|latest|last|newest)\s+(?:changes|commits)\b(.*)`),
		newRule(Changes, `(?:show\s+|list\s+)?(?:me\s+)?(?:the\s+)?(?:changes|commits)\b(.*)`),
		newRule(Changes, `which\s+files\s+(?:were\s+|have\s+)?(?:been\s+)?(?:changed|modified)\b(.*)`),

		newRule(Experts, `who(?:m)?\s+(?:knows|understands|maintains|owns)\s+(?:the\s+)?(?:most\s+)?(?:about\s+)?(.+?)(?:\s+best|\s+most)?`),
		newRule(Experts, `who\s+contribute[sd]\s+(?:the\s+)?most\s+to\s+(.+)`),
		newRule(Experts, `who(?:'s|\s+is|\s+are)\s+(?:the\s+|an\s+)?(?:experts?|owners?|maintainers?|authors?)\s+(?:on|of|for|in|about)\s+(.+)`),
		newRule(Experts, `whom?\s+(?:can|should|do|could)\s+(?:i|we)\s+ask\s+about\s+(.+)`),

		newRule(Experts, `who\s+(?:wrote|made|created|develops?|is\s+behind|works\s+on)\s+(`+project+`)`),
		newRule(Origin, `why\s+(?:is|was|are)\s+(.+?)\s+(?:here|there|added|introduced|needed|written|in\s+(?:here|the\s+code))`),
		newRule(Origin, `why\s+(?:was|were|has|have)\s+(.+?)\s+(?:been\s+)?(?:removed|dropped|deleted|changed|renamed|moved|replaced|deprecated|disabled|reverted)`),
		newRule(Origin, `why\s+(?:does|do)\s+(?:we\s+have\s+)?(.+?)(?:\s+exist)?`),
		newRule(Origin, `when\s+(?:was|were|did)\s+(.+?)\s+(?:last\s+|first\s+)?(?:changed?|added|introduced|created|written|modified|touched|edited)`),
		newRule(Origin, `who\s+(?:last\s+|first\s+)?(?:wrote|changed|added|touched|introduced|created|modified|edited)\s+(.+?)(?:\s+last)?`),
		newRule(Origin, `(?:show\s+)?(?:me\s+)?(?:the\s+)?(?:git\s+)?(?:history|blame|age)\s+(?:of|for)\s+(.+)`),
		newRule(Origin, `how\s+old\s+(?:is|are)\s+(.+)`),

		newRule(Tests, `(?:which|what)\s+tests?\s+(?:are\s+(?:there\s+)?|do\s+(?:we|you)\s+have\s+)?(?:covers?|checks?|exercises?|tests?|for|of|calls?|uses?)\s+(.+)`),
		newRule(Tests, `(?:what|who|which\s+\S+)\s+tests\s+(.+)`),
		newRule(Tests, `(?:where|what)\s+(?:are|is)\s+(?:the\s+|any\s+)?(?:unit\s+)?tests?\s+(?:of|for)\s+(.+)`),
		newRule(Tests, `(?:are|is)\s+there\s+(?:a\s+|any\s+)?(?:unit\s+)?tests?\s+(?:of|for)\s+(.+)`),
		newRule(Tests, asksFor+`(?:unit\s+)?tests?\s+(?:of|for|that\s+cover)\s+(.+)`),
		newRule(Tests, `(?:is|are|where\s+is|where\s+are|how\s+is|how\s+are)\s+(.+?)\s+(?:tested|covered(?:\s+by\s+(?:a\s+|any\s+)?tests?)?)(?:\s+anywhere)?`),
		newRule(Tests, `(?:does|do)\s+(.+?)\s+have\s+(?:any\s+|a\s+)?tests?`),

		newRule(Imports, `what\s+(?:does|do)\s+(.+?)\s+import`),
		newRule(Imports, `which\s+(?:\S+\s+){1,2}(?:does|do)\s+(.+?)\s+import`),
		newRule(Imports, asksFor+`(?:imports|dependencies)\s+of\s+(.+)`),
		newRule(Importers, `(?:who|what|which\s+(?:\S+\s+){0,2}?\S+)\s+(?:imports?|depends?\s+on)\s+(.+)`),
		newRule(Importers, `where\s+(?:is|are)\s+(.+?)\s+imported`),
		newRule(Importers, asksFor+`(?:importers|dependents)\s+of\s+(.+)`),

		newRule(Supertypes, `what\s+(?:(?:interfaces?|class(?:es)?|types?)\s+)?(?:does|do)\s+(.+?)\s+(?:inherit(?:\s+from)?|extend|implement|embed|derive\s+from|subclass)`),
		newRule(Supertypes, `which\s+\S+\s+(?:does|do)\s+(.+?)\s+(?:inherit(?:\s+from)?|extend|implement|embed|derive\s+from|subclass)`),
		newRule(Supertypes, asksFor+`(?:super\s?class(?:es)?|super\s?types?|base\s+(?:class(?:es)?|types?|interfaces?)|bases|parents?|ancestors?|parent\s+(?:class(?:es)?|types?|interfaces?))\s+of\s+(.+)`),
		newRule(Supertypes, `what(?:'s|\s+is|\s+are)\s+(.+?)['’]s?\s+(?:(?:parent|base|super)s?\s*(?:class(?:es)?|types?|interfaces?)?)`),
		newRule(Subtypes, `(?:what|who|which\s+\S+)\s+(?:implements?|extends?|subclass(?:es)?|inherits?(?:\s+from)?|derives?\s+from|embeds?)\s+(.+)`),
		newRule(Subtypes, asksFor+`(?:implementations?|implementers?|implementors?|sub\s?class(?:es)?|sub\s?types?|children|derived\s+(?:classes|types))\s+(?:of|for)\s+(.+)`),

		newRule(Environment, `(?:what|which|list|show)\s+(?:me\s+)?(?:are\s+)?(?:all\s+)?(?:the\s+)?env(?:ironment)?\s*var(?:iable)?s?\b.*?(?:\s+(?:in|by|from|of)\s+(.+?))?(?:\s+(?:read|used))?`),
		newRule(Configured, `where\s+(?:is|are)\s+(.+?)\s+(?:configured|set|read|assigned|initiali[sz]ed|enabled|disabled|overridden)(?:\s+up)?`),
		newRule(Configured, `where\s+does\s+(.+?)\s+(?:get\s+its\s+value|come)(?:\s+from)?`),
		newRule(Configured, `where\s+does\s+(.+?)\s+(?:get|come\s+to\s+be)\s+(?:configured|set|read|assigned|initiali[sz]ed|enabled|disabled|overridden)`),
		newRule(Configured, `(?:where|how)\s+(?:do|can|should|does)\s+(?:i|we|you|one)\s+(?:set|configure|change|enable|disable|override)\s+(.+)`),
		newRule(Configured, `what(?:'s|\s+is)\s+the\s+(?:default|value|setting)(?:\s+value)?\s+(?:of|for)\s+(.+)`),
		newRule(Configured, `what(?:'s|\s+is)\s+the\s+default\s+(?:value\s+)?(\S*[_.A-Z]\S*|\S+\s+\S+(?:\s+\S+)?)`),
		newRule(Configured, `what\s+(?:sets|reads|configures|changes)\s+(.+)`),

		newRule(Callees, `(?:what|which\s+\S+)\s+(?:does|do)\s+(.+?)\s+(?:call|invoke|use|depend\s+on)`),
		newRule(Callees, asksFor+`callees\s+of\s+(.+)`),
		newRule(Callees, `what\s+is\s+called\s+(?:by|from|in)\s+(.+)`),

		newRule(Usage, `(?:who|what|which\s+\S+)\s+(?:calls?|uses?|invokes?|references?)\s+(.+)`),
		newRule(Usage, `where\s+(?:is|are|was)\s+(.+?)\s+(?:used|called|referenced|invoked)`),
		newRule(Usage, `(?:who|what|which\s+\S+)\s+(?:raises?|throws?|creates?|constructs?|instantiates?)\s+(.+)`),
		newRule(Usage, `where\s+does\s+(.+?)\s+get\s+(?:used|called|referenced|invoked)`),
		newRule(Usage, `where\s+do(?:es)?\s+\S+\s+(?:use|call|reference|invoke)\s+(.+)`),
		newRule(Usage, `(?:how|is|are|how\s+often\s+is|how\s+many\s+times\s+is)\s+(?:is\s+|are\s+)?(.+?)\s+(?:used|called|invoked|referenced)(?:\s+(?:anywhere|at\s+all|somewhere|by\s+anything))?`),
		newRule(Usage, `does\s+(?:anything|anyone|anybody|something)\s+(?:use|call|reference|invoke)\s+(.+)`),
		newRule(Usage, asksFor+`(?:usages?|uses|callers?|references)\s+(?:of|to)\s+(.+)`),

		newRule(Related, `what(?:'s|\s+is|\s+are|\s+code\s+is)?\s+(?:related|similar|close|connected)\s+to\s+(.+)`),
		newRule(Related, `(?:find|show|list)?\s*(?:me\s+)?(?:code\s+)?(?:related|similar)\s+(?:code\s+)?to\s+(.+)`),
		newRule(Related, `(?:find|show)\s+(?:me\s+)?(?:code\s+)?like\s+(.+)`),

		newRule(Members, `(?:what|which)\s+`+members+`\s+(?:does|do|can|could|may)\s+(.+?)\s+(?:have|has|take|hold|contain|define|declare|be)`),
		newRule(Members, `(?:what|which)\s+`+members+`\s+(?:are\s+)?(?:there\s+)?(?:in|of|on)\s+(.+)`),
		newRule(Members, asksFor+members+`\s+(?:of|in|on)\s+(.+)`),

		newRule(Named, asksFor+listed+`(?:\s+(?:of|in|on|under)\s+(?P<other>.+?))?\s+`+nameFits),
		newRule(Listing, `(?:list|show|enumerate|give)\s+(?:me\s+)?(?:all\s+)?(?:of\s+)?(?:the\s+)?`+listed+`\s+(?:in|of|under|from|inside)\s+(.+)`),
		newRule(Listing, `(?:what|which)\s+`+listed+`\s+(?:are|is|exist|live)?\s*(?:there\s+)?(?:in|of|under|inside)\s+(.+)`),
		newRule(Listing, `(?:what|which)\s+`+listed+`\s+(?:does|do)\s+(.+?)\s+(?:have|contain|define|declare)`),
		newRule(Listing, `(?:what\s+are\s+)?(?:all\s+)?(?:the\s+)?`+listed+`\s+(?:in|of|under|from|inside)\s+(.+)`),
		newRule(Named, `(?:list|show|find|what\s+are|which\s+are)?\s*(?:me\s+)?(?:all|every)\s+(?:the\s+)?(?P<noun>\w+)\s+(?:in|of|under|for)\s+(?P<other>.+)`),
		newRule(Kinds, `(?:what|which)\s+(?:kinds?\s+of\s+)?(?P<noun>\w+s)\s+(?:does|do)\s+(?P<other>.+?)\s+(?:have|define|declare|provide|offer|support|ship)`),
		newRule(Kinds, `(?:what|which)\s+(?:kinds?\s+of\s+)?(?P<noun>\w+s)\s+(?:are\s+(?:there|available|supported|defined|built\s*in)|exist)(?:\s+(?:in|for|by)\s+(?P<other>.+))?`),
		newRule(Kinds, `(?:list|show|enumerate|name)\s+(?:me\s+)?(?:all\s+)?(?:of\s+)?(?:the\s+|our\s+)?(?P<noun>\w+s)(?:\s+(?:in|of|for)\s+(?P<other>.+))?`),
		newRule(Listing, `what(?:'s|\s+is|\s+are)\s+(?:in|inside|under)\s+(.+)`),
		newRule(Listing, `what\s+does\s+(.+?)\s+contain`),
		newRule(Listing, `(?:give\s+me\s+)?(?:an\s+)?(?:overview|outline|contents)\s+of\s+(.+)`),

		newRule(Outcome, `what\s+(?:happens|does\s+\S+\s+do|will\s+happen|error\s+do\s+(?:i|we|you)\s+get)\s+(?:when|if)\s+(.+)`),
		newRule(Explanation, `how\s+(?:does|do|is|are)\s+(?:the\s+)?(.+?)\s+(?:work|works|working|function|implemented)(?:\s+(?:internally|exactly|here|under\s+the\s+hood))?`),
		newRule(Explanation, `(?:explain|describe)\s+how\s+(?:the\s+)?(.+?)\s+works?`),

		newRule(Definition, `where\s+(?:is|are)\s+`+route+`\s+(?:handled|served|answered|routed|registered)`),
		newRule(Definition, `(?:who|what|which\s+\S+)\s+(?:handles?|serves?|answers?)\s+`+route),
		newRule(Definition, `where(?:'s|\s+is|\s+are)\s+(.+?)(?:\s+(?:defined|declared|implemented|located|found))?`),
		newRule(Definition, `what(?:'s|\s+is|\s+are)\s+(.+?),?\s+and\s+(?:where|how|who|what|when|why)\b.*`),
		newRule(Definition, `what(?:'s|\s+is|\s+are)\s+(.+?)(?:\s+(?:used\s+)?for)?`),
		newRule(Definition, `what\s+does\s+(.+?)\s+(?:do|mean)`),
		newRule(Definition, `(?:define|describe|explain|find|show)\s+(?:me\s+)?(.+)`),
		newRule(Definition, `(?:the\s+)?definition\s+of\s+(.+)`),
		newRule(Definition, `([\pL_$][\pL\pN_$.:]*(?:\(\))?)`),
	}
})
