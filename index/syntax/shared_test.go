package syntax

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

// TestGrammarsAreIndependent parses texts of one language at the same time, and after texts that end in the middle of a
// string. Scanners that keep their state in global variables fail.
func TestGrammarsAreIndependent(t *testing.T) {
	texts := [][]byte{
		[]byte(strings.Repeat("local s = 'it\\'s \"one\"'\nfunction F() return \"two 'three'\" end\n--[==[ a ]] b ]==]\n", 60)),
		[]byte(strings.Repeat("local t = [[ long ' \" ]]\nfunction G() return [==[ x ]] ]==] end -- c\n", 60)),
		[]byte("function Cut() return 'never closed\n"),
		[]byte("local x = [==[ never closed ]]\nfunction Hidden() end\n"),
	}
	lang := ByName("lua")
	outlines := func(src []byte) string {
		o, err := Parse(lang, src)
		if err != nil {
			return err.Error()
		}
		return fmt.Sprint(o.Definitions, o.HasError)
	}
	want := make([]string, len(texts))
	for i, src := range texts {
		want[i] = outlines(src)
	}
	for i := len(texts) - 1; i >= 0; i-- {
		if got := outlines(texts[i]); got != want[i] {
			t.Errorf("text %d after others: %.300s\nwant %.300s", i, got, want[i])
		}
	}
	var all sync.WaitGroup
	for i, src := range texts {
		for range 3 {
			all.Go(func() {
				for range 30 {
					if got := outlines(src); got != want[i] {
						t.Errorf("text %d beside others: %.300s\nwant %.300s", i, got, want[i])
						return
					}
				}
			})
		}
	}
	all.Wait()
}
