package arch

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"testing"
)

// harmless are calls that may stand between a Lock and an Unlock that is not deferred: they neither panic nor wait.
var harmless = []string{
	"len", "cap", "append", "close", "delete", "make", "new", "min", "max", "clear", "copy",
	"time.Now", "time.Since", "slices.Clone", "maps.Clone",
}

// harmlessMethods are the same for methods of times, timers, contexts and atomics.
var harmlessMethods = []string{"Add", "After", "Before", "Equal", "Stop", "Reset", "Load", "Store", "Err", "Broadcast"}

// A lock that is not released by a deferred call stays held when what runs under it panics: the panic is contained, and
// who wants the lock next waits for good. So under such a lock nothing is called, and nothing put into a map or list.
func TestLocksAreReleasedByDefer(t *testing.T) {
	seen := 0
	for _, p := range packages(t) {
		for _, name := range p.GoFiles {
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, body := range bodies(file) {
				events := lockEvents(body)
				seen += len(events)
				if risk := risky(events); risk != nil {
					t.Errorf("%s: %s, with a lock held that no deferred call releases", fset.Position(risk.at), risk.what)
				}
			}
		}
	}
	if seen < 1000 {
		t.Errorf("only %d events were seen", seen)
	}
}

func TestTheGuardOfLocksSees(t *testing.T) {
	for body, want := range map[string]string{
		"mu.Lock(); defer mu.Unlock(); f()":                          "",
		"mu.Lock(); x = 1; mu.Unlock(); f()":                         "",
		"mu.Lock(); f(); mu.Unlock()":                                "f is called",
		"mu.RLock(); m[k] = v; mu.RUnlock()":                         "m[k] is set",
		"mu.Lock(); if a { mu.Unlock(); return }; f(); mu.Unlock()":  "f is called",
		"mu.Lock(); if a { mu.Unlock(); f(); return }; mu.Unlock()":  "",
		"mu.Lock(); if a { mu.Unlock(); return }; defer mu.Unlock()": "",
		"mu.Lock(); a := func() { f() }; mu.Unlock(); a()":           "",
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "", "package p; func g() {"+body+"}", parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if risk := risky(lockEvents(bodies(file)[0])); risk != nil {
			got = risk.what
		}
		if got != want {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
}

// bodies are those of functions, declared ones and literals.
func bodies(file *ast.File) (all []*ast.BlockStmt) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Body != nil {
				all = append(all, n.Body)
			}
		case *ast.FuncLit:
			all = append(all, n.Body)
		}
		return true
	})
	return all
}

// A lockEvent is something that matters to locks.
type lockEvent struct {
	at    token.Pos
	kind  lockKind
	mutex string    // of a lock or release
	what  string    // of a risk
	until token.Pos // of a release before a return: the end of its block, after which the lock is held again
}

type lockKind int

const (
	locks lockKind = iota
	releases
	defers
	risks
)

// lockEvents lists what a function does, but for what function literals in it do.
func lockEvents(body *ast.BlockStmt) (events []lockEvent) {
	var blocks []ast.Node
	ast.Inspect(body, func(n ast.Node) bool {
		if n == nil {
			blocks = blocks[:len(blocks)-1]
			return true
		}
		switch n := n.(type) {
		case *ast.FuncLit, *ast.GoStmt:
			return false
		case *ast.DeferStmt:
			if mutex, release := lockCall(n.Call); release {
				events = append(events, lockEvent{at: n.Pos(), kind: defers, mutex: mutex})
			}
			return false
		case *ast.CallExpr:
			events = append(events, callEvent(n, blocks))
		case *ast.AssignStmt:
			for _, left := range n.Lhs {
				if index, ok := left.(*ast.IndexExpr); ok {
					events = append(events, lockEvent{at: n.Pos(), kind: risks, what: types.ExprString(index) + " is set"})
				}
			}
		}
		blocks = append(blocks, n)
		return true
	})
	slices.SortStableFunc(events, func(a, b lockEvent) int { return cmp.Compare(a.at, b.at) })
	return events
}

func callEvent(call *ast.CallExpr, blocks []ast.Node) lockEvent {
	mutex, release := lockCall(call)
	switch {
	case release:
		return lockEvent{at: call.Pos(), kind: releases, mutex: mutex, until: endOfBranch(blocks)}
	case mutex != "":
		return lockEvent{at: call.Pos(), kind: locks, mutex: mutex}
	}
	return lockEvent{at: call.Pos(), kind: risks, what: riskOf(call)}
}

// lockCall returns what a call locks or releases.
func lockCall(call *ast.CallExpr) (mutex string, release bool) {
	method, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || len(call.Args) > 0 {
		return "", false
	}
	switch method.Sel.Name {
	case "Lock", "RLock":
		return types.ExprString(method.X), false
	case "Unlock", "RUnlock":
		return types.ExprString(method.X), true
	}
	return "", false
}

// riskOf returns why a call must not stand under a lock, "" when it may.
func riskOf(call *ast.CallExpr) string {
	name := types.ExprString(call.Fun)
	if slices.Contains(harmless, name) {
		return ""
	}
	if method, ok := call.Fun.(*ast.SelectorExpr); ok && slices.Contains(harmlessMethods, method.Sel.Name) {
		return ""
	}
	return name + " is called"
}

// endOfBranch is where the innermost block ends when it ends by leaving what is around it; 0 when it does not.
func endOfBranch(blocks []ast.Node) token.Pos {
	for _, n := range slices.Backward(blocks) {
		var list []ast.Stmt
		switch n := n.(type) {
		case *ast.BlockStmt:
			list = n.List
		case *ast.CaseClause:
			list = n.Body
		default:
			continue
		}
		switch list[len(list)-1].(type) {
		case *ast.ReturnStmt, *ast.BranchStmt:
			return n.End()
		}
		return 0
	}
	return 0
}

// risky returns the first risk under a lock that no deferred call releases.
func risky(events []lockEvent) *lockEvent {
	for i, e := range events {
		if e.kind != locks {
			continue
		}
		if risk := underLock(e.mutex, events[i+1:]); risk != nil {
			return risk
		}
	}
	return nil
}

// underLock returns the first risk before the lock is released.
func underLock(mutex string, events []lockEvent) (first *lockEvent) {
	var free token.Pos // up to where it is released on the way to a return
	for i, e := range events {
		switch {
		case e.at < free:
		case e.kind == risks && e.what != "" && first == nil:
			first = &events[i]
		case e.mutex != mutex || e.kind == locks:
		case e.kind == defers:
			return nil
		case e.until == 0:
			return first
		default:
			free = e.until
		}
	}
	return first
}
