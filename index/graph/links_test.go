package graph_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/aurora-sidecar/aurora/index/graph"
)

// project is a workspace in several languages for questions about files and types.
const project = `
-- go.mod --
module example.com/shop
-- cart/doc.go --
// Package cart sells.
package cart
-- cart/cart.go --
package cart

import "example.com/shop/price"

type Cart struct {
	Base
	rate price.Rate
}

type Base struct{ price.Rate }

func (b *Base) Reset() {}

func (c *Cart) Total() int { c.Reset(); return price.WithTax(1) }
-- cart/cart_test.go --
package cart

import "testing"

func TestTotal(t *testing.T) {}

func TestCart(t *testing.T) { c := Cart{}; c.Total() }
-- price/price.go --
package price

type Rate int

func WithTax(n int) int { return n }
-- other/price/price.go --
package price

type Rate int
-- py/model.py --
class Model:
    pass
-- py/cart.py --
from .model import Model
from . import price
import other.model


class Cart(Model):
    def total(self):
        return price.with_tax()


class Gift(Cart, other.model.Model):
    pass
-- py/price.py --
def with_tax():
    pass
-- py/other/model.py --
class Model:
    pass
-- py/tests/test_cart.py --
from py.cart import Cart


def test_total():
    Cart().total()
-- web/cart.ts --
import { Item } from './item';
import type { Priced } from '@/shared/priced';
export class Cart extends Item implements Priced {}
export function loadCart() {}
-- web/item.ts --
export class Item {}
-- web/cart.test.ts --
import { loadCart } from './cart';
describe('cart', () => { it('loads', () => { loadCart(); }); });
-- web/shared/priced.ts --
export interface Priced {}
-- web/item.spec.ts --
describe('item', () => {});
-- src/shape.rs --
pub trait Shape {}
pub struct Circle;
-- src/imp.rs --
use crate::shape::{Circle, Shape};
impl Shape for Circle {}
-- src/main/java/a/Cart.java --
package a;
public class Cart { int total() { return 1; } }
-- src/test/java/a/CartTest.java --
package a;
public class CartTest { void testTotal() { new Cart().total(); } }
-- c/ring.h --
int ring_size(void);
-- c/ring.c --
#include "ring.h"
int ring_size(void) { return 1; }
-- c/main.c --
#include "ring.h"
int main(void) { return ring_size(); }
`

