package chunk

import (
	"strings"
	"testing"
)

// TestReceiversAsPaths: what calls are made on, by the types and values that names are given.
func TestReceiversAsPaths(t *testing.T) {
	tests := []struct{ language, src, want string }{
		{"go", "package a\nfunc f(e *gin.Engine) { e.Run(); x := New(); x.Go(); x.pool.Get().Put() }\n",
			"Run:;gin.Engine; Go:New() Get:New().pool Put:New().pool.Get()"},
		{"go", "package a\nfunc f() { v, err := load(); v.A(); err.B(); for i, w := range v.list { w.C() }; u := x.(*T); u.D() }\n",
			"A:load()@0 B:load()@1 C:load()@0.list* D:;T;"},
		{"go", "package a\nfunc f(c *Out) {\n\tuse(func(c *In) {\n\t\tc.A()\n\t})\n\tc.B()\n}\n", "A:;In; B:;Out;"},
		{"go", "package a\nfunc f() {\n\tx := one()\n\tif true {\n\t\tx := two()\n\t\tx.A()\n\t}\n\tx.B()\n}\n", "A:two() B:one()"},
		{"go", "package a\nfunc f(v any) {\n\tswitch v := v.(type) {\n\tcase *A:\n\t\tv.M()\n\tcase B, C:\n\t\tv.N()\n\t}\n}\n", "M:;A; N:?"},
		{"go", "package a\nfunc (s *S) f() { s.db.Get().A(); m := map[string]*T{}; m[k].B(); (&U{}).C() }\n", "Get:self.db A:self.db.Get() B:;{}<string,T>;[] C:;U;"},
		{"typescript", "function f() {\n  const x = make()\n    .with(1)\n    .done()\n  x.a()\n}\n", "with:make() done:make().with() a:make().with().done()"},
		{"python", "def f(c: Client):\n    c.a()\n    x = lib.URL(1)\n    x = x.b()\n    x.c()\n    with x.open() as y:\n        y.d()\n    for z in sorted(x.parts):\n        z.e()\n    ','.join(z)\n",
			"a:;Client; b:lib.URL() open:lib.URL().b() c:lib.URL().b() d:lib.URL().b().open()% e:lib.URL().b().parts* join:'"},
		{"python", "class A:\n    def f(self, o: 'Optional[B]' = None):\n        self.x.a()\n        o.b()\n        super().f().c()\n", "a:self.x b:;B; c:super.f()"},
		{"typescript", "class A {\n  f(b: B | null) {\n    this.x!.a(); b?.c(); const { d, e: g } = b; d.h(); g.i(); (b as C<D>).j(); new E<F>(1).k();\n    for (const p of this.ps) p.l()\n  }\n}\n",
			"a:self.x c:;B; h:;B;.d i:;B;.e j:;C<D>; k:;E<F>; l:self.ps*"},
		{"typescript", "function f(xs: Map<string, $T>) { xs.get('').a(); make<{a: string}>().b(); let p: Promise<Q>; p.c() }\n",
			"a:;{}<string,$T>;.get() get:;{}<string,$T>; b:make() c:;Q;"},
		{"typescript", "const h: H = (c) => c.a()\non({ done: (e) => e.b(), each(i) { i.c() } }, async (x, { y }) => { x.d(); y.e() })\nxs.map(u => u.f())\nif (a == b) (z) => z.g()\n",
			"a:;H;&0 b:on&0.done&0 c:on&0.each&0 d:on&1&0 e:on&1&1.y f:xs.map&0&0 g:?"},
		{"rust", "impl<'a> A<'a> {\n fn f<W: Out + 'a>(&self, b: &'a mut B<'_>, w: W, c: Option<Box<dyn C>>) -> R {\n  self.x.y.a(); b.b(); w.c(); if let Some(c) = c { c.d() }\n  let e = m::E::<T>::new(1)?; e.e(); for (i, g) in e.list.iter().enumerate() { g.g() }\n  match b { En::V(v) => v.h(), En::W { p, q: r } => r.i(), _ => S { z: 1 }.j() }\n  c.map(|k| k.k()); fut.await.l(); \"s\".m(); (&*b).o(); En::W { p: 1 }.p()\n }\n}\n",
			"a:self.x.y b:;B; c:;Out; d:;[]<C>;* new:m.E e:m.E.new()% enumerate:m.E.new()%.list.iter() iter:m.E.new()%.list g:m.E.new()%.list.iter().enumerate()*@1 h:;En;.V@0 i:;En;.q j:;S; map:;[]<C>; k:;[]<C>;* l:fut m:' o:;B; p:;En;"},
		{"java", "class A {\n void f(List<B> bs) { bs.get(0).a(); var c = C.of(); c.d(); ((E) c).g(); for (B b : bs) { b.h(); } new I().j(); }\n}\n",
			"a:;[]<B>;.get() get:;[]<B>; d:C.of() g:;E; h:;B; j:;I;"},
	}
	for _, test := range tests {
		f := analyze(t, test.language, test.src)
		got := map[string]bool{}
		for i := range f.Chunks {
			for _, c := range f.Chunks[i].Calls {
				if c.On != "" {
					got[c.Name+":"+c.On] = true
				}
			}
		}
		for _, want := range strings.Fields(test.want) {
			if !got[want] {
				t.Errorf("%s: no %s in %v", test.language, want, got)
			}
			delete(got, want)
		}
		for path := range got {
			if name, _, _ := strings.Cut(path, ":"); strings.Contains(test.want, name+":") {
				t.Errorf("%s: %s, too", test.language, path)
			}
		}
	}
}

