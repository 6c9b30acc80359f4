package daemon

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// wire is the version of the two lines that a connection begins with. All builds that share it can inspect and stop
// each other's daemons.
const wire = 1

// maxLine bounds a line of the handshake, in bytes.
const maxLine = 64 << 10

// The purposes of a connection.
const (
	wantSession = "session"
	wantServe   = "operations"
	wantInfo    = "info"
	wantStop    = "stop"
)

// A hello says who connects and what for.
type hello struct {
	Wire  int    `json:"aurora"`
	Build string `json:"build"`
	Want  string `json:"want"`
}

// A welcome answers a hello.
type welcome struct {
	Refused string `json:"refused,omitempty"` // why the connection ends here
	Info    *Info  `json:"info,omitempty"`
}

// Info describes a running daemon.
type Info struct {
	PID     int       `json:"pid"`
	Version string    `json:"version"`
	Since   time.Time `json:"since"`
	Root    string    `json:"root"`    // the folder whose settings count
	Folders []string  `json:"folders"` // all that it indexes now
	Clients int       `json:"clients"` // sessions
	Idle    Duration  `json:"idle"`    // how long it stays when nobody needs it
}

// A Duration is written as people write it: 10m0s.
type Duration time.Duration

// MarshalText implements encoding.TextMarshaler.
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *Duration) UnmarshalText(text []byte) error {
	parsed, err := time.ParseDuration(string(text))
	*d = Duration(parsed)
	return err
}

// A Refusal is a daemon's polite no.
type Refusal struct{ Reason string }

func (r *Refusal) Error() string { return "the daemon refused: " + r.Reason }

// readLine decodes one line of JSON. in must be able to hold it.
func readLine(in *bufio.Reader, v any) error {
	line, err := in.ReadSlice('\n')
	if errors.Is(err, io.EOF) && len(line) > 0 {
		return io.ErrUnexpectedEOF
	}
	if err != nil {
		return err
	}
	return json.Unmarshal(line, v)
}

// writeLine writes v as one line of JSON.
func writeLine(out io.Writer, v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encode: %w", err)
	}
	_, err = out.Write(append(line, '\n'))
	return err
}
