package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/api/jsonrpc"
	lsp "go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// shownFiles is how many shown documents are kept on disk.
const shownFiles = 20

// openedContext is what aurora.openContext returns: the context, and the file that was shown.
type openedContext struct {
	*api.ContextResult
	URI string `json:"uri,omitempty"`
}

// A window shows results to the person, as messages and documents.
type window struct {
	*peer
	stateDir string // folder of the documents; "" when none may be written
}

// openContext assembles context, as Markdown unless asked otherwise, and shows it as a document.
func (s *session) openContext(ctx context.Context, params json.RawMessage) (any, error) {
	p := api.ContextParams{Format: "markdown"}
	if err := api.Decode(params, &p); err != nil {
		return nil, err
	}
	result, err := api.Context.Call(ctx, api.Client{Backend: api.Local(s.engine), Caller: s.caller(ctx, nil)}, &p)
	if err != nil {
		return nil, err
	}
	extension := map[string]string{"xml": ".xml", "json": ".json"}[p.Format]
	if extension == "" {
		extension = ".md"
	}
	opened := openedContext{ContextResult: result}
	opened.URI, err = s.window.show(ctx, "context"+extension, result.Text)
	if err != nil {
		s.log.Warn("show context", "err", err)
	}
	return jsonrpc.Encode(opened)
}

// showResult shows what a menu command found.
func (w *window) showResult(ctx context.Context, command string, result any) {
	raw, ok := result.(json.RawMessage)
	if !ok {
		return
	}
	var err error
	switch strings.TrimPrefix(command, api.CommandPrefix) {
	case "remember":
		err = w.tellRemembered(ctx, raw)
	case "related":
		var related api.RelatedResult
		if err = json.Unmarshal(raw, &related); err == nil {
			_, err = w.show(ctx, "related.md", relatedDocument(&related))
		}
	case "why":
		var why api.WhyResult
		if err = json.Unmarshal(raw, &why); err == nil {
			_, err = w.show(ctx, "why.md", why.Markdown)
		}
	case "query":
		var answer api.QueryResult
		if err = json.Unmarshal(raw, &answer); err == nil {
			_, err = w.show(ctx, "answer.md", answerDocument(&answer))
		}
	}
	if err != nil {
		w.log.Warn("show the result", "command", command, "err", err)
	}
}

func (w *window) tellRemembered(ctx context.Context, raw json.RawMessage) error {
	var remembered api.RememberResult
	if err := json.Unmarshal(raw, &remembered); err != nil {
		return err
	}
	message := "Remembered."
	if !remembered.Created {
		message = "This was remembered before."
	}
	return w.message(ctx, message)
}

func (w *window) message(ctx context.Context, message string) error {
	return w.conn.Client().ShowMessage(ctx, &lsp.ShowMessageParams{Type: lsp.MessageTypeInfo, Message: message})
}

// show writes a document and has the client open it; a client that can't is told where it is.
func (w *window) show(ctx context.Context, name, content string) (string, error) {
	path, err := writeShown(w.stateDir, name, content)
	if err != nil {
		return "", errors.Join(err, w.message(ctx, "The result can't be shown as a document: "+err.Error()))
	}
	shown := api.FileURI(path)
	if w.client.Load().showDocument {
		focus := true
		result, err := w.conn.Client().ShowDocument(ctx, &lsp.ShowDocumentParams{URI: uri.URI(shown), TakeFocus: &focus})
		if err == nil && result != nil && result.Success {
			return shown, nil
		}
		w.log.Info("the client did not show a document", "err", err)
	}
	return shown, w.message(ctx, "AURORA wrote "+path)
}

// writeShown writes a file for its owner's eyes only and removes the oldest ones.
func writeShown(stateDir, name, content string) (string, error) {
	if stateDir == "" {
		return "", errors.New("there is no folder for AURORA's own files")
	}
	dir := filepath.Join(stateDir, "context")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("write %s: %w", name, err)
	}
	extension := filepath.Ext(name)
	file, err := os.CreateTemp(dir, strings.TrimSuffix(name, extension)+"-*"+extension) // 0600
	if err != nil {
		return "", fmt.Errorf("write %s: %w", name, err)
	}
	_, err = file.WriteString(content)
	if err = errors.Join(err, file.Close()); err != nil {
		return "", fmt.Errorf("write %s: %w", name, err)
	}
	removeOldest(dir)
	return file.Name(), nil
}

// removeOldest keeps the newest shownFiles files. What can't be removed is tried again next time.
func removeOldest(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) <= shownFiles {
		return
	}
	age := func(e os.DirEntry) int64 {
		info, err := e.Info()
		if err != nil {
			return 0
		}
		return info.ModTime().UnixNano()
	}
	slices.SortFunc(entries, func(a, b os.DirEntry) int { return int(min(1, max(-1, age(a)-age(b)))) })
	for _, e := range entries[:len(entries)-shownFiles] {
		_ = os.Remove(filepath.Join(dir, e.Name()))
	}
}

func relatedDocument(r *api.RelatedResult) string {
	var b strings.Builder
	b.WriteString("# Related code\n")
	kind := ""
	for _, edge := range r.Edges {
		if edge.Kind != kind {
			kind = edge.Kind
			fmt.Fprintf(&b, "\n## %s of %s\n\n", plural(kind), edge.From)
		}
		writeHit(&b, &edge.To)
	}
	for _, note := range r.Notes {
		fmt.Fprintf(&b, "\n%s\n", note)
	}
	return b.String()
}

func plural(kind string) string {
	switch kind {
	case "caller", "reference", "read", "write", "type", "callee", "import", "importer", "supertype", "subtype", "test":
		return strings.ToUpper(kind[:1]) + kind[1:] + "s"
	case "tested":
		return "Subjects"
	case "cochanged":
		return "Changed together"
	case "similar":
		return "Relatives"
	}
	return kind
}

func writeHit(b *strings.Builder, h *api.Hit) {
	line := 1
	if h.Range != nil {
		line = h.Range.Start.Line + 1
	}
	fmt.Fprintf(b, "- [`%s`](%s#L%d) %s:%d\n", h.Name, h.URI, line, h.Path, line)
}

func answerDocument(r *api.QueryResult) string {
	var b strings.Builder
	b.WriteString(r.Answer)
	b.WriteString("\n")
	if len(r.Citations) > 0 {
		b.WriteString("\n## Sources\n\n")
	}
	for i := range r.Citations {
		writeHit(&b, &r.Citations[i])
	}
	return b.String()
}
