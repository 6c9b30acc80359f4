package rpc

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
)

func TestBadBodiesAreAnsweredAndSurvived(t *testing.T) {
	tests := []struct {
		name, body string
		id         string
		code       int
	}{
		{"no JSON", `{"jsonrpc":"2.0",`, "null", -32700},
		{"empty body", ``, "null", -32700},
		{"two values", `{} {}`, "null", -32700},
		{"bytes", "\x00\xff\xfe", "null", -32700},
		{"too deep", strings.Repeat("[", 100_000), "null", -32700},
		{"a number", `5`, "null", -32600},
		{"null", `null`, "null", -32600},
		{"an empty object", `{}`, "null", -32600},
		{"no version", `{"id":7,"method":"ping"}`, "7", -32600},
		{"old version", `{"jsonrpc":"1.0","id":7,"method":"ping"}`, "7", -32600},
		{"method is a number", `{"jsonrpc":"2.0","id":7,"method":5}`, "7", -32600},
		{"neither method nor result", `{"jsonrpc":"2.0","id":"x"}`, `"x"`, -32600},
		{"fractional id", `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, "1.5", -32600},
		{"huge id", `{"jsonrpc":"2.0","id":123456789012345678901234567890,"method":"ping"}`,
			"123456789012345678901234567890", -32600},
		{"exponent id", `{"jsonrpc":"2.0","id":1e3,"method":"ping"}`, "1e3", -32600},
		{"object id", `{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}`, "null", -32600},
		{"array id", `{"jsonrpc":"2.0","id":[1],"method":"ping"}`, "null", -32600},
		{"boolean id", `{"jsonrpc":"2.0","id":true,"method":"ping"}`, "null", -32600},
		{"empty batch", `[]`, "null", -32600},
	}
	c := dial(t, Methods{})
	c.initialize()
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c.t = t
			c.frame(test.body)
			c.expect(test.id, test.code)
			c.alive()
		})
	}
}

func TestOddButLegalBodies(t *testing.T) {
	tests := []struct{ name, body, id string }{
		{"string id", `{"jsonrpc":"2.0","id":"é\u0000","method":"ping"}`, `"é\u0000"`},
		{"largest id", `{"jsonrpc":"2.0","id":9223372036854775807,"method":"ping"}`, "9223372036854775807"},
		{"negative id", `{"jsonrpc":"2.0","id":-1,"method":"ping"}`, "-1"},
		{"null params", `{"jsonrpc":"2.0","id":3,"method":"ping","params":null}`, "3"},
		{"duplicate members", `{"jsonrpc":"2.0","id":3,"method":"x","method":"ping"}`, "3"},
		{"lone surrogate", `{"jsonrpc":"2.0","id":3,"method":"ping","params":{"a":"\ud800"}}`, "3"},
		{"invalid UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\",\"params\":{\"a\":\"\xff\"}}", "3"},
		{"white space", " \r\n\t{ \"jsonrpc\" : \"2.0\" , \"id\" : 3 , \"method\" : \"ping\" } \n", "3"},
	}
	c := dial(t, Methods{})
	c.initialize()
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c.t = t
			c.frame(test.body)
			c.expect(test.id, 0)
		})
	}
}

func TestSilentlyDropped(t *testing.T) {
	c := dial(t, Methods{})
	c.initialize()
	for _, body := range []string{
		`{"jsonrpc":"2.0","id":99,"result":1}`,                                // answers nothing
		`{"jsonrpc":"2.0","id":"zz","error":{"code":1,"message":"m"}}`,        // answers nothing
		`{"jsonrpc":"2.0","id":1.5,"result":null}`,                            // a broken answer
		`{"jsonrpc":"2.0","id":1,"error":{"code":1.5}}`,                       // a broken answer
		`{"jsonrpc":"2.0","method":"$/setTrace","params":{}}`,                 // optional by LSP
		`{"jsonrpc":"2.0","method":"no/such"}`,                                // unknown notification
		`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":null}}`,   // bad params
		`{"jsonrpc":"2.0","method":"$/cancelRequest"}`,                        // no params
		`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":987654}}`, // unknown id
		`[{"jsonrpc":"2.0","method":"no/such"}]`,                              // a batch without calls
	} {
		c.frame(body)
	}
	c.alive()
}

func TestBatch(t *testing.T) {
	c := dial(t, Methods{})
	c.initialize()
	c.frame(`[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"x"},5,` +
		`{"jsonrpc":"2.0","id":2,"method":"nope"},{"jsonrpc":"2.0","id":"a","method":"ping"}]`)
	got := map[string]int{}
	for _, m := range c.next().batch {
		got[string(m.ID)] = m.code()
	}
	want := map[string]int{"1": 0, "null": -32700, "2": -32601, `"a"`: 0}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("batch answered with %v, want %v", got, want)
	}
	c.alive()
}

