package llm

import "testing"

// TestIsCall tells calls that models write as text from answers.
func TestIsCall(t *testing.T) {
	for reply, want := range map[string]bool{
		`{"tool": "search", "arguments": {"query": "x"}}`:                                                         true,
		"```json\n{\"name\": \"search\", \"parameters\": {\"query\": \"x\"}}\n```":                                true,
		"<think>hm</think>\n<tool_call>\n{\"name\": \"search\", \"arguments\": {\"query\": \"x\"}}\n</tool_call>": true,
		`{"name": "cart"}`: false, `{"name": "search", "arguments": {}, "summary": "It is."}`: false, "": false, "{": false,
		"Call it so: {\"tool\": \"search\", \"arguments\": {}}": false, "```go\nfunc f() {}\n```": false,
	} {
		if got := IsCall(reply); got != want {
			t.Errorf("%s: %v", reply, got)
		}
	}
}
