package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/build"
	"go/format"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
)

// A mutant is a package with one change.
type mutant struct {
	file   string // absolute
	place  string // file:line:column of it
	change string // "< -> <="
	source []byte
}

// replacements are what takes the place of an operator, one at a time.
var replacements = map[token.Token][]token.Token{
	token.LSS: {token.GEQ, token.LEQ}, token.LEQ: {token.GTR, token.LSS}, token.GTR: {token.LEQ, token.GEQ}, token.GEQ: {token.LSS, token.GTR},
	token.EQL: {token.NEQ}, token.NEQ: {token.EQL}, token.LAND: {token.LOR}, token.LOR: {token.LAND},
	token.ADD: {token.SUB}, token.SUB: {token.ADD}, token.MUL: {token.QUO}, token.QUO: {token.MUL}, token.INC: {token.DEC}, token.DEC: {token.INC},
}

// mutants are all that can be made of the files of a folder that are built on this system.
func mutants(folder string) ([]mutant, error) {
	pkg, err := build.ImportDir(folder, 0)
	if err != nil {
		return nil, err
	}
	var all []mutant
	for _, name := range append(pkg.GoFiles, pkg.CgoFiles...) {
		path, err := filepath.Abs(filepath.Join(folder, name))
		if err != nil {
			return nil, err
		}
		of, err := mutantsOf(path)
		if err != nil {
			return nil, err
		}
		all = append(all, of...)
	}
	return all, nil
}

func mutantsOf(path string) ([]mutant, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, nil, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	var all []mutant
	change := func(op *token.Token, at token.Pos) {
		was := *op
		defer func() { *op = was }()
		for _, *op = range replacements[was] {
			var b bytes.Buffer
			if format.Node(&b, files, file) == nil {
				p := files.Position(at)
				all = append(all, mutant{path, fmt.Sprintf("%s:%d:%d", filepath.Base(path), p.Line, p.Column), was.String() + " -> " + op.String(), b.Bytes()})
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if !joinsText(n) {
				change(&n.Op, n.OpPos)
			}
		case *ast.IncDecStmt:
			change(&n.Tok, n.TokPos)
		case *ast.CallExpr:
			return !isMessage(n) // what is only told
		}
		return true
	})
	return all, nil
}

// joinsText reports whether a sum is one of texts, which has no difference.
func joinsText(n *ast.BinaryExpr) bool {
	isText := func(e ast.Expr) bool {
		literal, ok := e.(*ast.BasicLit)
		return ok && literal.Kind == token.STRING
	}
	return n.Op == token.ADD && (isText(n.X) || isText(n.Y))
}

func isMessage(n *ast.CallExpr) bool {
	called, ok := n.Fun.(*ast.SelectorExpr)
	return ok && strings.Contains(" Errorf Debug Info Warn Error ", " "+called.Sel.Name+" ")
}