func TestLinks(t *testing.T) {
	w := openWorkspace(t, txtar.Parse([]byte(project)).Files)
	questions := map[string]func(graph.Node) []graph.Edge{
		"imports":    func(n graph.Node) []graph.Edge { edges, _ := w.graph.Imports(n.File); return edges },
		"importers":  func(n graph.Node) []graph.Edge { return w.graph.Importers(n.File) },
		"supertypes": w.graph.Supertypes, "subtypes": w.graph.Subtypes, "tests": w.graph.Tests,
	}
	tests := []struct{ question, of, want string }{
		{"imports", "cart/cart.go:Cart", "price/price.go"},
		{"importers", "price/price.go:WithTax", "cart/cart.go"},
		{"importers", "other/price/price.go:Rate", ""},
		{"imports", "py/cart.py:Cart", "py/model.py py/other/model.py py/price.py"},
		{"importers", "py/model.py:Model", "py/cart.py"},
		{"importers", "py/other/model.py:Model", "py/cart.py"},
		{"importers", "py/price.py:with_tax", "py/cart.py"},
		{"imports", "web/cart.ts:Cart", "web/item.ts web/shared/priced.ts"},
		{"importers", "web/cart.ts:Cart", "web/cart.test.ts"},
		{"importers", "web/shared/priced.ts:Priced", "web/cart.ts"},
		{"imports", "c/main.c:main", "c/ring.h"},
		{"importers", "c/ring.h:ring_size", "c/main.c c/ring.c"},
		{"importers", "src/shape.rs:Shape", "src/imp.rs"},

		{"supertypes", "cart/cart.go:Cart", "cart/cart.go:Base"},
		{"supertypes", "cart/cart.go:Base", "price/price.go:Rate"},
		{"subtypes", "price/price.go:Rate", "cart/cart.go:Base"},
		{"subtypes", "other/price/price.go:Rate", ""},
		{"supertypes", "py/cart.py:Gift", "py/cart.py:Cart py/other/model.py:Model"},
		{"subtypes", "py/model.py:Model", "py/cart.py:Cart"},
		{"subtypes", "py/other/model.py:Model", "py/cart.py:Gift"},
		{"supertypes", "web/cart.ts:Cart", "web/item.ts:Item web/shared/priced.ts:Priced"},
		{"subtypes", "web/shared/priced.ts:Priced", "web/cart.ts:Cart"},
		{"supertypes", "src/shape.rs:Circle", "src/shape.rs:Shape"},
		{"subtypes", "src/shape.rs:Shape", "src/shape.rs:Circle"},

		{"tests", "cart/cart.go:Cart.Total", "cart/cart_test.go:TestCart cart/cart_test.go:TestTotal"},
		{"tests", "cart/cart.go:Cart", "cart/cart_test.go:TestCart"},
		{"tests", "cart/cart_test.go:TestCart", "cart/cart.go:Cart cart/cart.go:Cart.Total"},
		{"tests", "py/cart.py:Cart.total", "py/tests/test_cart.py:test_total"},
		{"tests", "web/cart.ts:loadCart", "web/cart.test.ts"},
		{"tests", "web/item.ts:Item", "web/item.spec.ts"},
		{"tests", "src/main/java/a/Cart.java:Cart", "src/test/java/a/CartTest.java:CartTest src/test/java/a/CartTest.java:CartTest.testTotal"},
		{"tests", "src/main/java/a/Cart.java:Cart.total", "src/test/java/a/CartTest.java:CartTest.testTotal"},
		{"tests", "src/test/java/a/CartTest.java:CartTest", "src/main/java/a/Cart.java:Cart"},
	}
	for _, test := range tests {
		edges := questions[test.question](w.node(t, test.of))
		got := labels(edges)
		if strings.Contains(test.question, "import") || strings.HasPrefix(test.of, "web") && test.question == "tests" {
			for i := range got { // of files
				got[i], _, _ = strings.Cut(got[i], ":")
			}
			got = slices.Compact(got)
		}
		if s := strings.Join(got, " "); s != test.want {
			t.Errorf("%s of %s: %s\nwant %s", test.question, test.of, s, test.want)
		}
		for _, e := range edges {
			if e.Confidence < 0.05 || e.Confidence > 1 || e.Weight <= 0 || e.Weight > e.Confidence || e.Why == "" {
				t.Errorf("%s of %s: edge %+v", test.question, test.of, e)
			}
		}
	}
}

// others is a workspace whose files have the names of what others made.
const others = `
-- src/flask/__init__.py --
-- src/flask/json/__init__.py --
def dumps():
    pass
-- src/flask/app.py --
import json
from flask.json import dumps
from . import helpers


def run():
    json.dumps()
-- src/flask/helpers.py --
def own():
    pass
-- tests/test_app.py --
import flask.json
import types
-- tools/types.py --
def kind():
    pass
-- tools/run.py --
import types
-- log/log.go --
package log

func Print() {}
-- cmd/main.go --
package main

import "log"

func main() { log.Print() }
-- crates/de/src/value.rs --
pub struct Value;
-- crates/de/src/use.rs --
use serde_json::value::Value;
use crate::value::Value as Own;
use std::fmt;
-- crates/de/src/fmt.rs --
pub fn fmt() {}
-- crates/other/src/lib.rs --
use de::value::Value;
-- src/main/java/com/mine/base/Strings.java --
package com.mine.base;
public class Strings {}
-- src/main/java/com/mine/Use.java --
package com.mine;
import com.google.common.base.Strings;
public class Use {}
-- src/main/java/com/mine/Own.java --
package com.mine;
import com.mine.base.Strings;
public class Own {}
-- web/react.ts --
export function useState() {}
-- web/app.ts --
import { useState } from 'react';
import fs from 'node:fs';
export const app = useState;
`