// TestTypesOfNames: what a file tells others about its fields, variables and results.
func TestTypesOfNames(t *testing.T) {
	tests := []struct {
		language, src string
		want          map[string]string
	}{
		{
			"go", "package a\nvar V = NewT()\ntype T struct {\n\tb.Base\n\ts  *S\n\tfs []func() R\n}\ntype L []*T\ntype I interface{ M() (R, error) }\nfunc NewT() *T { return nil }\nfunc (t *T) N() (a, b *S) { return }\n",
			map[string]string{
				"V": "=NewT()", "T.s": "S", "T.Base": "b.Base", "T.fs": "[]<()<R>>", "L=": "[]<T>", "I.M()": "(R,error)", "NewT()": "T", "T.N()": "(S,S)",
			},
		},
		{
			"go", "package a\ntype Box[K comparable, F Flag] struct {\n\tcases []struct {\n\t\tname, note string // what\n\t\ta, b *F\n\t}\n}\nfunc first[T Flag](list []T) T { return list[0] }\n",
			map[string]string{"Box<F": "Flag", "Box<K": "", "Box.cases": "[]<struct<a=F,b=F>>", "first()": "Flag"},
		},
		{
			"typescript", "export class Box<T extends Base = Narrow, U> { item: T }\nexport function first<T extends Base>(x: T): T { return x }\n",
			map[string]string{"Box<T": "Base", "Box<U": "", "Box.item": "T", "first()": "Base"},
		},
		{
			"typescript", "type H<E> = (c: Context<E>, n: number) => [A, B]\ninterface I<T> extends J<T, K[]> { p: (e: U) => void; m(x: X, n: number): void; (one: P): Q\n  <T>(...two: [R, S]): Q }\nfunction f(n: number, cb: (v: V) => void, ...r: W[]) {}\nclass C { constructor(o: O) {} }\nfunction g(p: { q: G, n: number }) { }\n",
			map[string]string{
				"H=": "()<(A,B),Context<E>,number>", "H<": "E", "I<": "T", "I:J": "(T,[]<K>)", "I.m&": "(X)", "I&": "(P,S)", "I.p": "()<void,U>",
				"f&": "(_,()<void,V>,...[]<W>)", "C.constructor&": "(O)", "I.x": "", "g&": "", "e": "",
			},
		},
		{
			"python", "app = Flask()\nclass A(B):\n    k: Dict[str, V]\n    def __init__(self, c: C):\n        self.c = c\n        self.d = None\n        self.d = D()\n    async def g(self) -> AsyncIterator[E]: ...\n",
			map[string]string{"app": "=Flask()", "A.k": "{}<str,V>", "A.c": "C", "A.d": "=D()", "A.g()": "[]<E>"},
		},
		{
			"typescript", "export const h = new H()\ninterface I { a: A[]; m(): this }\nclass C {\n  constructor(private readonly d: D) {}\n  e = new E()\n  get g(): G | undefined { return }\n}\ntype X = Y<Z>\n",
			map[string]string{"h": "H", "I.a": "[]<A>", "I.m()": "this", "C.d": "D", "C.e": "E", "C.g()": "G", "X=": "Y<Z>"},
		},
		{
			"rust", "pub struct A<'a, T> { x: &'a [B], pub y: Rc<RefCell<HashMap<K, V>>>, f: Box<dyn Fn(u8) -> R + Send> }\nstruct N(pub U, (V, W));\nenum E { P(Q), O { o: crate::m::O } }\nimpl<T> A<'_, T> {\n    fn g() -> io::Result<Vec<Self>> {}\n    fn h(&self) -> impl Iterator<Item = &'_ B> + '_ {}\n}\nstatic S: LazyLock<A> = LazyLock::new(|| A::new());\ntype L = Vec<B>;\n",
			map[string]string{
				"A.x": "[]<B>", "A.y": "{}<K,V>", "A.f": "()<R>", "N=": "(U,(V,W))", "E.P": "(Q)", "E.o": "crate.m.O", "A.g()": "[]<[]<Self>>",
				"A.h()": "[]<B>", "S": "A", "L=": "[]<B>",
			},
		},
		{
			"java", "class A {\n private final B b;\n C m(int i) { return null; }\n C m(String s, D... d) { return null; }\n}\n",
			map[string]string{"A.b": "B", "A.m()": "C", "A.m#0": "(int)", "A.m#1": "(String,D...)"},
		},
	}
	for _, test := range tests {
		f := analyze(t, test.language, test.src)
		for name, want := range test.want {
			if got := f.Types.Of(name); got != want {
				t.Errorf("%s: %s is %q, want %q in %q", test.language, name, got, want, f.Types)
			}
		}
		decoded, err := Decode(Encode(f))
		if err != nil || decoded.Types != f.Types {
			t.Errorf("%s: decoded %q, %v", test.language, decoded.Types, err)
		}
	}
}

