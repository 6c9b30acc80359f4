package graph_test

import (
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

const oldScripts = `
-- reply.js --
'use strict'
const { Headers } = require('./headers')
function Reply (res) { this.raw = res; this.sent = new Headers() }
Reply.prototype.send = function (body) { return this.header('a', body) }
Reply.prototype.header = function (name, value) { this.sent.put(name); return this }
module.exports = Reply
-- headers.js --
class Headers { put() {} }
Headers.all = {}
module.exports = { Headers }
-- old.js --
function Queue () {}
Queue.prototype = {
  push: function (x) { this.grow() },
  grow () {}
}
module.exports.Queue = Queue
-- factory.js --
const Reply = require('./reply')
const { Queue } = require('./old')
const { Headers } = require('./headers')
function reply () {
  if (!Reply) { return null }
  const made = new Reply()
  return made
}
const queue = () => new Queue()
function either (x) { if (x) { return new Queue() } return new Reply() }
module.exports = { reply, queue, either, Headers }
-- use.js --
const { reply, queue, either } = require('./factory')
const factory = require('./factory')
const { Headers } = factory
function viaResult () { reply().send('x') }
function viaChain () { reply().header('a').send('x') }
function viaNew (Reply) { const r = new (require('./reply'))() }
function viaModule () { factory.reply().send('x') }
function viaObject () { queue().push(1) }
function notKnown () { either(1).grow() }
-- again.js --
const { Headers } = require('./factory')
function viaBarrel () { new Headers().put() }
-- shadow.js --
function done () {}
function finish () { done() }
function callback (a, done) { done() }
const arrow = ({ done }) => done()
function taken () { const [a, done] = both(); return () => done(a) }
module.exports = { done, finish, callback, arrow }
-- test/fake.test.js --
const response = { flushAll () {} }
test('x', () => { response.flushAll() })
-- ship.js --
function ship (r) { r.flushAll() }
module.exports = { ship }
`

// TestOldScripts: constructors with prototypes, modules by require, what functions return that do not say so, and parameters that hide
// functions.
func TestOldScripts(t *testing.T) {
	w := openWorkspace(t, txtar.Parse([]byte(oldScripts)).Files)
	for of, want := range map[string]string{
		"reply.js:Reply.send":                 "use.js:viaChain use.js:viaModule use.js:viaResult",
		"reply.js:Reply.header":               "reply.js:Reply.send use.js:viaChain",
		"headers.js:Headers.put":              "again.js:viaBarrel reply.js:Reply.header",
		"old.js:Queue.push":                   "use.js:viaObject",
		"old.js:Queue.grow":                   "old.js:Queue.push",
		"shadow.js:done":                      "shadow.js:finish",
		"test/fake.test.js:response.flushAll": "fake.test.js:remainder",
	} {
		if got := w.callers(t, of, 0.8); got != want {
			t.Errorf("%s is called by %q, want %q", of, got, want)
		}
	}
	if got := w.callers(t, "test/fake.test.js:response.flushAll", 0.05); strings.Contains(got, "ship.js:ship") {
		t.Errorf("a test's object is called by what ships: %q", got)
	}
}

const pythonFactories = `
-- shop.py --
class Cart:
    def add(self): return self
    def total(self): return 1

def make():
    cart = Cart()
    return cart

def either(x):
    if x:
        return Cart()
    return Wall()

class Wall:
    def total(self): return 2
-- use.py --
from shop import make, either

def bought(): return make().add().total()
def unknown(): return either(1).total()
`

// TestResultsOfPython: a function that writes no result returns what its statements do.
func TestResultsOfPython(t *testing.T) {
	w := openWorkspace(t, txtar.Parse([]byte(pythonFactories)).Files)
	for of, want := range map[string]string{"shop.py:Cart.total": "use.py:bought", "shop.py:Cart.add": "use.py:bought", "shop.py:Wall.total": ""} {
		if got := w.callers(t, of, 0.8); got != want {
			t.Errorf("%s is called by %q, want %q", of, got, want)
		}
	}
}
