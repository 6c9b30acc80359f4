package protocol

import (
	"os"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/lsp/protocol/internal/reference"
)

func TestReferenceIsUpToDate(t *testing.T) {
	want, err := reference.Page(".", reference.Intro)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../docs/protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("docs/protocol.md differs from the wire types: run make generate")
	}
	for _, method := range []string{
		MethodSearch, MethodContext, MethodQuery, MethodRelated, MethodRemember, MethodForget, MethodStatus,
		MethodRefresh, MethodRebuild, MethodJob, MethodCancelRebuild, MethodDidUse, MethodProgress, MethodDidChangeStatus, MethodAssess, MethodDecompose, MethodBudget, MethodHistory, MethodComplete,
		MethodRecords, MethodRevise, MethodFeedback, MethodRestore,
	} {
		if !strings.Contains(want, "`"+method+"`") {
			t.Errorf("docs/protocol.md does not tell of %s", method)
		}
	}
}
