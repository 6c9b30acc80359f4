package cli

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/httpapi/client"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
)

// TestContextEngineOverHTTP runs the context engine beside an editor, whose unsaved text it sees, and looks at the debug
// page of the daemon that they share.
func TestContextEngineOverHTTP(t *testing.T) {
	p := sharing(t, 600)
	editor := p.serveShared()
	editor.begin(p.dir)
	editor.send(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file://` + p.dir + `/new.go",
		"languageId":"go","version":1,"text":"package retry\n\nfunc NeverSaved() {}\n"}}}`)
	editor.finds(90, "NeverSaved")

	cmd := p.command("aurora", "serve", "--http=127.0.0.1:0", "--debug", "127.0.0.1:0")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	engine, page := "", ""
	for lines := bufio.NewScanner(stderr); (engine == "" || page == "") && lines.Scan(); {
		url := regexp.MustCompile(`http://[\d.:]+\d`).FindString(lines.Text())
		switch {
		case strings.Contains(lines.Text(), "context engine"):
			engine = url
		case strings.Contains(lines.Text(), "debug page"):
			page = url
		}
	}
	go io.Copy(io.Discard, stderr)
	token, err := os.ReadFile(filepath.Join(p.home, ".aurora", "http-token"))
	if err != nil {
		t.Fatal(err)
	}
	c := &client.Client{BaseURL: engine, Token: strings.TrimSpace(string(token)), Timeout: time.Minute}
	found, err := c.QueryContext(t.Context(), client.Query{Q: "NeverSaved"})
	if err != nil || len(found.Hits) == 0 || found.Hits[0].FilePath != "new.go" {
		t.Errorf("found %+v, %v", found, err)
	}
	text := "package retry\n\nfunc GivenByAProgram() {}\n"
	if added, err := c.AddContext(t.Context(), client.AddRequest{FilePath: "given.go", Content: &text}); err != nil || added.Chunks == 0 {
		t.Errorf("added %+v, %v", added, err)
	}
	editor.finds(91, "GivenByAProgram")
	if info := p.onlyDaemon(); info.Clients != 2 {
		t.Errorf("editor and engine share no daemon: %+v", info)
	}
	response, err := http.Get(page + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if body, err := io.ReadAll(response.Body); err != nil || !strings.Contains(string(body), `aurora_retrievals_total{op="search",outcome="ok"}`) {
		t.Errorf("metrics %.2000s, %v", body, err)
	}
	if again := p.binary("dev", "debug"); strings.TrimSpace(again.out) != page+"/" {
		t.Errorf("the page is at %s, but: %s", page, again)
	}
	cmd.Process.Signal(syscall.SIGTERM)
	if code := exitCode(cmd.Wait()); code != app.ExitOK {
		t.Errorf("exit code %d", code)
	}
	editor.quit()
}
