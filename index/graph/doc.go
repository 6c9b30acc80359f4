// Package graph joins the chunks of a workspace: who calls whom, which file imports which, which type inherits from
// which, and which test tests what.
//
// It owns the rules by which a name in one place is taken for a definition in another, and how sure that is. Nothing
// is built ahead: each question looks names up in what the index has (a Source) and weighs the candidates by scope.
// It guarantees that the answer depends on the files alone and not on the order in which they were indexed, and that
// the work of one question is bounded. It is pure: it reads no file, keeps nothing between questions on different
// snapshots, and knows neither editors nor git.
//
// # Confidence
//
// A grammar knows no types, so an edge is a guess of known quality. The confidence of an edge is that of the strongest
// sign that speaks for it, divided by the number of different definitions for which that sign speaks as well:
//
//	0.95  the method's own type, be it written or followed from value to value; a name of the same file, of the same Go package,
//	      or of an import that is written out, also through files that only pass the name on
//	0.9   a file that is imported; a method that the type of a value inherits
//	0.85  inherited from a type that is resolved itself, from the nearest that does something; a header of C that is included,
//	      as only the build knows which of its definitions are compiled
//	0.8   the same folder or package, where the language needs no import for it; the nearest of several functions of a file of JavaScript
//	0.6   a variable that is named like the type; of a type below the one that is written, which alone has such a method; in Go,
//	      TypeScript and JavaScript each method of a narrower type that a call on a value may end in
//	0.55  a method of a name that only one type has, and none of the language's own, called on something whose type is not known
//	0.5   the only definition of that name in a language whose names are global
//	0.3   a method of that name, called on something whose type is not known; in other languages a method of a narrower type; a
//	      name of a script that nothing imports
//	0.1   in Rust a method of an implementation, called on a value of the trait
//
// In Go, Python, TypeScript, JavaScript, Java and Rust the receiver of a call is followed: package chunk writes it as a path
// (chunk.Call.On) from a name, the own object or a written type over members, results and elements, and tells the declared types
// of what a file defines (chunk.TypeTable); flows look up each step when a question is asked. In TypeScript and
// JavaScript they know type arguments and, of a parameter without a type, what the function is given to; elsewhere type parameters are
// nothing to them. Overloads of Java are told apart by the number of arguments, and by their types as far as those are shown.
//
// In JavaScript, Python and Rust an import is followed from file to file until it ends at a definition. JavaScript's modules are
// found as its compiler finds them: by path, by the "paths" and "baseUrl" of tsconfig.json and what it extends, and by the
// "exports" and "imports" of the packages of the workspace, from the sources where nothing is built. Those of Rust are found by
// the Cargo.toml files of the workspace and the tree of modules below the root of a crate.
//
// A test that calls something and is named after it is one for both reasons: 1-(1-a)(1-b).
//
// A weaker sign never counts beside a stronger one, and an import from outside the workspace rules everything out.
// What is less sure than 0.05 is no edge.
package graph
