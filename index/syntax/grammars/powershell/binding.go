package powershell

//#cgo CFLAGS: -I${SRCDIR}
//#include "tree_sitter/parser.h"
//TSLanguage *tree_sitter_powershell(void);
import "C"

import (
	"unsafe"

	sitter "github.com/smacker/go-tree-sitter"
)

// GetLanguage returns the grammar.
func GetLanguage() *sitter.Language {
	return sitter.NewLanguage(unsafe.Pointer(C.tree_sitter_powershell()))
}
