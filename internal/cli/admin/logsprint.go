package admin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
	"github.com/aurora-sidecar/aurora/memory/convlog"
)

// A listedLog is a conversation in a list.
type listedLog struct {
	File       string `json:"file"` // below the folder of conversations
	Path       string `json:"path"` // absolute
	Date       string `json:"date"` // YYYY-MM-DD
	ID         string `json:"id,omitempty"`
	Topic      string `json:"topic"`
	Query      string `json:"query"`
	Bytes      int64  `json:"bytes"` // on disk
	Compressed bool   `json:"compressed"`
}

func newListedLog(c *convlog.Conversation) listedLog {
	return listedLog{
		File: c.File.Name, Path: c.File.Path, Date: c.File.Date.Format(time.DateOnly), ID: c.ID, Topic: c.Topic, Query: c.Query,
		Bytes: c.File.Size, Compressed: c.File.Compressed,
	}
}

// listLogs prints the conversations of a span, at most limit unless that is 0.
func listLogs(ctx context.Context, c *app.App, b *convlog.Book, span convlog.Span, limit int) error {
	if limit < 0 {
		return app.UsageError("", "--limit must be at least 0 (got %d)", limit)
	}
	files, err := b.Files(ctx, span)
	if err != nil {
		return err
	}
	more := 0
	if limit > 0 && len(files) > limit {
		more, files = len(files)-limit, files[:limit]
	}
	list := []listedLog{}
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		l := listedLog{File: f.Name, Path: f.Path, Date: f.Date.Format(time.DateOnly), Bytes: f.Size, Compressed: f.Compressed}
		if read, err := b.Head(f); err != nil {
			l.Query = "(can't be read)"
		} else {
			l = newListedLog(read)
		}
		list = append(list, l)
	}
	if c.JSON {
		err = c.PrintJSON(list)
	} else {
		printLogs(c, b, list, more)
	}
	if err == nil && len(list) == 0 {
		return app.ErrNothing
	}
	return err
}

func printLogs(c *app.App, b *convlog.Book, list []listedLog, more int) {
	if len(list) == 0 {
		c.Wrapped("", fmt.Sprintf("No conversations of that time in %s.", b.Dir()))
		c.Wrapped("  - ", `They are written when something is asked: aurora ask "where is main defined?"`)
		return
	}
	t := display.Table{Columns: []display.Column{
		{Title: "Date", Keep: 2}, {Title: "Name", Min: 20, Keep: 3}, {Title: "Question", Min: 20, Keep: 1}, {Title: "Size"},
	}}
	for _, l := range list {
		name := l.File[strings.LastIndexByte(l.File, '/')+1:]
		t.Rows = append(t.Rows, []string{l.Date, display.Clean(strings.TrimSuffix(name, ".md")), display.Cut(display.Clean(l.Query), 100), display.Bytes(l.Bytes)})
	}
	lines, _ := t.Lines(c.Width)
	for _, line := range lines {
		fmt.Fprintln(c.Out, line)
	}
	if more > 0 {
		fmt.Fprintf(c.Out, "... and %d more; --limit 0 lists all\n", more)
	}
}

// A logMatch is a section that a search found.
type logMatch struct {
	listedLog
	Section   string `json:"section"`
	Phase     int    `json:"phase"`
	LineStart int    `json:"lineStart"` // one-based, both inclusive
	LineEnd   int    `json:"lineEnd"`
	Line      int    `json:"line"` // that holds the first of the words
	Excerpt   string `json:"excerpt"`
}

func printLogMatches(c *app.App, words string, matches []convlog.Match) error {
	list := []logMatch{}
	for _, m := range matches {
		list = append(list, logMatch{
			newListedLog(m.Conversation), m.Section.Title, m.Section.Phase, m.Section.Start, m.Section.End, m.Line, cutRunes(m.Excerpt, 400),
		})
	}
	if c.JSON {
		if err := c.PrintJSON(list); err != nil {
			return err
		}
	} else {
		for i, m := range list {
			if i == 0 || m.File != list[i-1].File {
				if i > 0 {
					fmt.Fprintln(c.Out)
				}
				c.Wrapped("", fmt.Sprintf("%s  %s", m.File, display.Cut(display.Clean(m.Query), 100)))
			}
			fmt.Fprintf(c.Out, "  lines %d-%d  %s\n", m.LineStart, m.LineEnd, display.Clean(m.Section))
			fmt.Fprintf(c.Out, "    %d: %s\n", m.Line, display.Cut(display.Clean(m.Excerpt), 100))
		}
	}
	if len(list) > 0 {
		return nil
	}
	if !c.JSON {
		c.Wrapped("", fmt.Sprintf("No conversation of that time has %q.", display.Cut(words, 80)))
	}
	return app.ErrNothing
}

