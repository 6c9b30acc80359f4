package scrub

import (
	"strings"

	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// formats are of services, files and commands whose secrets neither the rules above nor those of gitleaks know. Many more tokens
// begin with a name and go on at random, for which tokenIn looks.
var formats = []rule{
	{kind: "token", word: true, hints: []string{"key-", "bkua_", "bkpt_", "bkaj_", "lsv2_", "CCIPAT_", "CCIPRJ_"},
		expr: lazyregexp.New(`^(?:key-[0-9a-f]{32}\b|bk[a-z]{2}_[0-9a-f]{40}|lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}|CCIP(?:AT|RJ)_[A-Za-z0-9]{22}_[0-9a-f]{40})`)},
	{kind: "token", word: true, hints: []string{"HRKU-", "sdk-", "mob-", "sk-lf-", "access-", "link-"}, expr: lazyregexp.New(
		`^(?:HRKU|sdk|mob|sk-lf|(?:access|link)-(?:production|sandbox|development))-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)},
	{kind: "token", word: true, hints: []string{"NRAK-", "oy2", "cio", "sl."},
		expr: lazyregexp.New(`^(?:NRAK-[A-Z0-9]{27}|oy2[a-z0-9]{43}|cio[A-Za-z0-9]{32}|sl\.[A-Za-z0-9_-]{100,})(?:[^\w-]|$)`)},
	{kind: "token", word: true, hints: []string{"sk.eyJ", "ops_eyJ", "ATATT3", "ATCTT3", "tskey-"}, reach: tokenReach,
		expr: lazyregexp.New(`^(?:sk\.eyJ[\w-]{20,}\.[\w-]{20,}|ops_eyJ[\w-]{60,}|AT[AC]TT3[\w-]{60,}(?:=[0-9A-Z]{8})?|tskey-[a-z]+-[A-Za-z0-9]{8,}-[A-Za-z0-9]{16,})`)},
	{kind: "token", word: true, hints: []string{"1/", "2/"}, expr: lazyregexp.New(`^[12]/\d{13,}(?:/\d{13,})?:[0-9a-f]{32}\b`)},
	{kind: "bot-token", hints: []string{":AA"}, secret: []int{1}, behind: endsWithDigit, expr: lazyregexp.New(`^:(AA[A-Za-z0-9_-]{33})(?:[^\w-]|$)`)},
	{kind: "bot-token", word: true, hints: []string{"MT", "Mz", "Nj", "Nz", "OD", "OT"},
		expr: lazyregexp.New(`^[MNO][A-Za-z0-9]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38}(?:[^\w-]|$)`)},
	{kind: "token", hints: []string{"APA91b"}, expr: lazyregexp.New(`^APA91b[A-Za-z0-9_-]{100,}`)},
	{kind: "webhook", hints: []string{"/api/webhooks/"}, secret: []int{1}, expr: lazyregexp.New(`^/api/webhooks/\d{15,}/([\w-]{60,})`)},
	{kind: "key", hints: []string{"sig="}, word: true, secret: []int{1}, expr: lazyregexp.New(`^sig=([A-Za-z0-9%+/]{40,}=?)`), accept: hasDigit},
	{kind: "key", hints: []string{"otpauth://"}, secret: []int{1}, expr: lazyregexp.New(`^otpauth://[^\s"']*?[?&]secret=([A-Z2-7]{16,})`)},
	{kind: "password-hash", hints: []string{"$apr1$", "$1$", "$5$", "$6$", "$y$"},
		expr: lazyregexp.New(`^\$(?:apr1|1|5|6|y)\$(?:rounds=\d+\$)?[./A-Za-z0-9]{1,30}\$[./A-Za-z0-9]{22,}`)},
	{kind: "key", fold: true, word: true, hints: []string{"x-"}, secret: []int{1}, accept: hasDigit,
		expr: lazyregexp.New(`(?i)^x-[a-z-]{0,30}(?:key|token|secret)["']?\s*[:=]\s*["']?([a-z0-9._~+/=-]{16,})`)},
	{kind: "key", fold: true, word: true, hints: []string{"authorization"}, reach: tokenReach, secret: []int{1}, accept: hasDigit,
		expr: lazyregexp.New(`(?i)^authorization["']?\s*[:=]\s*["']?(?:token|ssws|api-?key|bot|key)\s+([a-z0-9._~+/=-]{16,})`)},
	{kind: "key", hints: []string{`"auth"`}, secret: []int{1}, accept: hasDigit, expr: lazyregexp.New(`^"auth"\s*:\s*"([A-Za-z0-9+/]{12,}={0,2})"`)},
	{kind: "password", fold: true, hints: passwordHints, secret: []int{1}, accept: looksLikePassword,
		expr: lazyregexp.New(`(?i)^(?:password|passwd|passphrase|pwd|secret)["']\s+value\s*=\s*["']([^"'\s]{4,})["']`)},
	{kind: "password", hints: []string{"PASSWORD=", "PASSWD=", "PWD=", "SECRET=", "TOKEN=", "SSHPASS="}, behind: opensAssignment, secret: []int{1}, accept: looksLikeBareSecret,
		expr: lazyregexp.New(`^[A-Z]+=([^\s"'` + "`" + `;,]{6,500})[ \t]+[a-z./]`)}, // before a command
	{kind: "password", word: true, hints: []string{"mysql"}, secret: []int{1}, accept: looksLikeBareSecret,
		expr: lazyregexp.New(`^mysql(?:dump|admin|import)?[ \t](?:[^\n|;]*?[ \t])?-p([^\s'"-][^\s'"]{5,})`)},
	{kind: "password", word: true, hints: []string{"sshpass ", "docker login ", "podman login "}, secret: []int{1}, accept: looksLikePassword,
		expr: lazyregexp.New(`^[a-z]+ (?:login [^\n|;]*?)?-p[ \t]*["']?([^\s"']{6,})`)},
	{kind: "token", word: true, hints: []string{"ATBB", "ATTA", "AKCp", "EAA", "mlsn.", "pat-"}, expr: lazyregexp.New(
		`^(?:ATBB[A-Za-z0-9]{32}|ATTA[0-9a-f]{72}|AKCp\w{60,}|EAA[A-Za-z0-9]{90,}|mlsn\.[0-9a-f]{64}|pat-[a-z]{2}\d-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:[^\w-]|$)`)},
	{kind: "password", fold: true, word: true, hints: []string{"define("}, secret: []int{1}, accept: looksMade,
		expr: lazyregexp.New(`(?i)^define\(\s*["'][a-z_]*(?:pass|password|key|salt|secret|token)["']\s*,\s*["']([^"'\n]{8,500})["']`)},
	{kind: "password", fold: true, hints: []string{"environment=", "--set"}, secret: []int{1}, accept: looksLikeBareSecret,
		expr: lazyregexp.New(`(?i)^(?:environment=["']?|--set(?:-string)?[ =])[^\s="']*(?:pass|password|key|secret|token)=["']?([^\s"',]{6,500})`)},
	{kind: "password", hints: []string{":5432:", ":*:"}, secret: []int{1}, accept: isLiteral, expr: lazyregexp.New(`^:(?:5432|\*):[^:\s]+:[^:\s]+:([^:\s]{6,})`)},
	{kind: "password", hints: []string{"pass:", "ssh-keygen "}, word: true, secret: []int{1}, accept: looksMade,
		expr: lazyregexp.New(`^(?:pass:|ssh-keygen [^\n|;]*?-N ?["']?)([^\s"':]{6,})`)},
	{kind: "key", hints: []string{"algoliasearch("}, secret: []int{1}, expr: lazyregexp.New(`^algoliasearch\(\s*["']\w+["'],\s*["']([0-9a-f]{32})["']`)},
	{kind: "key", hints: environmentHints, secret: []int{1}, accept: looksIssued, // in a sentence, or behind -e
		expr: lazyregexp.New(`^_[A-Z]+=["']?([^\s"'` + "`" + `,;|&]{8,500})`)},
	{kind: "key", fold: true, hints: []string{"api_key=", "apikey=", "token=", "client_secret=", "sessionid="}, behind: opensQuery, secret: []int{1}, accept: looksIssued,
		expr: lazyregexp.New(`(?i)^[a-z_]+=([a-z0-9._~+/%-]{16,}=*)`)},
	{kind: "password", fold: true, hints: []string{"password(", "secret(", "token(", "apikey("}, secret: []int{1}, accept: looksMade,
		expr: lazyregexp.New(`(?i)^[a-z]+\(\s*["']([^"'\s]{8,500})["']`)},
	{kind: "password", word: true, hints: []string{"requirepass ", "masterauth "}, secret: []int{1}, accept: isLiteral, expr: lazyregexp.New(`^[a-z]+ ["']?([^\s"']{6,})`)},
	{kind: "key", fold: true, word: true, hints: []string{"authorization"}, secret: []int{1}, accept: looksIssued,
		expr: lazyregexp.New(`(?i)^authorization["']?\s*[:=]\s*["']?[a-z-]{3,20}\s+([a-z0-9._~+/=-]{16,})`)},
	{kind: "key", fold: true, hints: []string{`key="`}, secret: []int{1}, accept: looksIssued,
		expr: lazyregexp.New(`(?i)^key="[a-z._-]*(?:key|token|secret)"\s+value="([^"\s]{16,})"`)},
	{kind: "key", hints: []string{"--auth ", "--auth=", "kv put "}, secret: []int{1}, accept: looksIssued,
		expr: lazyregexp.New(`^(?:--auth[ =]|kv put [^\n|;]*?(?:password|passwd|secret|token|key)=)["']?([^\s"']{8,})`)},
	{kind: "token", word: true, hints: []string{"xaat-", "prod:", "u+"},
		expr: lazyregexp.New(`^(?:xaat-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|prod:[a-z]+-[a-z]*-?\d{3}\|[A-Za-z0-9]{40,}|u\+[A-Za-z0-9_-]{18}\b)`), accept: hasDigit},
	{kind: "password", hints: otherHints, assign: true, fold: true, secret: []int{1, 2, 3}, accept: looksMade,
		expr: lazyregexp.New(`(?i)` + otherName + assigned + quoted)},
	{kind: "password", hints: otherHints, assign: true, fold: true, behind: opensAssignment, secret: []int{1}, accept: looksMade,
		expr: lazyregexp.New(`(?i)` + otherName + bare)},
	{kind: "password", hints: []string{"bindpw ", "signing."}, word: true, secret: []int{1}, accept: isLiteral,
		expr: lazyregexp.New(`^(?:bindpw\s+|signing\.password\s*=\s*)(\S{6,})`)},
}

// otherName are names that also name harmless things, so that their values have to look made by a machine.
const otherName = `^(?:pass|psk|[_.-]key(?:[_-]base|[_-]data)?)`

var otherHints = []string{"pass", "psk", "_key", "-key", ".key"}

var environmentHints = []string{"_KEY=", "_TOKEN=", "_SECRET=", "_PASS=", "_PASSWORD="}

var uuid = lazyregexp.New(`^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// looksIssued reports whether a value looks made by a machine, or is a UUID.
func looksIssued(s string) bool { return looksMade(s) || uuid.MatchString(s) }

// looksMade reports whether a value has digits, small letters and capitals in no order that a person would choose, or is a long number
// in hexadecimal.
func looksMade(s string) bool {
	return isLiteral(s) && len(s) >= 8 && !strings.ContainsAny(s, " ()[]{}<>$") && (changesOften(s) || len(s) >= 24 && isHexadecimal(strings.TrimPrefix(s, "0x")))
}

func changesOften(s string) bool {
	k := kindsOf(s)
	return k.digits >= 1 && k.small >= 2 && k.capitals >= 2 && 3*k.changes >= len(s)
}

func isHexadecimal(s string) bool {
	return hasDigit(s) && strings.Trim(s, "0123456789abcdef") == ""
}

// opensQuery reports whether before ends with the beginning of a parameter of an address.
func opensQuery(before string) bool {
	rest, _ := lastName(before, "-_")
	return rest != "" && (rest[len(rest)-1] == '?' || rest[len(rest)-1] == '&')
}

func endsWithDigit(before string) bool {
	return before != "" && '0' <= before[len(before)-1] && before[len(before)-1] <= '9'
}

// A token of a service that no rule knows often is a short name, a separator, and letters and digits at random, as in
// acme_4fT9xQ2mKz81LpWc7RbY.
const (
	leastRandom = 20 // bytes at random
	leastToken  = 23 // bytes: two of a name, and a separator before them
	maxNames    = 3  // before them

	leastPart = 14 // bytes at random without a separator
	maxNamed  = 12 // bytes of a name
)

// publicNames begin digests and numbers of things, which are random and no secret.
var publicNames = func() map[string]bool {
	names := map[string]bool{}
	for _, name := range strings.Fields(`sha1 sha256 sha384 sha512 md5 h1 blake2b blake3 commit rev hash digest etag checksum integrity id uuid
		evt cus pi pm ch sub in price prod acct req msg toolu call chatcmpl resp run thread asst file usr user org team proj trace span
		cache layer image snapshot build chunk bundle asset css js vendor main index app page`) {
		names[name] = true
	}
	return names
}()

// tokensIn returns what looks like tokens by its shape alone. It looks at every leastToken-th byte of a text, and closer only where
// that is in a long word.
func tokensIn(s string, number int) (found []placed) {
	for pos := leastToken - 1; pos < len(s); pos += leastToken {
		if !tokenBytes[s[pos]] {
			continue
		}
		from, to := pos, pos
		for from > 0 && tokenBytes[s[from-1]] && pos-from < usualReach {
			from--
		}
		for to < len(s) && tokenBytes[s[to]] && to-pos < usualReach {
			to++
		}
		if to-from < leastToken {
			continue
		}
		if isToken(s[from:to]) && !isFile(s[to:]) {
			found = append(found, placed{Finding{Kind: "token", Start: from, End: to}, number})
		}
		pos = to
	}
	return found
}

// tokenBytes are the letters, digits and separators of tokens.
var tokenBytes = func() (table [256]bool) {
	for b := range table {
		table[b] = isWord(byte(b)) || b == '-'
	}
	return table
}()

// isFile reports whether a word goes on as the name of a file does.
func isFile(rest string) bool {
	return len(rest) > 1 && rest[0] == '.' && isWord(rest[1])
}

// isToken reports whether a word is one to three short names, each with a separator behind it, and random letters and digits.
func isToken(word string) bool {
	for range maxNames {
		at := strings.IndexAny(word, "_-")
		if at < 2 || at > maxNamed || publicNames[strings.ToLower(word[:at])] || word[0] <= '9' {
			return false
		}
		word = word[at+1:]
		if isRandom(word) {
			return true
		}
	}
	return false
}

// kinds count the kinds of bytes of a text, and how often a byte is of another kind than the one before.
type kinds struct{ digits, small, capitals, others, changes int }

func kindsOf(s string) (k kinds) {
	var last *int
	for i := range len(s) {
		kind := &k.others
		switch b := s[i]; {
		case '0' <= b && b <= '9':
			kind = &k.digits
		case 'a' <= b && b <= 'z':
			kind = &k.small
		case 'A' <= b && b <= 'Z':
			kind = &k.capitals
		}
		*kind++
		if kind != last {
			k.changes++
		}
		last = kind
	}
	return k
}

// isRandom reports whether a text, or a long part of it between separators, has letters and digits in such an order as words and names
// never have: with capitals and small letters the kind changes at more than nine of twenty bytes, with one of them at six.
func isRandom(s string) bool {
	if len(s) < leastRandom || kindsOf(s).others > len(s)/6 {
		return false
	}
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == '-' || r == '_' }) {
		part = strings.TrimRight(part, "0123456789") // as in CompareAndSwapInt32
		k := kindsOf(part)
		switch {
		case len(part) < leastPart || k.digits < 2:
		case k.small >= 2 && k.capitals >= 2:
			if 20*k.changes > 9*len(part) {
				return true
			}
		case len(part) >= 24 && k.digits >= 4 && max(k.small, k.capitals) >= 4 && 10*k.changes >= 3*len(part):
			return true
		}
	}
	return false
}
