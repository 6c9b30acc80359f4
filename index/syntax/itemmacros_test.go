package syntax

import (
	"fmt"
	"strings"
	"testing"
)

// itemMacros is a text with macros around items, and others.
const itemMacros = `//! Begins.
cfg_net! {
    // a { comment
    /// Docs with a brace } and "quotes.
    pub mod tcp;
    pub fn connect(s: &'static str) -> char { let _ = r#"}"#; '{' }

    cfg_unix! {
        #[derive(Debug)]
        pub struct Path { inner: u8 }
    }
}
cfg_if::cfg_if! {
    if #[cfg(unix)] {
        mod unix;
        fn open() {}
    } else if #[cfg(windows)] {
        fn open() {}
    } else {
        fn close() {}
    }
}
bitflags! {
    pub struct Flags: u32 {
        const A = 1;
    }
}
macro_rules! made {
    ($x:ident) => {
        pub fn $x() {}
    };
}
fn quoted() -> TokenStream {
    quote! {
        impl #name { fn inner() {} }
    }
}
pub fn last() {}
`

func TestMacrosAroundItems(t *testing.T) {
	for _, src := range []string{itemMacros, strings.ReplaceAll(itemMacros, "\n", "\r\n")} {
		out, err := Parse(ByName("rust"), []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, d := range out.Definitions {
			names = append(names, d.Name)
		}
		if got := strings.Join(names, " "); got != "connect Path open open close made quoted last" {
			t.Errorf("definitions %s", got)
		}
		if d := out.Definitions[0]; src[d.NameSpan.Start:d.NameSpan.End] != "connect" {
			t.Errorf("the span of connect is %q", src[d.NameSpan.Start:d.NameSpan.End])
		}
	}
}

// TestMacrosAroundItemsEdited: a tree of another text is never the base of the next one.
func TestMacrosAroundItemsEdited(t *testing.T) {
	outline := func(src string) string {
		out, err := Parse(ByName("rust"), []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%+v", out)
	}
	src := "fn a() {}\ncfg_x {\n    pub fn b() {}\n}\nfn c() {}\n"
	d := NewDocument(ByName("rust"), []byte(src))
	defer d.Close()
	for _, step := range []struct{ old, new string }{{"cfg_x {", "cfg_x! {"}, {"b()", "bb()"}, {"cfg_x! {", "cfg_x {"}, {"c()", "cc()"}, {"cfg_x {", "cfg_y! {"}} {
		at := strings.Index(src, step.old)
		src = src[:at] + step.new + src[at+len(step.old):]
		d.Edit([]byte(src), []Edit{{Start: at, OldEnd: at + len(step.old), New: []byte(step.new)}})
		out, err := d.Outline()
		if err != nil {
			t.Fatal(err)
		}
		if got, want := fmt.Sprintf("%+v", out), outline(src); got != want {
			t.Errorf("after %q:\n%s\nwant\n%s", step.new, got, want)
		}
	}
}

func TestBracesOfRust(t *testing.T) {
	for src, want := range map[string]int{
		"{}": 1, "{": -1, "{ '{' }": 6, `{ "}\"}" }`: 9, "{ 'a: loop {} }": 14, "{ /* } */ }": 10, "{ // }\n}": 7, `{ r##"}"# "## }`: 14, "{ '\\'' }": 7, "{ r\"": -1, "{ /*": -1, "{ '\\": -1,
	} {
		if got := closingBrace([]byte(src), 0); got != want {
			t.Errorf("%q: %d, want %d", src, got, want)
		}
	}
}
