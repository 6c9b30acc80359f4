package graph_test

import (
	"testing"

	"golang.org/x/tools/txtar"
)

// crates is a workspace of three crates of Rust.
const crates = `
-- Cargo.toml --
[workspace]
members = ["crates/*"]
-- crates/shape/Cargo.toml --
[package]
name = "acme-shape"
version = "0.1.0"
-- crates/shape/src/lib.rs --
pub use crate::circle::{Circle, Kind as Sort};
pub use self::area::*;
mod area;
mod circle;
pub mod draw {
    pub fn line() {}
}
-- crates/shape/src/area.rs --
use super::circle::Circle;
pub fn total(all: &[Circle]) -> u32 { all.iter().map(|c| c.size()).sum() }
pub trait Area {
    fn size(&self) -> u32;
    fn double(&self) -> u32 { self.size() * 2 }
}
-- crates/shape/src/circle.rs --
use crate::area::Area;
pub struct Circle { pub kind: Kind, center: Point }
pub struct Point(pub u32, Kind);
pub enum Kind { Small, Large(Point), Named { at: Point } }
impl Circle {
    pub fn new() -> Result<Self, Error> { Ok(Circle { kind: Kind::Small, center: Point(1, Kind::Small) }) }
    fn grow(&mut self) -> &mut Self { self.center.shift(); self }
    fn last(&self) { self.center.1.is_small(); }
}
impl Area for Circle { fn size(&self) -> u32 { 1 } }
impl Kind { pub fn is_small(&self) -> bool { true } }
impl Point { fn shift(&self) {} }
#[cfg(test)]
mod tests {
    use super::*;
    fn check() { assert_eq!(Circle::new().unwrap().grow().size(), 1); }
    fn each(k: Option<&Kind>) {
        match k { Some(Kind::Large(p)) => p.shift(), Some(Kind::Named { at: q }) => q.shift(), _ => {} }
    }
}
-- crates/shape/src/more.rs --
use crate::circle::Point;
impl Point { pub fn far(&self) {} }
-- crates/app/Cargo.toml --
[package]
name = "app"
version = "0.1.0"
[[bin]]
name = "app"
path = "main.rs"
-- crates/app/main.rs --
use acme_shape::{draw, total, Area, Circle, Sort};
mod args;
fn main() -> Result<(), Error> {
    let c = Circle::new()?;
    total(&[c]);
    draw::line();
    acme_shape::draw::line();
    args::parse(&c);
    if let Some(k) = c.list().first() { k.other() }
}
fn generic<A: Area>(a: A, k: &Sort) { a.double(); k.is_small(); }
-- crates/app/args.rs --
use std::fmt::Point;
pub fn parse(c: &acme_shape::Circle, p: &Point) { c.kind.is_small(); p.far(); super::generic(1, 2); }
-- crates/other/Cargo.toml --
[package]
name = "other"
[lib]
path = "code.rs"
-- crates/other/code.rs --
pub struct Circle;
impl Circle { pub fn new() -> Self { Circle } pub fn size(&self) {} }
fn own() { Circle::new().size(); let total = 1; }
`

func TestCratesOfAWorkspace(t *testing.T) {
	w := openWorkspace(t, txtar.Parse([]byte(crates)).Files)
	for _, test := range []struct{ of, want string }{
		{"crates/shape/src/circle.rs:Circle.new", "circle.rs:tests.check main.rs:main"},
		{"crates/shape/src/circle.rs:Circle.size", "area.rs:total circle.rs:tests.check"},
		{"crates/shape/src/circle.rs:Circle.grow", "circle.rs:tests.check"},
		{"crates/shape/src/circle.rs:Kind.is_small", "args.rs:parse circle.rs:Circle.last main.rs:generic"},
		{"crates/shape/src/circle.rs:Point.shift", "circle.rs:Circle.grow circle.rs:tests.each"},
		{"crates/shape/src/more.rs:Point.far", ""},
		{"crates/shape/src/area.rs:total", "main.rs:main"},
		{"crates/shape/src/area.rs:Area.double", "main.rs:generic"},
		{"crates/shape/src/lib.rs:draw.line", "main.rs:main"},
		{"crates/app/args.rs:parse", "main.rs:main"},
		{"crates/app/main.rs:generic", "args.rs:parse"},
		{"crates/other/code.rs:Circle.new", "code.rs:own"},
		{"crates/other/code.rs:Circle.size", "code.rs:own"},
	} {
		if got := w.callers(t, test.of, 0.5); got != test.want {
			t.Errorf("%s is called by %q, want %q", test.of, got, test.want)
		}
	}
}
