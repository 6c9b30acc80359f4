package manual

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A Header is what all pages of a build have in common.
type Header struct {
	Source string    // such as "AURORA 1.2.3"
	Manual string    // such as "AURORA"
	Date   time.Time // of the build
}

// Page returns the manual page of a command, for section 1.
func Page(cmd *cobra.Command, h Header) []byte {
	cmd.InitDefaultHelpFlag()
	name := dashed(cmd)
	p := &page{}
	p.line(`.TH "%s" "1" "%s" "%s" "%s"`, strings.ToUpper(name), h.Date.Format("Jan 2006"), h.Source, h.Manual)
	p.line(".nh\n.ad l") // neither hyphens nor spaces that nobody has written
	p.section("NAME")
	p.line(`%s \- %s`, escape(name), escape(cmd.Short))
	p.section("SYNOPSIS")
	p.line(`\fB%s\fP`, escape(cmd.UseLine()))
	p.section("DESCRIPTION")
	if cmd.Long == "" {
		p.text(cmd.Short)
	}
	p.text(cmd.Long)
	p.flags("OPTIONS", cmd.NonInheritedFlags())
	p.flags("OPTIONS OF THE COMMANDS ABOVE", cmd.InheritedFlags())
	if cmd.Example != "" {
		p.section("EXAMPLES")
		p.verbatim(cmd.Example)
	}
	p.seeAlso(cmd)
	return []byte(p.String())
}

func dashed(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

type page struct{ strings.Builder }

func (p *page) line(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

func (p *page) section(title string) { p.line(".SH %s", title) }

// text writes paragraphs. Lines that begin with a space are kept as they are.
func (p *page) text(text string) {
	kept := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \n")
		if keep := strings.HasPrefix(line, " "); keep != kept {
			kept = keep
			p.line("%s", map[bool]string{true: ".nf", false: ".fi"}[keep])
		}
		if line == "" {
			line = ".PP"
		} else {
			line = escape(line)
		}
		p.line("%s", line)
	}
	if kept {
		p.line(".fi")
	}
}

func (p *page) verbatim(text string) {
	p.line(".nf")
	for line := range strings.Lines(text) {
		p.line("%s", escape(strings.TrimRight(line, "\n")))
	}
	p.line(".fi")
}

func (p *page) flags(title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	p.section(title)
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Deprecated != "" {
			return
		}
		names := `\fB` + escape("--"+f.Name) + `\fP`
		if f.Shorthand != "" {
			names = `\fB` + escape("-"+f.Shorthand) + `\fP, ` + names
		}
		takes, usage := pflag.UnquoteUsage(f)
		if takes != "" {
			names += ` \fI` + escape(takes) + `\fP`
		}
		if !isNothing(f.DefValue) {
			usage += " (default " + f.DefValue + ")"
		}
		p.line(".TP\n%s\n%s", names, escape(usage))
	})
}

// isNothing says whether a default is what a flag has that nobody set.
func isNothing(value string) bool {
	switch value {
	case "", "0", "false", "[]", "0s":
		return true
	}
	return false
}

// seeAlso names the command above and those below.
func (p *page) seeAlso(cmd *cobra.Command) {
	var names []string
	add := func(c *cobra.Command) { names = append(names, `\fB`+escape(dashed(c))+`\fP(1)`) }
	if cmd.HasParent() {
		add(cmd.Parent())
	}
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			add(c)
		}
	}
	if len(names) > 0 {
		p.section("SEE ALSO")
		p.line("%s", strings.Join(names, ",\n"))
	}
}

// escapes are the characters that mean something to roff. A hyphen is one that can be copied into a shell.
var escapes = strings.NewReplacer(`\`, `\e`, "-", `\-`, "`", `\(ga`, "'", `\(aq`, "~", `\(ti`, "^", `\(ha`)

// escape makes text, each line for itself, say itself.
func escape(text string) string {
	lines := strings.Split(escapes.Replace(text), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