func TestBadHeaders(t *testing.T) {
	const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	length := fmt.Sprintf("Content-Length: %d\r\n", len(ping))
	tests := []struct {
		name, bytes string
		answers     []string // "id code" in order
	}{
		{"other headers", "Content-Type: application/vscode-jsonrpc; charset=utf8\r\n" + length + "\r\n" + ping, []string{"1 0"}},
		{"lower case, no CR", fmt.Sprintf("content-length:%d\n\n", len(ping)) + ping, []string{"1 0"}},
		{"stray blank lines", "\r\n\r\n" + length + "\r\n" + ping, []string{"1 0"}},
		{"no length", "Content-Type: x\r\n\r\n" + length + "\r\n" + ping, []string{"null -32700", "1 0"}},
		{"length is no number", "Content-Length: abc\r\n\r\n" + length + "\r\n" + ping, []string{"null -32700", "1 0"}},
		{"negative length", "Content-Length: -1\r\n\r\n" + length + "\r\n" + ping, []string{"null -32700", "1 0"}},
		{"garbage line", "GET / HTTP/1.1\r\nHost: x\r\n\r\n" + length + "\r\n" + ping, []string{"null -32700", "1 0"}},
		{"length too small", "Content-Length: 2\r\n\r\n{}   {\"x\":1}" + length + "\r\n" + ping,
			[]string{"null -32600", "null -32700", "1 0"}},
		{"long garbage", strings.Repeat("x", 3*headerBuffer) + length + "\r\n" + ping, []string{"null -32700", "1 0"}},
		{"binary garbage", strings.Repeat("\x00\xff\n", 1000) + "\r\n" + length + "\r\n" + ping,
			[]string{"null -32700", "1 0"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := dial(t, Methods{})
			c.initialize()
			c.raw(test.bytes)
			for _, want := range test.answers {
				m := c.next()
				if got := fmt.Sprintf("%s %d", m.ID, m.code()); got != want {
					t.Fatalf("answer %s (%+v), want %s", got, m.Error, want)
				}
			}
			c.alive()
		})
	}
}

func TestTooLargeFrameClosesTheConnection(t *testing.T) {
	for _, length := range []string{fmt.Sprint(MaxContentLength + 1), "99999999999999999999999999"} {
		var logged logBuffer
		c := dialLog(t, Methods{}, slog.New(slog.NewTextHandler(&logged, nil)))
		c.initialize()
		c.raw("Content-Length: " + length + "\r\n\r\n{")
		c.expect("null", -32600)
		c.conn.Wait()
		c.conn.Close(patience)
		c.closed()
		if !strings.Contains(logged.String(), "above the limit of 67108864") {
			t.Errorf("the log doesn't tell why: %s", logged.String())
		}
	}
}

// FuzzFrames feeds arbitrary bytes behind a sound session. Whatever they are, nothing panics, and a request after
// a line break is answered unless a frame swallowed it or was refused for its size.
func FuzzFrames(f *testing.F) {
	for _, seed := range []string{
		"", "\r\n", "Content-Length: 2\r\n\r\n{}", "Content-Length: 2\r\n\r\n[]", "Content-Length: x\r\n\r\n",
		"Content-Length: 0\r\n\r\n", "0\x91Content-Length:\n", "Content-Length: 99999999999\r\n\r\n", "content-length:1\n\n5Content-Length: 2\r\n\r\n{}",
		"Content-Length: 46\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"initialize\"}",
		"Content-Length: 43\r\n\r\n[{\"jsonrpc\":\"2.0\",\"id\":[],\"method\":\"ping\"}]",
		"Content-Length: 33\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"exit\"}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		in := newFrameReader(bytes.NewReader(data))
		for reported := 0; ; {
			body, err := in.next(nil)
			var header *headerError
			if errors.As(err, &header) {
				if reported++; reported > len(data)+1 {
					t.Fatal("more complaints than bytes")
				}
				continue
			}
			if err != nil {
				break
			}
			if len(body) > len(data) {
				t.Fatal("a body longer than the input")
			}
			if _, fault := check(body); fault != nil {
				_ = fault.answer()
			}
		}
	})
}

// FuzzBody sends one body of any content in a sound frame; the connection must live on.
func FuzzBody(f *testing.F) {
	for _, seed := range []string{
		``, `{}`, `[]`, `[[]]`, `{"jsonrpc":"2.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":1.0,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":null,"method":"ping"}`, `{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1}}`,
		`[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":1,"result":5}]`,
		`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}`, `{"jsonrpc":"2.0","id":"\ud800","method":"\u0000"}`,
		`{"jsonrpc":"2.0","id":1,"error":{"code":99999999999,"message":5}}`, "{\"jsonrpc\":\"2.0\",\"id\":\"\xff\",\"method\":\"ping\"}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		if bytes.Contains(body, []byte("exit")) || bytes.Contains(body, []byte("shutdown")) {
			return
		}
		c := dial(t, Methods{})
		c.initialize()
		c.frame(string(body))
		c.call(`"last"`, "ping", "{}")
		for {
			if m := c.next(); string(m.ID) == `"last"` {
				return
			}
		}
	})
}

func TestIsResponse(t *testing.T) {
	for body, want := range map[string]bool{
		`{"jsonrpc":"2.0","id":1,"method":"a"}`:          false,
		`{"jsonrpc":"2.0","method":"a"}`:                 false,
		`{"jsonrpc":"2.0","id":-12,"result":null}`:       true,
		`{"jsonrpc":"2.0","id":"a","result":null}`:       true,
		`{"jsonrpc":"2.0","id":null,"error":{"code":1}}`: true,
		``: false,
	} {
		if got := isResponse([]byte(body)); got != want {
			t.Errorf("isResponse(%s) = %v", body, got)
		}
	}
}