// TestImportsOfOthers makes sure that a library is not taken for a file of the workspace that is called like it.
func TestImportsOfOthers(t *testing.T) {
	w := openWorkspace(t, txtar.Parse([]byte(others)).Files)
	for of, want := range map[string]string{
		"src/flask/app.py":                "src/flask/helpers.py src/flask/json/__init__.py",
		"tests/test_app.py":               "src/flask/json/__init__.py",
		"tools/run.py":                    "tools/types.py",
		"cmd/main.go":                     "",
		"crates/de/src/use.rs":            "crates/de/src/value.rs",
		"crates/other/src/lib.rs":         "crates/de/src/value.rs",
		"src/main/java/com/mine/Use.java": "",
		"src/main/java/com/mine/Own.java": "src/main/java/com/mine/base/Strings.java",
		"web/app.ts":                      "",
	} {
		file, ok := w.links.FileAt(w.snap.Folders()[0], of)
		if !ok {
			t.Fatalf("%s is not indexed", of)
		}
		edges, _ := w.graph.Imports(file)
		got := labels(edges)
		for i := range got {
			got[i], _, _ = strings.Cut(got[i], ":")
		}
		if s := strings.Join(slices.Compact(got), " "); s != want {
			t.Errorf("%s imports %q, want %q", of, s, want)
		}
	}
	file, _ := w.links.FileAt(w.snap.Folders()[0], "src/flask/app.py")
	if _, outside := w.graph.Imports(file); !slices.Equal(outside, []string{"json"}) {
		t.Errorf("outside of src/flask/app.py: %q", outside)
	}
}

func TestOutsideImports(t *testing.T) {
	w := openWorkspace(t, txtar.Parse([]byte(project)).Files)
	_, outside := w.graph.Imports(w.node(t, "cart/cart_test.go:TestCart").File)
	if !slices.Equal(outside, []string{"testing"}) {
		t.Errorf("outside: %q", outside)
	}
}

// TestAmbiguousCalls: a call that may mean several definitions is as unsure as they are many.
func TestAmbiguousCalls(t *testing.T) {
	var b strings.Builder
	b.WriteString("-- use.go --\npackage use\n\nfunc Use(x any) { x.(closer).Close() }\n")
	for _, name := range []string{"a", "b", "c"} {
		b.WriteString("-- " + name + "/f.go --\npackage " + name + "\n\ntype T struct{}\n\nfunc (t *T) Close() {}\n")
	}
	w := openWorkspace(t, txtar.Parse([]byte(b.String())).Files)
	edges := w.graph.Callees(w.node(t, "use.go:Use"))
	if len(edges) != 3 {
		t.Fatalf("edges %v", labels(edges))
	}
	for _, e := range edges {
		if e.Confidence < 0.099 || e.Confidence > 0.101 {
			t.Errorf("confidence %f in one of three, want 0.3/3", e.Confidence)
		}
	}
}

