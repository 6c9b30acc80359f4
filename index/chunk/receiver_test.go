package chunk

import (
	"strings"
	"testing"
)

// callsOf writes a chunk's calls on one line.
func callsOf(c *Chunk) string {
	var list []string
	for _, call := range c.Calls {
		name := call.Name
		if call.Qualifier != "" {
			name = call.Qualifier + "." + name
		}
		list = append(list, name)
	}
	return strings.Join(list, " ")
}

// Where values are followed, fields and what is constructed are shown by Call.On, see TestReceiversAsPaths.
func TestQualifiersBecomeTypes(t *testing.T) {
	tests := []struct{ language, src, want string }{
		{"go", "package a\nimport \"strings\"\n" +
			"func (s *Store) f(r *http.Request, strings2 string) {\n s.a(); r.b(); strings.c(); x := NewCart(); x.d(); y := &item{1}; y.e(); var z pkg.T; z.g(); q.h(); s.db.i()\n}\n",
			"self.a Request.b strings.c NewCart x.d y.e T.g q.h db.i"},
		{"python", "class A:\n  def f(self, cart: Cart, other):\n    self.a(); cart.b(); other.c()\n    s = shop.Store(1); s.d(); super().e()\n    d = {s: Q}\n",
			"self.a Cart.b other.c shop.Store s.d super super.e"},
		{"typescript", "class A {\n f(cart: Cart, n: number) { this.a(); cart.b(); n.c(); const s = new Store<X>(); s.d(); super.e(); let r: Retry = get(); r.g() }\n}\n",
			"self.a Cart.b n.c Store Store.d super.e get Retry.g"},
		{"java", "class A {\n void f(Cart cart, List<Item> items) { this.a(); cart.b(); items.c(); Store s = Store.open(); s.d(); var v = new Vault(); v.e(); super.g(); }\n}\n",
			"self.a Cart.b items.c Store.open Store.d Vault Vault.e super.g"},
		{"rust", "impl A {\n fn f(&self, cart: &mut Cart) { self.a(); cart.b(); let s = Store::new(); s.d(); Self::e(); }\n}\n",
			"self.a Cart.b Store.new s.d self.e"},
		{"cpp", "struct A { void f(const Cart& cart, Item* item) { this->a(); cart.b(); item->c(); ns::g(); } };\n",
			"self.a Cart.b Item.c ns.g"},
		{"php", "<?php\nclass A { function f(Cart $cart) { $this->a(); $cart->b(); self::c(); parent::d(); } }\n",
			"self.a Cart.b self.c super.d"},
		{"php", "<?php\nclass A { function __construct(private ?Base $db, Other|null $o) {} function f() { $this->db->a(); } }\n", "Base.a"},
		{"php", "<?php\nclass A { private Base|null $db = null; function f() { $this->db->a(); } }\n", "Base.a"},
		{"kotlin", "class A(private val db: Base) {\n fun f() { db.a() }\n}\n", "Base.a"},
		{"cpp", "class A { void f() { db_->a(); more_.b(); } std::unique_ptr<Base> db_; const ns::More* more_; };\n", "Base.a More.b"},
		{"rust", "struct A { db: Base }\nimpl A {\n fn f(&self) { self.db.a(); }\n}\n", "db.a"},
		{"kotlin", "class A {\n fun f(cart: Cart) { cart.b(); val s = Store(1); s.d(); this.e() }\n}\n", "Cart.b Store Store.d self.e"},
	}
	for _, test := range tests {
		f := analyze(t, test.language, test.src)
		got := ""
		for i := range f.Chunks {
			if f.Chunks[i].Name == "f" {
				got = callsOf(&f.Chunks[i])
			}
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.language, got, test.want)
		}
	}
}

func TestInheritsBelongToTheSubtype(t *testing.T) {
	tests := []struct{ language, src, want string }{
		{"python", "class A(B):\n  class C(D): pass\nclass C(E): pass\n", "A:B A.C:D C:E"},
		{"rust", "struct A;\nimpl Show for A { fn show(&self) {} }\nimpl Show for B { fn show(&self) {} }\n", "A:Show remainder:Show"},
		{"swift", "class A { }\nextension A: P { func f() {} }\n", "A:P"},
	}
	for _, test := range tests {
		f := analyze(t, test.language, test.src)
		var got []string
		for _, h := range f.Inherits {
			id := strings.TrimPrefix(f.Chunks[h.Chunk].ID(""), "code::")
			got = append(got, id+":"+h.Supertype)
		}
		if s := strings.Join(got, " "); s != test.want {
			t.Errorf("%s: %s, want %s", test.language, s, test.want)
		}
		decoded, err := Decode(Encode(f))
		if err != nil || len(decoded.Inherits) != len(f.Inherits) || decoded.Inherits[0] != f.Inherits[0] {
			t.Errorf("%s: decoded %+v, %v", test.language, decoded, err)
		}
	}
}
