package scrub

import (
	"encoding/json"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// made returns n bytes of an alphabet, the same ones at each call: no secret stands in this file.
func made(alphabet string, n int) string {
	random := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[random.IntN(len(alphabet))]
	}
	return string(b)
}

const (
	hex     = "0123456789abcdef"
	letters = "abcdefghijklmnopqrstuvwxyz"
	alnum   = letters + "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
)

// TestImportedFormats has a secret of each format stand in a file, a sentence and a call.
func TestImportedFormats(t *testing.T) {
	for kind, secret := range map[string]string{
		"pypi-upload-token":               "pypi-" + "AgEIcHlwaS5vcmc" + made(alnum, 60),
		"huggingface-access-token":        "hf" + "_" + made(letters, 34),
		"sendgrid-api-token":              "SG" + "." + made(alnum, 22) + "." + made(alnum, 43),
		"slack-app-token":                 "xapp" + "-1-" + "A0" + made("ABCDEF0123456789", 9) + "-" + made("0123456789", 13) + "-" + made(hex, 64),
		"digitalocean-pat":                "dop" + "_v1_" + made(hex, 64),
		"shopify-access-token":            "shpat" + "_" + made(hex, 32),
		"databricks-api-token":            "dapi" + made(hex, 32),
		"vault-service-token":             "hvs" + "." + made(alnum, 95),
		"azure-ad-client-secret":          made(alnum, 3) + "8Q" + "~" + made(alnum, 34),
		"doppler-api-token":               "dp" + ".pt." + made(letters+"0123456789", 43),
		"twilio-api-key":                  "SK" + made(hex, 32),
		"linear-api-key":                  "lin" + "_api_" + made(letters+"0123456789", 40),
		"grafana-service-account-token":   "glsa" + "_" + made(alnum, 32) + "_" + made(hex, 8),
		"pulumi-api-token":                "pul" + "-" + made(hex, 40),
		"1password-service-account-token": "ops" + "_eyJ" + made(alnum, 300),
	} {
		for _, around := range []string{"x = \"%\"\n", "Use % now.", "call(%)", "<token>%</token>", "- %\n- next\n"} {
			text := strings.ReplaceAll(around, "%", secret)
			got, found := Text(text)
			if len(found) == 0 || strings.Contains(got, secret[len(secret)-12:]) {
				t.Errorf("%s in %q: %q", kind, around, got)
			} else if around == "Use % now." && found[0].Kind != kind {
				t.Errorf("%s is called %s", kind, found[0].Kind)
			}
		}
	}
}

// TestPasswordsInOtherFiles has passwords stand where no assignment is.
func TestPasswordsInOtherFiles(t *testing.T) {
	const secret = "hunter2" + "Xy9"
	for text, want := range map[string]string{
		"machine example.com login ada password %\n":                       "machine example.com login ada password [REDACTED:password]\n",
		"machine example.com\n  login ada\n  password %\n":                 "machine example.com\n  login ada\n  password [REDACTED:password]\n",
		"jdbc:postgresql://db/shop?user=ada&password=%&ssl=true":           "jdbc:postgresql://db/shop?user=ada&password=[REDACTED:password]&ssl=true",
		"jdbc:oracle:thin:scott/%@db:1521:orcl":                            "jdbc:oracle:thin:scott/[REDACTED:password]@db:1521:orcl",
		`"Server=db;User Id=ada;Password=%;Encrypt=true"`:                  `"Server=db;User Id=ada;Password=[REDACTED:password];Encrypt=true"`,
		"mysqldump --user=ada --password=% shop":                           "mysqldump --user=ada --password=[REDACTED:password] shop",
		"tool --db-password % --verbose":                                   "tool --db-password [REDACTED:password] --verbose",
		"<password>%</password>":                                           "<password>[REDACTED:password]</password>",
		"<c:Password> % </c:Password>":                                     "<c:Password> [REDACTED:password] </c:Password>",
		`<add key="ClearTextPassword" value="%" />`:                        `<add key="ClearTextPassword" value="[REDACTED:nuget-config-password]" />`,
		"AccountName=shop;AccountKey=" + strings.Repeat("aB3+", 21) + "==": "AccountName=shop;AccountKey=[REDACTED:key]",
	} {
		if got, _ := Text(strings.ReplaceAll(text, "%", secret)); got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
}

// TestHarmlessText has what looks like a secret at a glance.
func TestHarmlessText(t *testing.T) {
	for _, text := range []string{
		"tool --password-file /run/secrets/db --token-url https://example.com",
		"run --token $TOKEN --password=${DB_PASSWORD} --secret <secret>",
		"<password>${db.password}</password>", "machine learning password policies",
		"for (;;) { password = readPassword(); }", "a(); pwd = getcwd(buf)", "https://example.com/login?password=&user=ada",
		"hf_hub_download(repo_id)", "sk_sp = 0", "s.writeHeaderFieldsToTheLog(x)", "dapi = 3", "jdbc:oracle:thin:@db:1521:orcl",
		"SKIPPED_TESTS_OF_2024_AND_2025_ARE_LISTED", "SG.example", "pul-request",
	} {
		if got, found := Text(text); got != text {
			t.Errorf("%q: %q, %v", text, got, found)
		}
	}
}

// TestImportedRules compiles what is otherwise compiled when a keyword is found.
func TestImportedRules(t *testing.T) {
	var set Imported
	if err := json.Unmarshal(gitleaks, &set); err != nil || len(set.Rules) < 200 {
		t.Fatalf("%d rules, %v", len(set.Rules), err)
	}
	compile := func(kind, expr string) *regexp.Regexp {
		t.Helper()
		compiled, err := regexp.Compile(expr)
		if err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		return compiled
	}
	for _, expr := range set.Harmless {
		compile("harmless", expr)
	}
	for _, r := range set.Rules {
		groups := compile(r.Kind, r.Expr).NumSubexp()
		if len(r.Keywords) == 0 || r.Group > groups {
			t.Errorf("%s: keywords %q, group %d of %d", r.Kind, r.Keywords, r.Group, groups)
		}
		for _, expr := range r.Harmless {
			compile(r.Kind, expr)
		}
	}
}

// TestTextAboutAService bounds what it costs that a text names a service in every line, as its client does.
func TestTextAboutAService(t *testing.T) {
	var set Imported
	if err := json.Unmarshal(gitleaks, &set); err != nil {
		t.Fatal(err)
	}
	anchored := 0
	for _, r := range set.Rules {
		expr, ok := withoutLeadIn(r)
		if strings.Contains(expr, leadIn) {
			t.Errorf("%s is tried at every byte near its keyword: %s", r.Kind, expr)
		}
		if ok {
			anchored++
		}
	}
	if anchored < 70 {
		t.Errorf("%d rules are tried at their keyword alone", anchored)
	}
	secret := made(hex, 64)
	line := "func (c *discordClient) GetDiscord(id string) error { return c.discord.get(id) }\n"
	text := strings.Repeat(line, 50) + "const my_discord_bot = \"" + secret + "\"\n"
	if clean, found := Text(text); len(found) != 1 || clean != strings.Replace(text, secret, "[REDACTED:discord-api-token]", 1) {
		t.Errorf("%+v", found)
	}
}