// TestTypesOfReceivers: a call means the method of the type that its receiver has by what is declared.
func TestTypesOfReceivers(t *testing.T) {
	tests := []struct{ files, use, want string }{
		{`
-- go.mod --
module example.com/shop

go 1.24
-- store.go --
package shop

type Store struct{ pool *Pool }
type Pool struct{ Base }
type Base struct{}
type Conns []*Conn
type Conn struct{}

var Main = Open()

func Open() (*Store, error) { return nil, nil }
func (s *Store) Pool() *Pool { return s.pool }
func (b Base) Close() {}
func (p *Pool) All() Conns { return nil }
func (c *Conn) Close() {}
-- other.go --
package shop

type Other struct{}

func (o *Other) Close() {}
-- cmd/use.go --
package cmd

import "example.com/shop"

func Use() {
	s, err := shop.Open()
	s.Pool().Close()
	for _, c := range s.Pool().All() {
		c.Close()
	}
	_ = err
}
`, "cmd/use.go:Use", "Base.Close:0.90 Conn.Close:0.95 Pool.All:0.95 Store.Pool:0.95 Open:0.95 Other.Close:0"},
		{`
-- shape.go --
package shape

type Shape interface {
	Area() int
	Name() string
}
type Square struct{}

func (Square) Area() int    { return 1 }
func (Square) Name() string { return "" }

type Point struct{}

func (Point) Area() int { return 0 }

func Use(s Shape) { s.Area() }
`, "shape.go:Use", "Square.Area:0.60 Point.Area:0"},
		{`
-- lib/__init__.py --
from ._urls import URL as Address
-- lib/_urls.py --
class Base:
    def close(self): ...

class URL(Base):
    def copy(self) -> "URL": ...
-- lib/other.py --
class Other:
    def close(self): ...
-- use.py --
import lib

class Holder:
    def __init__(self, url: lib.Address):
        self.url = url

    def use(self):
        self.url.copy().close()
`, "use.py:Holder.use", "Base.close:0.90 URL.copy:0.95 Other.close:0"},
		{`
-- a.ts --
import { make } from './b'
export class User { constructor(private readonly box = make()) {}
  use() { this.box.items[0].run(); this.hook() }
  hook() {}
}
class Narrow extends User { hook() {} }
-- b.ts --
export interface Box { items: Item[] }
export function make(): Box { return null }
export class Item { run() {} }
export class Other { run() {} }
`, "a.ts:User.use", "Item.run:0.95 Other.run:0 User.hook:0.95 Narrow.hook:0.60"},
		{`
-- src/A.java --
class A {
  private final B b;
  void use() { b.size(1); b.size("x"); b.of().size('c'); }
}
class B {
  int size(int n) { return n; }
  int size(String s) { return 0; }
  C of() { return null; }
}
class C { int size(char c) { return 0; } int size(String s) { return 0; } }
`, "src/A.java:A.use", "B.size:0.95 B.size~1:0.95 C.size:0.95 C.size~1:0 B.of:0.95"},
		{`
-- a.go --
package a

type Flag interface{ Apply() }
type Bool struct{}
type Box[F Flag] struct{ flag F }
type Failure struct{}

func (Bool) Apply()            {}
func (Failure) Error() string  { return "" }
func (b *Box[F]) Run()         { b.flag.Apply() }
func first[F Flag](flags []F)  { flags[0].Apply() }
func fail() error              { return Failure{} }
func table() {
	tests := []struct {
		name string
		flag Flag
	}{{"a", Bool{}}}
	for _, tt := range tests {
		tt.flag.Apply()
	}
	err := fail()
	err.Error()
}
`, "a.go:table", "Bool.Apply:0.60 Failure.Error:0.60"},
		{`
-- a.go --
package a

type Flag interface{ Apply() }
type Bool struct{}
type Box[F Flag] struct{ flag F }

func (Bool) Apply()    {}
func (b *Box[F]) Run() { b.flag.Apply() }
`, "a.go:Box.Run", "Bool.Apply:0.60"},
		{`
-- lib/request.js --
function Request () {}
module.exports = Request
-- lib/only.js --
module.exports = function (o) { return o }
-- lib/reply.js --
function type () {}
module.exports = { type }
-- use.js --
const Request = require('./lib/request')
const pick = require('./lib/only')
function use (reply) { pick(new Request()); reply.type() }
`, "use.js:use", "Request:0.95 exports:0.95 type:0"},
		{`
-- src/a/Format.java --
package a;
class Format {
  static Builder builder() { return null; }
  static class Builder extends other.Stream { Format get() { return null; } }
  void set(char c) { } void set(Character c) { }
}
-- src/a/Parser.java --
package a;
class Parser { static class Builder { Parser get() { return null; } } }
-- src/b/Use.java --
package b;
import a.Format;
import a.Format.Builder;
class Use {
  void use(Builder own) { own.get().set(null); Format.builder().setPath("x").get(); }
}
`, "src/b/Use.java:Use.use", "Builder.get:0 Format.Builder.get:0.95 Parser.Builder.get:0 Format.set:0 Format.set~1:0.95"},
	}
	for _, test := range tests {
		w := openWorkspace(t, txtar.Parse([]byte(test.files)).Files)
		got := map[string]float64{}
		for _, e := range w.graph.Callees(w.node(t, test.use)) {
			_, name, _ := strings.Cut(strings.TrimPrefix(e.To.ID(), "code:"), ":")
			got[name] = e.Confidence
		}
		for _, want := range strings.Fields(test.want) {
			name, sure, _ := strings.Cut(want, ":")
			if fmt.Sprintf("%.2f", got[name]) != sure && (sure != "0" || got[name] != 0) {
				t.Errorf("%s: %s is %.2f, want %s", test.use, name, got[name], sure)
			}
		}
		for _, n := range w.nodes() { // the other way round it is the same
			_, name, _ := strings.Cut(strings.TrimPrefix(n.ID(), "code:"), ":")
			edges, _ := w.graph.Callers(n)
			for _, e := range edges {
				if label(e.To) == test.use && e.Confidence != got[name] {
					t.Errorf("%s: a caller of %s by %.2f, but calls it by %.2f", test.use, name, e.Confidence, got[name])
				}
			}
		}
	}
}
