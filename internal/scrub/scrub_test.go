package scrub

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// Secrets are put together at run time, so that this file does not look as if it leaked any.
var (
	alnum36 = strings.Repeat("aB3dE6gH9", 4)
	jwt     = "eyJhbGciOiJIUzI1NiJ9" + "." + "eyJzdWIiOiIxMjM0NTY3ODkwIn0" + "." + "dozjgNryP4J3jVmNHl0w5N_XgL0"
	pem     = "-----BEGIN RSA " + "PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nMIIEpAIBAAKCAQEA1c7+9z5Pad7OejecsQ0b\nu3aumqWyXB==\n-----END RSA " + "PRIVATE KEY-----"
)

func TestSecretsAreReplaced(t *testing.T) {
	for _, test := range []struct{ name, give, want string }{
		{"aws", "id AKIA" + "IOSFODNN7EXAMPLE.", "id [REDACTED:aws-key]."},
		{"github", "use ghp_" + alnum36 + " now", "use [REDACTED:github-token] now"},
		{"github fine-grained", "github_" + "pat_" + alnum36, "[REDACTED:github-token]"},
		{"gitlab", "glpat-" + alnum36, "[REDACTED:gitlab-token]"},
		{"age", "key: AGE-SECRET-KEY-1" + strings.Repeat("QPZRY9X8", 7) + "QP.", "key: [REDACTED:age-key]."},
		{"openai", "sk-" + "proj-" + alnum36, "[REDACTED:openai-key]"},
		{"anthropic", "sk-" + "ant-api03-" + alnum36, "[REDACTED:anthropic-key]"},
		{"stripe", "sk_" + "live_" + alnum36, "[REDACTED:stripe-key]"},
		{"slack", "xox" + "b-123456789012-abcdefABCDEF", "[REDACTED:slack-token]"},
		{"slack hook", "https://hooks.slack.com/" + "services/T00000000/B00000000/abc", "[REDACTED:slack-token]"},
		{"google", "AIza" + alnum36[:35], "[REDACTED:google-key]"},
		{"npm", "//registry/:_authToken=npm_" + alnum36, "//registry/:_authToken=[REDACTED:npm-token]"},
		{"jwt", "cookie " + jwt, "cookie [REDACTED:jwt]"},
		{"bearer", "Authorization: Bearer abcdef0123456789abcdef", "Authorization: Bearer [REDACTED:bearer-token]"},
		{"basic", `"Authorization": "Basic dXNlcjpwYXNzd29yZDEyMw=="`, `"Authorization": "Basic [REDACTED:bearer-token]"`},
		{"pem", "before\n" + pem + "\nafter", "before\n[REDACTED:private-key]\nafter"},
		{"pem in a string", `"` + strings.ReplaceAll(pem, "\n", `\n`) + `"`, `"[REDACTED:private-key]"`},
		{"pem cut off", pem[:70] + strings.Repeat("Ab1+", 16), "[REDACTED:private-key]"},
		{"dsn", "postgres://app:hunter2@db:5432/x", "postgres://app:[REDACTED:password]@db:5432/x"},
		{"dsn without user", "redis://:hunter2@cache/0", "redis://:[REDACTED:password]@cache/0"},
		{"go", `password := "hunter2"`, `password := "[REDACTED:password]"`},
		{"python", `DB_PASSWORD = 'hunter2'`, `DB_PASSWORD = '[REDACTED:password]'`},
		{"json", `{"client_secret": "abc\"def"}`, `{"client_secret": "[REDACTED:password]"}`},
		{"js", `apiKey: "abcd1234efgh"`, `apiKey: "[REDACTED:key]"`},
		{"env", "export API_TOKEN=abc123def\nHOME=/root", "export API_TOKEN=[REDACTED:key]\nHOME=/root"},
		{"yaml", "db:\n  password: hunter2 # old\n", "db:\n  password: [REDACTED:password] # old\n"},
		{"crlf", "PASSWORD=hunter2\r\nX=1\r\n", "PASSWORD=[REDACTED:password]\r\nX=1\r\n"},
		{"aws secret", "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPx", "aws_secret_access_key = [REDACTED:key]"},
		{"specific kind wins", `token = "ghp_` + alnum36 + `"`, `token = "[REDACTED:github-token]"`},
		{"two", "a://b:c4@d e://f:g4@h", "a://b:[REDACTED:password]@d e://f:[REDACTED:password]@h"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, found := Text(test.give)
			if got != test.want {
				t.Errorf("Text(%q)\n got %q\nwant %q", test.give, got, test.want)
			}
			if len(found) == 0 {
				t.Error("nothing reported")
			}
			if again, _ := Text(got); again != got {
				t.Errorf("a second time: %q", again)
			}
		})
	}
}

func TestCodeIsLeftAlone(t *testing.T) {
	for _, s := range []string{
		"",
		"password := readPassword(os.Stdin)",
		"if token == \"func\" { next() }",
		"token: string;",
		"secret: uint64",
		"Token Token `json:\"token\"`",
		"tokenizer = \"unicode61 remove_diacritics 2\"",
		"api_key_env: \"OPENAI_API_KEY\"",
		"apiKey := os.Getenv(\"OPENAI_API_KEY\")",
		"label(password: \"Enter your password\")",
		"password = \"${DB_PASSWORD}\"",
		"password: <password>",
		"postgres://user:$PGPASS@localhost/db",
		"http://localhost:8080/path@version",
		"git@github.com:owner/repo.git",
		"class=\"sk-loading-spinner-container-wrapper-large\"",
		"strings.HasPrefix(s, \"-----BEGIN PRIVATE KEY-----\")\nreturn parse(s)",
		"keys := map[string]int{\"token\": 1}",
		"the bearer of this token is allowed in",
		"sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
		"key = row[1].key2",
		"secret = config.Secret2()",
	} {
		if got, found := Text(s); got != s || found != nil {
			t.Errorf("Text(%q) = %q", s, got)
		}
	}
}

