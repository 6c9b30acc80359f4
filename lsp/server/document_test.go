package server

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/text"
)

// FuzzApply applies two edits to a text. Whatever they are, the old document stays as it was, and the byte edits
// lead from the old text to the new one.
func FuzzApply(f *testing.F) {
	f.Add("one\r\ntwo 𐐀\n", 0, 1, 1, 2, "x\n", 0, 0, 5, 5, "", false)
	f.Add("\xff\n", 1, 0, 0, 0, "", -1, 0, 0, 0, "y", true)
	f.Fuzz(func(t *testing.T, content string, l1, c1, l2, c2 int, first string, l3, c3, l4, c4 int, second string, utf8 bool) {
		enc := text.UTF16
		if utf8 {
			enc = text.UTF8
		}
		old := newDocument("/a", "", 1, []byte(content))
		next, edits, err := old.apply(2, []contentChange{
			{Range: &api.Range{Start: api.Position{Line: l1, Character: c1}, End: api.Position{Line: l2, Character: c2}}, Text: first},
			{Range: &api.Range{Start: api.Position{Line: l3, Character: c3}, End: api.Position{Line: l4, Character: c4}}, Text: second},
		}, enc)
		if string(old.text) != content {
			t.Fatal("the old document changed")
		}
		if err != nil {
			if !next.lost || string(next.text) != content {
				t.Fatalf("after %v: lost %v, text %q", err, next.lost, next.text)
			}
			return
		}
		replayed := []byte(content)
		for _, e := range edits {
			replayed = bytes.Join([][]byte{replayed[:e.Start], e.New, replayed[e.OldEnd:]}, nil)
		}
		if !bytes.Equal(replayed, next.text) || next.version != 2 {
			t.Fatalf("edits lead to %q, the document has %q", replayed, next.text)
		}
	})
}

func TestSettings(t *testing.T) {
	log := slog.New(slog.DiscardHandler)
	defaults := Features{Hover: true, CodeActions: true}
	files := Features{CodeLens: true, DocumentSymbol: true} // the settings files switch others on and off
	tests := []struct {
		sent        string
		want, files Features
	}{
		{`{}`, defaults, files},
		{`null`, defaults, files},
		{`[]`, defaults, files},
		{`{"lsp":{"codeActions":{"enabled":false}}}`, Features{Hover: true}, files},
		{`{"aurora":{"lsp.hover.enabled":false}}`, Features{CodeActions: true}, files},
		{`{"lsp":{"hover":{"enabled":"no"}}}`, defaults, files},
		{`{"lsp":{"hover":5}}`, defaults, files},
		{`{"lsp":{"code_lens":{"enabled":true},"hover":{"enabled":true}}}`, Features{Hover: true, CodeActions: true, CodeLens: true}, Features{Hover: true, CodeLens: true, DocumentSymbol: true}},
		{`{"lsp":{"hover":{"enabled":null}}}`, defaults, files},
		{`{"lsp.review":"save"}`, Features{Hover: true, CodeActions: true, Review: ReviewAtSave}, Features{CodeLens: true, DocumentSymbol: true, Review: ReviewAtSave}},
		{`{"lsp":{"review":"always"}}`, defaults, files},
		{`{"lsp.documentSymbol":false}`, defaults, Features{CodeLens: true}},
	}
	for _, test := range tests {
		set := settings{}.with(newTree([]byte(test.sent)), log)
		c := newConfiguration(nil, &Hub{})
		c.settings.Store(&set)
		if got := c.features(); got != test.want {
			t.Errorf("%s: %+v, want %+v", test.sent, got, test.want)
		}
		c.hub.opts.Features = func() Features { return files }
		if got := c.features(); got != test.files {
			t.Errorf("%s over files: %+v, want %+v", test.sent, got, test.files)
		}
	}
}

func TestShownFilesAreFewAndPrivate(t *testing.T) {
	dir := t.TempDir()
	for range shownFiles + 5 {
		if _, err := writeShown(dir, "context.md", "x"); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := os.ReadDir(filepath.Join(dir, "context"))
	if err != nil || len(entries) != shownFiles {
		t.Errorf("%d files are kept (%v), want %d", len(entries), err, shownFiles)
	}
	if _, err := writeShown("", "context.md", "x"); err == nil {
		t.Error("wrote without a folder")
	}
}

func TestFilePath(t *testing.T) {
	for uri, want := range map[string]string{
		"file:///a/b%20c.go": "/a/b c.go", "file:///a/../b": "/b", "untitled:Untitled-1": "", "git:/a/b.go": "", "": "",
		"http://x/y": "",
	} {
		if got, ok := api.FilePath(uri); ok != (want != "") || ok && got != want {
			t.Errorf("%s: %q %v, want %q", uri, got, ok, want)
		}
	}
}
