package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// asks searches for a name and returns the answer.
func (s *server) asks(query string) string {
	s.t.Helper()
	s.asked++
	id := 100 + s.asked
	s.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"aurora/search","params":{"query":%q}}`, id, query))
	return s.receive(id)
}

func (s *server) configure(settings string) {
	s.t.Helper()
	s.send(`{"jsonrpc":"2.0","method":"workspace/didChangeConfiguration","params":{"settings":` + settings + `}}`)
}

// TestSettingsOfAnEditor changes settings of a running server: by the editor, and by a file that the editor saves.
func TestSettingsOfAnEditor(t *testing.T) {
	p := smallProject(t)
	p.write("web/app.ts", "export function Render() {}\n")
	s := p.serve(p.dir)
	s.begin(p.dir)
	finds := func(name string) func() bool {
		return func() bool { return strings.Contains(s.asks(name), `"name":"`+name+`"`) }
	}
	loses := func(name string) func() bool { return func() bool { return !finds(name)() } }
	p.eventually("both are found", func() bool { return finds("Backoff")() && finds("Render")() })
	p.eventually("the log tells of the first scan", func() bool {
		log, err := os.ReadFile(filepath.Join(p.home, ".aurora/logs/aurora.log"))
		return err == nil && strings.Contains(string(log), "Context system starting initial indexing of 2 files...") &&
			strings.Contains(string(log), "Initial indexing complete. 2 files, ")
	})

	s.configure(`{"aurora": {"index": {"ignorePatterns": ["WEB/"]}}}`)
	p.eventually("the pattern counts", loses("Render"))
	if !finds("Backoff")() {
		t.Error("what the pattern does not mean is gone, too")
	}
	s.configure(`{"aurora": {"index": {"watch_paths": ["web"]}}}`)
	p.eventually("the watch path counts", func() bool { return finds("Render")() && loses("Backoff")() })

	// A bad value changes nothing.
	s.configure(`{"aurora": {"index": {"watch_paths": "src"}}}`)
	p.eventually("the bad value is told", func() bool {
		log, err := os.ReadFile(filepath.Join(p.home, ".aurora/logs/aurora.log"))
		return err == nil && strings.Contains(string(log), "index.watch_paths: Must be a list of strings")
	})
	if !finds("Render")() || finds("Backoff")() {
		t.Error("a bad value took effect")
	}
	s.configure(`{"aurora": {"index": {"enabled": false}}}`)
	p.eventually("indexing is off", func() bool {
		return strings.Contains(s.asks("Render"), "indexing is off: index.enabled is false in editor; set it to true")
	})
	s.configure(`{"aurora": {}}`)
	p.eventually("everything is back", func() bool { return finds("Backoff")() && finds("Render")() })

	p.write(".aurora/config.json", `{"index": {"allowed_extensions": ["ts"]}}`)
	s.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didSave","params":{"textDocument":{"uri":"file://%s/.aurora/config.json"}}}`, p.dir))
	p.eventually("the saved file counts", func() bool { return finds("Render")() && loses("Backoff")() })
	if code := s.quit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// TestFoldersHaveTheirOwnSettings opens two folders, of which one is off by its own file.
func TestFoldersHaveTheirOwnSettings(t *testing.T) {
	p := smallProject(t)
	other := filepath.Join(filepath.Dir(p.dir), "other")
	p.write("../other/.aurora/config.json", `{"index": {"enabled": false}}`)
	p.write("../other/b.go", "package b\n\nfunc Hidden() {}\n")
	s := p.serve(p.dir)
	s.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"capabilities":{},
		"workspaceFolders":[{"uri":"file://%s","name":"a"},{"uri":"file://%s","name":"b"}]}}`, p.dir, other))
	s.receive(1)
	s.send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
	p.eventually("the one folder is indexed", func() bool { return s.finds(2, "Backoff") })
	if answer := s.asks("Hidden"); !strings.Contains(answer, other+" is not indexed: indexing is off") || strings.Contains(answer, `"name":"Hidden"`) {
		t.Errorf("answer %s", answer)
	}
	s.quit()
}
