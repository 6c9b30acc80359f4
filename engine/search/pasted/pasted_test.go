package pasted

import (
	"reflect"
	"testing"
)

func TestPlaces(t *testing.T) {
	for text, want := range map[string][]Place{
		"./a/server.go:20:5: undefined: x":                                {{"a/server.go", 20}},
		"\t/home/me/src/app/server.go:20 +0x1d":                           {{"/home/me/src/app/server.go", 20}},
		"    at Object.<anonymous> (/app/src/index.js:10:15)":             {{"/app/src/index.js", 10}},
		"    at file:///app/src/index.mjs:3:7":                            {{"/app/src/index.mjs", 3}},
		"\tat com.acme.shop.Cart.add(Cart.java:42)":                       {{"com/acme/shop/Cart.java", 42}},
		" --> src/main.rs:5:9":                                            {{"src/main.rs", 5}},
		"thread 'main' panicked at src/main.rs:12:5:":                     {{"src/main.rs", 12}},
		"   at Acme.Cart.Add(Item i) in C:\\src\\Acme\\Cart.cs:line 17":   {{"C:/src/Acme/Cart.cs", 17}},
		"app/models/user.rb:33:in `save'":                                 {{"app/models/user.rb", 33}},
		"PHP Fatal error: Uncaught E in /var/www/src/Cart.php:9":          {{"/var/www/src/Cart.php", 9}},
		"Warning: Undefined variable in /var/www/src/Cart.php on line 12": {{"/var/www/src/Cart.php", 12}},
		"#0 /var/www/src/Cart.php(12): add()":                             {{"/var/www/src/Cart.php", 12}},
		"src/app.ts(3,7): error TS2304: Cannot find name":                 {{"src/app.ts", 3}},
		"Cart.cs(17,5): error CS0103":                                     {{"Cart.cs", 17}},
		"a.c:1:2: error: b\nd/e.h:30: note":                               {{"a.c", 1}, {"d/e.h", 30}},
		"Traceback (most recent call last):\n  File \"/app/main.py\", line 3, in <module>\n  File \"/app/shop/cart.py\", line 8, in add\nKeyError": {{"/app/shop/cart.py", 8}, {"/app/main.py", 3}},
		"version 1.2.3 at 10:30":  nil,
		"how does the cache work": nil,
	} {
		if got := Places(text); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestIsPlace(t *testing.T) {
	for text, want := range map[string]Place{
		"middleware.go:20": {"middleware.go", 20}, "./a/b.py:3:1": {"a/b.py", 3}, "src/app.ts(3,7)": {"src/app.ts", 3}, "Foo::bar": {}, "a b.go:3": {},
	} {
		if got, ok := IsPlace(text); got != want || ok != (want != Place{}) {
			t.Errorf("%q: %v %v, want %v", text, got, ok, want)
		}
	}
}

func TestSharedEnd(t *testing.T) {
	for _, c := range []struct {
		place, path string
		want        int
	}{
		{"/home/me/app/src/a.go", "src/a.go", 2}, {"a.go", "src/a.go", 1}, {"/usr/lib/go/runtime/panic.go", "server/panic.go", 0},
		{"/docker/src/a.go", "backend/src/a.go", 2}, {"b.go", "a.go", 0},
	} {
		if got := (Place{Path: c.place}).SharedEnd(c.path); got != c.want {
			t.Errorf("%s in %s: %d, want %d", c.place, c.path, got, c.want)
		}
	}
}

// TestFind compares printed lines with what prints them.
func TestFind(t *testing.T) {
	for _, c := range []struct {
		printed, text string
		literal, all  bool // it stands in a string; every word of the line is explained
	}{
		{"cannot open /tmp/a.txt: no such file", `return fmt.Errorf("cannot open %s: %w", path, err)`, true, false},
		{"cannot open the file", `log("cannot open the file")`, true, true},
		{"user 42 has no rights", "raise E(f\"user {user.id!r} has no rights\")", true, false},
		{"user 42 has no rights", "throw new E(`user ${u.id} has no rights`)", true, false},
		{"user 42 has no rights", `raise "user #{id} has no rights"`, true, false},
		{"user bob has no rights", `throw new E("user " + name + " has no rights");`, true, false},
		{"user bob has no rights", `println!("user {} has no rights", name)`, true, false},
		{"user bob has no rights", "log(\"user \" + name +\n\t\" has no rights\")", true, false},
		{"user bob has no rights", "log(\"user \"\n\t+ name\n\t+ \" has no rights\")", true, false},
		{"no rights to lamp_of_mine", "log(\"no rights to %q\", what);\nlog(\"something else\")", true, false},
		{"the door is open to everyone", "panic(\"the door is\"\n\t\" open to everyone\")", true, true},
		{"open the door and close it", "// open the door and close it", false, true},
	} {
		m := Read(c.printed).Find(c.text)
		if m.Literal != c.literal || m.Share < 0.6 || (m.Share == 1) != c.all {
			t.Errorf("%q in %q: %+v", c.printed, c.text, m)
		}
	}
	joined := "fmt.Fprintf(w, \"status: %d %s\\r\\n\", code, text)\n\tif _, ok := header[\"content-type\"]; !ok {\n\t\theader.Set(\"content-type\", sniff(p))\n\t}\n\theader.Write(w)\n\tw.WriteString(\"\\r\\n\")"
	if m := Read("guess the content type from the first bytes").Find(joined); m.Literal && m.Share >= 0.6 {
		t.Errorf("strings of two statements are one message: %+v", m)
	}
	for _, apart := range []string{
		"var hop = []string{\n\t\"Connection\", // of one hop\n\t\"Keep-Alive\",\n\t\"Upgrade\"}", `if sent && header.get("Connection") == "keep-alive" {`,
		`equal(k, "upgrade") || equal(k, "keep-alive")`,
	} {
		if m := Read("server sent events keep alive").Find(apart); m.Printed() && m.Share >= 0.6 {
			t.Errorf("strings that are listed or compared are one message in %s: %+v", apart, m)
		}
	}
	table := "var names = map[code]string{\n\tcodeNone: \"NONE\",\n\tcodeFlowControl: \"FLOW_CONTROL\",\n\tcodeSettings: \"SETTINGS_TIMEOUT\",\n}"
	for line, apart := range map[string]string{
		"http2 flow control timer":      table,
		"settings: flow control":        table,
		"Corruption: checksum mismatch": `ASSERT_EQ("OK", MatchError("checksum mismatch"));`,
	} {
		if m := Read(line).Find(apart); m.Printed() && m.Share >= 0.6 && m.Filled > 0 {
			t.Errorf("%s: strings that no line has together are one message in %s: %+v", line, apart, m)
		}
	}
	for line, plain := range map[string]bool{"http2 flow control": true, "base64 decoding of keys": true, "status 404 for all": false, "error: no such file": false} {
		if got := Read(line).lines[0].plain; got != plain {
			t.Errorf("%s: plain is %v", line, got)
		}
	}
	for line, printed := range map[string]bool{
		"chunked transfer encoding reader":                    false,
		"chunked transfer encoding":                           true, // a part of it
		"trailer header without chunked transfer encoding 12": true,
	} {
		if m := Read(line).Find(`E("trailer header without chunked transfer encoding (rest is lost)")`); m.Printed() != printed {
			t.Errorf("%s: %+v", line, m)
		}
	}
	if m := Read("default user agent").Find(`var excluded = map[string]bool{"Host": true, "User-Agent": true, "Content-Length": true}`); m.Printed() {
		t.Errorf("keys are a message: %+v", m)
	}
	if m := Read("cannot open the file").Find(`log("the file is closed"); open(cannot)`); m.Share >= 0.6 {
		t.Errorf("words in another order: %+v", m)
	}
	if !Read("two words").Empty() {
		t.Error("two words are no message")
	}
}

func FuzzFind(f *testing.F) {
	f.Add("cannot open 5", `"cannot open %d"`)
	f.Fuzz(func(t *testing.T, line, text string) {
		if m := Read(line).Find(text); m.Share < 0 || m.Share > 1 {
			t.Errorf("%+v", m)
		}
		Places(line)
	})
}