func cutRunes(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n]) + "…"
	}
	return s
}

// A logAnswer is the question and the answer of a conversation.
type logAnswer struct {
	Query  string `json:"query"`
	Answer string `json:"answer"`
}

// printLogAnswer prints the question and the answer as people were shown them.
func printLogAnswer(c *app.App, b *convlog.Book, file convlog.File) error {
	conversation, err := b.Read(file)
	if err != nil {
		return err
	}
	answer := answerIn(conversation)
	if c.JSON {
		return c.PrintJSON(logAnswer{Query: conversation.Query, Answer: answer})
	}
	fmt.Fprintf(c.Out, "# %s\n\n%s\n", display.CleanLines(conversation.Query), strings.TrimSpace(display.CleanLines(answer)))
	return nil
}

// answerIn is the answer in a conversation: the response of the last phase, or, of a file that has none in JSON, the last
// section.
func answerIn(conversation *convlog.Conversation) string {
	last := ""
	for _, s := range conversation.Sections {
		if s.Phase == 0 && len(conversation.Sections) > 1 {
			continue
		}
		last = s.Text
		for _, block := range jsonBlocks(s.Text) {
			var phase struct {
				Output struct {
					Response    string `json:"response"`
					FinalAnswer string `json:"final_answer"`
				} `json:"output"`
			}
			if json.Unmarshal(block, &phase) != nil {
				continue
			}
			if answer := phase.Output.Response + phase.Output.FinalAnswer; answer != "" {
				last = answer
			}
		}
	}
	return last
}

var fencedJSON = lazyregexp.New("(?ms)^```json\r?\n(.*?)^```\\s*$")

// jsonBlocks are the blocks of a section that hold JSON.
func jsonBlocks(text string) []json.RawMessage {
	var blocks []json.RawMessage
	for _, m := range fencedJSON.FindAllStringSubmatch(text+"\n", -1) {
		if block := []byte(m[1]); json.Valid(block) {
			blocks = append(blocks, block)
		}
	}
	return blocks
}

func writeExport(c *app.App, path, text string) error {
	if path == "" {
		_, err := fmt.Fprint(c.Out, text)
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return app.Failure("Name another file, or delete that one.", fmt.Errorf("%s exists already", path))
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// An exported conversation is one as JSON.
type exported struct {
	listedLog
	Sections []exportedSection `json:"sections"`
}

// An exportedSection is a section of a conversation as JSON.
type exportedSection struct {
	Title     string            `json:"title"`
	Phase     int               `json:"phase"`
	LineStart int               `json:"lineStart"`
	LineEnd   int               `json:"lineEnd"`
	Text      string            `json:"text"`
	Data      []json.RawMessage `json:"data"` // the blocks of JSON in it
}

func exportedLog(c *app.App, b *convlog.Book, file convlog.File, format string) (string, error) {
	if c.JSON {
		format = "json"
	}
	switch format {
	case "markdown":
		return b.Text(file, maxShownLog)
	case "json":
	default:
		return "", app.UsageError("", "--format must be markdown or json (got %q)", format)
	}
	read, err := b.Read(file)
	if err != nil {
		return "", err
	}
	out := exported{newListedLog(read), []exportedSection{}}
	for _, s := range read.Sections {
		blocks := jsonBlocks(s.Text)
		if blocks == nil {
			blocks = []json.RawMessage{}
		}
		out.Sections = append(out.Sections, exportedSection{s.Title, s.Phase, s.Start, s.End, s.Text, blocks})
	}
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if !c.JSON || !c.JSONLines {
		encoder.SetIndent("", "  ")
	}
	err = encoder.Encode(out)
	return text.String(), err
}
