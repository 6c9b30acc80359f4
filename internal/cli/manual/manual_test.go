package manual_test

import (
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/internal/cli/manual"
	"github.com/spf13/cobra"
)

func command() *cobra.Command {
	root := &cobra.Command{Use: "tool", Short: "Do things"}
	root.PersistentFlags().Bool("json", false, "print JSON")
	cmd := &cobra.Command{
		Use:     "find words",
		Short:   "Find - or don't",
		Long:    "Finds words such as *.go or `a_b`.\n.hidden files count, C:\\temp too.\n\nCodes:\n  0  done\n  1  error\nThe end.",
		Example: "  tool find 'a b' --max 3\n  .profile",
		Run:     func(*cobra.Command, []string) {},
	}
	cmd.Flags().IntP("max", "n", 10, "most `count` of lines")
	cmd.Flags().String("secret", "", "")
	_ = cmd.Flags().MarkHidden("secret")
	cmd.AddCommand(&cobra.Command{Use: "again", Short: "Find it again", Run: func(*cobra.Command, []string) {}})
	root.AddCommand(cmd)
	return cmd
}

const want = `.TH "TOOL-FIND" "1" "Jan 2026" "TOOL 1.2" "TOOL"
.nh
.ad l
.SH NAME
tool\-find \- Find \- or don\(aqt
.SH SYNOPSIS
\fBtool find words [flags]\fP
.SH DESCRIPTION
Finds words such as *.go or \(gaa_b\(ga.
\&.hidden files count, C:\etemp too.
.PP
Codes:
.nf
  0  done
  1  error
.fi
The end.
.SH OPTIONS
.TP
\fB\-h\fP, \fB\-\-help\fP
help for find
.TP
\fB\-n\fP, \fB\-\-max\fP \fIcount\fP
most count of lines (default 10)
.SH OPTIONS OF THE COMMANDS ABOVE
.TP
\fB\-\-json\fP
print JSON
.SH EXAMPLES
.nf
  tool find \(aqa b\(aq \-\-max 3
  .profile
.fi
.SH SEE ALSO
\fBtool\fP(1),
\fBtool\-find\-again\fP(1)
`

func page(t *testing.T) string {
	t.Helper()
	return string(manual.Page(command(), manual.Header{Source: "TOOL 1.2", Manual: "TOOL", Date: time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC)}))
}

func TestPage(t *testing.T) {
	if got := page(t); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestAsItIsRead has roff render the page, and complain about what it does not understand.
func TestAsItIsRead(t *testing.T) {
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("groff is not installed")
	}
	cmd := exec.Command(groff, "-man", "-ww", "-Tascii", "-P-cbou")
	cmd.Stdin = strings.NewReader(page(t))
	var complaints strings.Builder
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if err != nil || complaints.Len() > 0 {
		t.Fatalf("%v\n%s", err, complaints.String())
	}
	for _, words := range []string{`*.go or`, ".hidden files count, C:\\temp too.", "\n         1  error\n", "  -n, --max count\n", "tool find 'a b' --max 3", "tool(1), tool-find-again(1)"} {
		if !strings.Contains(string(out), words) {
			t.Errorf("%q is not in\n%s", words, out)
		}
	}
}
