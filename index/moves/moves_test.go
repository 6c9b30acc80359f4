package moves

import (
	"maps"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/snapshot"
	"github.com/aurora-sidecar/aurora/index/syntax"
)

const serverGo = `package server

import "fmt"

// ParseHeader reads one header line.
func ParseHeader(line string) error {
	return checkLine(line)
}

func checkLine(line string) error { return fmt.Errorf("empty: %q", line) }

// Server answers requests.
type Server struct{ addr string }

// Listen waits for connections.
func (s *Server) Listen() error { return ParseHeader(s.addr) }
`

func TestMovesHaveIDsAndAnEnd(t *testing.T) {
	file := func(path string) *snapshot.File {
		f, err := chunk.Analyze(syntax.ByName("go"), []byte(serverGo))
		if err != nil {
			t.Fatal(err)
		}
		return &snapshot.File{Folder: "/w", Path: path, Abs: "/w/" + path, File: f}
	}
	now := time.Now()
	var m Tracker
	m.Left(file("a.go"), now)
	m.Came(file("b.go"), now)
	moves := m.Take(now)
	want := map[string]string{
		"code:a.go:ParseHeader": "code:b.go:ParseHeader", "code:a.go:checkLine": "code:b.go:checkLine",
		"code:a.go:Server": "code:b.go:Server", "code:a.go:Server.Listen": "code:b.go:Server.Listen",
		"code:a.go:remainder": "code:b.go:remainder",
	}
	if len(moves) != 1 || !maps.Equal(moves[0].IDs, want) {
		t.Errorf("moves %+v", moves)
	}
	if again := m.Take(now); len(again) != 0 {
		t.Errorf("told twice: %v", again)
	}
	m.Left(file("a.go"), now)
	m.Came(file("b.go"), now.Add(moveWait+1))
	if late := m.Take(now.Add(moveWait + 1)); len(late) != 0 || len(m.gone.order) > 0 {
		t.Errorf("after %s: %v", moveWait, late)
	}
}
