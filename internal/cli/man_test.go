package cli

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// TestManualSaysWhatHelpSays has the page of a command rendered whose texts mean something to Markdown or to roff.
func TestManualSaysWhatHelpSays(t *testing.T) {
	cmd := &cobra.Command{
		Use:     "find <path>:<line> | [*words*]",
		Short:   "Find - or don't",
		Long:    "Finds words such as *.go, `a_b`, <b>, a|b & [x](y).\n.hidden files count, C:\\temp too.\n1. is no list,\n- nor is this.\n# No heading.\n\nCodes:\n  0  done\n  *  <other>\nThe end.",
		Example: "  tool find 'a_b' --max 3\n  .profile",
		Run:     func(*cobra.Command, []string) {},
	}
	cmd.Flags().IntP("max", "n", 10, "most `count` of *lines* in <files>")
	cmd.Flags().String("secret", "", "")
	_ = cmd.Flags().MarkHidden("secret")
	root := &cobra.Command{Use: "tool", Short: "Do things"}
	root.AddCommand(cmd)
	forManual(root)
	var page bytes.Buffer
	if err := doc.GenMan(cmd, manHeader(), &page); err != nil {
		t.Fatal(err)
	}
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("groff is not installed")
	}
	render := exec.Command(groff, "-man", "-ww", "-Tascii", "-P-cbou", "-rLL=200n")
	render.Stdin = &page
	var complaints strings.Builder
	render.Stderr = &complaints
	out, err := render.Output()
	if err != nil || complaints.Len() > 0 {
		t.Fatalf("%v\n%s", err, complaints.String())
	}
	for _, words := range []string{
		"tool-find - Find - or don't", "tool find <path>:<line> | [*words*] [flags]", "*.go, `a_b`, <b>, a|b & [x](y).", ".hidden files count, C:\\temp too.",
		"1. is no list, - nor is this.", "# No heading.", "         0  done\n         *  <other>\n", "-n, --max=10", "most count of *lines* in <files>",
		"tool find 'a_b' --max 3\n         .profile", "tool(1)",
	} {
		if !strings.Contains(strings.ReplaceAll(string(out), "  -", " -"), words) {
			t.Errorf("%q is not in\n%s", words, out)
		}
	}
	if strings.Contains(string(out), "secret") {
		t.Error("a hidden flag is in the page")
	}
}
