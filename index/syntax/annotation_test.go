package syntax

import (
	"strings"
	"testing"
)

// Annotations are comments, whatever stands in them.
func TestLuaAnnotations(t *testing.T) {
	src := `---@class aurora.Turn a question and what became of it
---@field asked string 'who', "what" or --[[ nobody
---@overload fun(self, a?: integer): ...
local Turn = {}

---@param encoding string 'utf-8', 'utf-16' or 'utf-32'
---@return integer offset ---- in its units
function Turn.from_byte(line, encoding)
  -----------------------------------
  local s = [[
--- no comment
]]
  return #line .. s --- not at the start
end

--[[ a block
---@class
---]]
function Turn.after() end
`
	lang := ByName("lua")
	out, err := Parse(lang, []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, d := range out.Definitions {
		names = append(names, d.Name)
	}
	if got := strings.Join(names, " "); out.HasError || !strings.Contains(got, "from_byte") || !strings.Contains(got, "after") {
		t.Errorf("errors %v, definitions %q", out.HasError, got)
	}
	spared := withoutAnnotations([]byte(src))
	if len(spared) != len(src) || strings.Count(string(spared), "\n") != strings.Count(src, "\n") {
		t.Error("lines or offsets have moved")
	}
	if string(withoutAnnotations([]byte("x = 1\n"))) != "x = 1\n" || len(withoutAnnotations([]byte("---"))) != 3 {
		t.Error("texts of one line")
	}
}
