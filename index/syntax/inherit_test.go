package syntax

import (
	"strings"
	"testing"
)

func TestInherits(t *testing.T) {
	tests := []struct{ language, src, want string }{
		{"go", "package a\ntype S struct { A; *B; p.C; *p.D; G[int]; x int }\ntype I interface { io.Reader; J; m(); ~int | string }\n",
			"S:A S:B S:p.C S:p.D S:G I:io.Reader I:J"},
		{"python", "class A(B, c.D, Generic[T], metaclass=M): pass\n", "A:B A:c.D A:Generic"},
		{"typescript", "class A<T> extends ns.B<T> implements C, D<E> {}\ninterface I extends J, K<L> {}\n" +
			"abstract class Q extends B {}\nconst X = class extends Y {}\n", "A:ns.B A:C A:D I:J I:K Q:B X:Y"},
		{"tsx", "export class A extends B {}\n", "A:B"},
		{"javascript", "class A extends B.C {}\nclass Z extends Q {}\nconst X = class extends Y {}\n", "A:B.C Z:Q X:Y"},
		{"java", "class A extends B<T> implements C, d.D {}\ninterface I extends J, K<X> {}\nenum E implements F { X }\n" +
			"record R(int a) implements G {}\n", "A:B A:C A:d.D I:J I:K E:F R:G"},
		{"kotlin", "class A(x: Int) : B(x), C<T>, D by y {}\nobject O : P()\ninterface I : J\n", "A:B A:C A:D O:P I:J"},
		{"csharp", "class A : B<T>, N.C, ID {}\nstruct S : I {}\ninterface I : J {}\nrecord R(int a) : B(a), I;\nenum E : byte { X }\n",
			"A:B A:N.C A:ID S:I I:J R:B R:I"},
		{"cpp", "class A : public B<T>, private ns::C, D {};\nstruct S : T {};\ntemplate<class X> struct U : V<X> {};\n",
			"A:B A:ns.C A:D S:T U:V"},
		{"rust", "impl<T> fmt::Display for A<T> {}\nimpl From<X> for b::B {}\ntrait T: U + v::V + 'static {}\nimpl A {}\n",
			"A:fmt.Display B:From T:U T:v.V"},
		{"ruby", "class A < B::C\n include D\n extend E, F\n attr_reader :x\nend\nclass G < H; end\nmodule M\n include N::O\nend\n",
			"A:B.C A:D A:E A:F G:H M:N.O"},
		{"php", "<?php\nclass A extends \\N\\B implements C, D { use T1, T2; }\ninterface I extends J {}\nenum E: string implements K {}\n",
			"A:N.B A:C A:D A:T1 A:T2 I:J E:K"},
		{"swift", "class A: B, C {}\nstruct S: P.Q {}\nextension A: D {}\nprotocol P: R {}\nenum E: Int, F {}\n",
			"A:B A:C S:P.Q A:D P:R E:Int E:F"},
		{"scala", "class A(x: Int) extends B[T](x) with C with d.D {}\nobject O extends P\ntrait T extends U with V\n" +
			"enum E extends W { case X }\n", "A:B A:C A:d.D O:P T:U T:V E:W"},
	}
	for _, test := range tests {
		out := mustParse(t, ByName(test.language), []byte(test.src))
		var got []string
		for _, h := range out.Inherits {
			got = append(got, h.Subtype+":"+dotted(h.Qualifier, h.Supertype))
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: %s, want %s", test.language, strings.Join(got, " "), test.want)
		}
	}
}

func TestQualifiers(t *testing.T) {
	tests := []struct{ language, src, want string }{
		{"go", "package a\nfunc f() { g(); p.h(); a.b.c(); f().x(); m[0].y(); (z)() ; k.\n\tn() }\n",
			"g p.h b.c f ?.x ?.y z k.n"},
		{"typescript", "function f() { this.a(); x?.b(); y!.c(); new N.D(); `t`.e(); q\n  .r() }\n", "this.a x.b y.c N.D ?.e q.r"},
		{"cpp", "void f() { a->b(); N::M::c(); d.e(); ::g(); }\n", "a.b M.c d.e g"},
		{"php", "<?php\nfunction f() { $this->a(); B::c(); $d?->e(); }\n", "this.a B.c d.e"},
		{"python", "def f():\n    größe.a()\n    ''.join(b())\n", "größe.a ?.join b"},
	}
	for _, test := range tests {
		out := mustParse(t, ByName(test.language), []byte(test.src))
		var got []string
		for _, c := range out.Calls {
			got = append(got, dotted(c.Qualifier, c.Name))
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: %s, want %s", test.language, strings.Join(got, " "), test.want)
		}
	}
}

// TestFileDoc: only a string at the very start documents a file.
func TestFileDoc(t *testing.T) {
	tests := []struct{ src, want string }{
		{"\"\"\"Doc.\"\"\"\nx = 1\n", `"""Doc."""`},
		{"#!/usr/bin/python\n# -*- coding: utf-8 -*-\n\n'Doc.'\n", "'Doc.'"},
		{"import x\n'no'\n", ""},
		{"def f():\n    'no'\n", ""},
		{"class A:\n    'no'\n'no'\n", ""},
		{"x = 'no'\n", ""},
	}
	for _, test := range tests {
		out := mustParse(t, ByName("python"), []byte(test.src))
		if got := test.src[out.Doc.Start:out.Doc.End]; got != test.want {
			t.Errorf("%q: doc %q, want %q", test.src, got, test.want)
		}
	}
}