func TestArgumentsOfOverloads(t *testing.T) {
	f := analyze(t, "java", "class A {\n void f(B b) { g(\"s\", 'c', 1, b, x.y(), new C<D>()); h(); }\n}\n")
	got := map[string]string{}
	for i := range f.Chunks {
		for _, c := range f.Chunks[i].Calls {
			got[c.Name] = c.Args
		}
	}
	if got["g"] != "(String,char,int,B,_,C)" || got["h"] != "()" {
		t.Errorf("arguments %v", got)
	}
}

// TestBrokenTextEnds: half-typed expressions are given up, not followed for ever.
func TestBrokenTextEnds(t *testing.T) {
	for _, src := range []string{
		"package a\nfunc f() { x := x.y; x.z(); a := b; b := a; a.c(); ((((( ).d() }\n",
		"package a\nfunc f() { x := ) ] }.a().b( }\n", "package a\nfunc f() { \".a(); x.(.b() ; x[.c() }\n",
	} {
		analyze(t, "go", src)
	}
	deep := "x" + strings.Repeat(".a()", 200)
	f := analyze(t, "typescript", "function f() { const y = "+deep+"; y.b(); "+deep+".c() }\n")
	for i := range f.Chunks {
		for _, c := range f.Chunks[i].Calls {
			if len(c.On) > maxPath {
				t.Fatalf("a path of %d bytes", len(c.On))
			}
		}
	}
}

func TestGoModuleIsAManifest(t *testing.T) {
	for src, want := range map[string]string{
		"module example.com/a/v2\n\ngo 1.24\n": `{"name":"example.com/a/v2"}`, "// of it\nmodule \"b\" // c\n\ngo 1.20\n": `{"name":"b"}`,
		"module of a text\ngo 1\n": "", "a\nmodule b\ngo 1\n": "",
	} {
		if got := BuildText([]byte(src)).Manifest; got != want {
			t.Errorf("%q: %q, want %q", src, got, want)
		}
	}
}