func FuzzText(f *testing.F) {
	for _, s := range []string{"password='x1234'", pem, "a://b:c@d", jwt, "API_KEY=\xff123456", "İ password: \"aaaa\""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, found := Text(s)
		if len(found) == 0 && got != s {
			t.Fatalf("changed without a finding: %q", got)
		}
		from := 0
		var kept strings.Builder
		for _, x := range found {
			if x.Start < from || x.End <= x.Start || x.End > len(s) {
				t.Fatalf("finding %+v after %d in %d bytes", x, from, len(s))
			}
			kept.WriteString(s[from:x.Start] + mark + x.Kind + "]")
			from = x.End
		}
		if kept.WriteString(s[from:]); kept.String() != got {
			t.Fatalf("text outside the findings changed: %q", got)
		}
		if utf8.ValidString(s) && !utf8.ValidString(got) {
			t.Fatalf("broke UTF-8: %q", got)
		}
	})
}

func BenchmarkText(b *testing.B) {
	s := strings.Repeat("func (s *Store) getUserData(ctx context.Context, key string) (token string, err error) {\n", 1000)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		Text(s)
	}
}

func TestBlankKeepsPlaces(t *testing.T) {
	src := []byte("größe := 1\npassword = \"hunter2hunter2\"\r\nnext()\n")
	got, found := Blank(src)
	want := strings.Replace(string(src), "hunter2hunter2", strings.Repeat(" ", 14), 1)
	if string(got) != want || len(found) != 1 || found[0].Kind != "password" {
		t.Errorf("Blank = %q, %v", got, found)
	}
	if !strings.Contains(string(src), "hunter2hunter2") {
		t.Error("Blank wrote to its argument")
	}
	clean := []byte("nothing here")
	if got, found := Blank(clean); &got[0] != &clean[0] || found != nil {
		t.Error("a text without secrets was copied")
	}
	key := "-----BEGIN RSA PRIVATE KEY-----\n" + strings.Repeat("QUJD", 20) + "\n-----END RSA PRIVATE KEY-----\n"
	if got, _ := Blank([]byte(key)); strings.Count(string(got), "\n") != 3 || strings.Contains(string(got), "QUJD") {
		t.Errorf("Blank of a key = %q", got)
	}
}

func BenchmarkBlank(b *testing.B) {
	var src []byte
	files, _ := filepath.Glob("*.go")
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			b.Fatal(err)
		}
		src = append(src, text...)
	}
	src = bytes.Repeat(src, 10)
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		Blank(src)
	}
}

func BenchmarkBlankClean(b *testing.B) {
	src := bytes.Repeat([]byte("func (b *batcher) add(r built, text []byte) {\n\tif r.file != nil {\n\t\tr.first = len(b.batch.docs)\n"), 1000)
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		Blank(src)
	}
}

func TestEveryHintIsLookedFor(t *testing.T) {
	p := proposals()
	if len(p.rules) < 200 {
		t.Fatalf("only %d rules", len(p.rules))
	}
	for i, r := range p.rules {
		for _, hint := range r.hints {
			if len(hint) < 2 || r.fold && strings.ToLower(hint) != hint {
				t.Fatalf("%s: the hint %q", r.kind, hint)
			}
			opening := uint16(0)
			for _, b := range []byte((hint + "~")[:3]) {
				opening = trigram(opening, b)
			}
			if !slices.ContainsFunc(p.candidates[p.openings[opening]], func(c candidate) bool { return c.rule == i && c.hint == hint }) {
				t.Errorf("%s: nothing looks for %q", r.kind, hint)
			}
		}
	}
}

// TestSets compares what sets find in one text.
func TestSets(t *testing.T) {
	const text = "acme-12345 and id: 777, password = \"hunter2hunter\"\n"
	for _, tt := range []struct {
		patterns []string
		want     string
	}{
		{nil, "acme-12345 and id: 777, password = \"             \"\n"},
		{[]string{`acme-\d+`}, "           and id: 777, password = \"             \"\n"},
		{[]string{`id: (\d+)`, `x*`}, "acme-12345 and id:    , password = \"             \"\n"},
		{[]string{`password.*`}, "acme-12345 and id: 777,                           \n"},
	} {
		set, err := NewSet(tt.patterns)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := set.Blank([]byte(text)); string(got) != tt.want {
			t.Errorf("%q:\n%q\nwant\n%q", tt.patterns, got, tt.want)
		}
	}
	if got, found := Off.Blank([]byte(text)); string(got) != text || len(found) > 0 {
		t.Errorf("off: %q, %v", got, found)
	}
	if _, err := NewSet([]string{"("}); err == nil {
		t.Error("a broken pattern is no error")
	}
}

// TestAdd has patterns count for the functions without a set, beside those that were there.
func TestAdd(t *testing.T) {
	before := added.Load()
	t.Cleanup(func() { added.Store(before) })
	for _, patterns := range [][]string{{`shopkey-\d+`}, nil, {`tillkey-\d+`, `shopkey-\d+`}} {
		if err := Add(patterns); err != nil {
			t.Fatal(err)
		}
	}
	const want = "[REDACTED:secret] and [REDACTED:secret]"
	if got, _ := Text("shopkey-1 and tillkey-2"); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	all := added.Load()
	if err := Add([]string{"("}); err == nil || added.Load() != all {
		t.Errorf("a broken pattern: %v", err)
	}
	if n := len(all.patterns); n != 2 {
		t.Errorf("%d patterns for 2", n)
	}
}
