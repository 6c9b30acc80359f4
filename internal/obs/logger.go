package obs

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/scrub"
)

// Options says what is logged and where.
type Options struct {
	Level   slog.Leveler // nil means Info; a *slog.LevelVar can be changed while it is in use
	Stderr  io.Writer    // nil means os.Stderr
	File    string       // "" means none besides Stderr
	MaxSize int64        // bytes at which the file is put aside; 0 means 100 MiB
	Files   int          // how many files there are at most, the current one included; 0 means 10
	JSON    bool         // lines are JSON objects
	Quiet   bool         // nothing to Stderr as long as the file can be written
}

// NewLogger returns a logger to standard error and a file. Where the file can't be written, it says so on standard
// error and goes on without. close releases the file; logging after it only reaches standard error.
func NewLogger(o Options) (logger *slog.Logger, close func() error) {
	out := &tee{stderr: o.Stderr}
	if out.stderr == nil {
		out.stderr = os.Stderr
	}
	var fileErr error
	if o.File != "" {
		out.file, fileErr = openRotating(o.File, cmp.Or(o.MaxSize, defaultMaxSize), cmp.Or(o.Files, defaultFiles))
	}
	out.quiet = o.Quiet && out.file != nil
	level := o.Level
	if level == nil {
		level = slog.LevelInfo
	}
	var handler slog.Handler
	if options := (&slog.HandlerOptions{Level: level, ReplaceAttr: scrubAttr}); o.JSON {
		handler = slog.NewJSONHandler(out, options)
	} else {
		handler = slog.NewTextHandler(out, options)
	}
	logger = slog.New(handler)
	if fileErr != nil {
		logger.Warn("log to standard error only", "file", o.File, "error", fileErr)
	}
	return logger, out.Close
}

// ParseLevel reads a level as configurations have it: debug, info, warn or error, in any case.
func ParseLevel(s string) (slog.Level, error) {
	var level slog.Level
	if !isLevel(s) || level.UnmarshalText([]byte(s)) != nil {
		return slog.LevelInfo, fmt.Errorf("log level %q is none of debug, info, warn, error", s)
	}
	return level, nil
}

func isLevel(s string) bool {
	switch strings.ToLower(s) {
	case "debug", "info", "warn", "error":
		return true
	}
	return false
}

// scrubAttr takes secrets out of messages, strings and errors.
func scrubAttr(_ []string, a slog.Attr) slog.Attr {
	switch a.Value.Kind() {
	case slog.KindString:
		return scrubbed(a, a.Value.String())
	case slog.KindAny:
		switch v := a.Value.Any().(type) {
		case *slog.Source, nil:
			return a
		case error:
			return scrubbed(a, v.Error())
		default:
			return scrubbed(a, fmt.Sprintf("%+v", v))
		}
	}
	return a
}

func scrubbed(a slog.Attr, s string) slog.Attr {
	s, _ = scrub.Text(s)
	return slog.String(a.Key, s)
}

// tee writes to standard error and, when there is one, to the file. It reports no errors: a log that can't be
// written must not stop what is being logged.
type tee struct {
	stderr io.Writer
	quiet  bool
	file   *rotating
}

func (t *tee) Write(line []byte) (int, error) {
	written := false
	if t.file != nil {
		_, err := t.file.Write(line)
		written = err == nil
	}
	if !t.quiet || !written {
		_, _ = t.stderr.Write(line)
	}
	return len(line), nil
}

func (t *tee) Close() error {
	if t.file == nil {
		return nil
	}
	if err := t.file.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
		return fmt.Errorf("close the log: %w", err)
	}
	return nil
}
