package codeintel

import (
	"strings"
)

// addImports adds one edge for each import of the document's file that lies in the workspace, and names the others.
func (n *neighbours) addImports() {
	edges, outside := n.graph.Imports(n.home())
	n.add(n.from, edges, "import", n.doc.File.Path, "")
	if len(outside) > 0 {
		n.note("imports from outside the workspace: " + strings.Join(outside[:min(8, len(outside))], ", "))
	}
}

// addImporters adds the files that import the document's file or its package.
func (n *neighbours) addImporters() {
	n.add(n.from, n.graph.Importers(n.home()), "importer", n.doc.File.Path, "")
}
