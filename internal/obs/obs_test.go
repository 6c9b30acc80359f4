package obs

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestLoggerWritesBoth(t *testing.T) {
	var stderr bytes.Buffer
	file := filepath.Join(t.TempDir(), "logs", "aurora.log")
	logger, close := NewLogger(Options{Stderr: &stderr, File: file})
	logger.Debug("hidden")
	logger.Info("shown", "n", 1)
	logger.Error(`password = "hunter2"`, "error", errors.New("dial postgres://u:hunter2@db"), "list", []string{"token=\"hunter2hunter2\""})
	if err := close(); err != nil {
		t.Fatal(err)
	}
	logger.Info("after close")
	logged, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(logged), "hidden") || !strings.Contains(string(logged), "msg=shown n=1") {
		t.Errorf("log\n%s", logged)
	}
	if strings.Contains(stderr.String()+string(logged), "hunter2") {
		t.Errorf("a secret reached the log\n%s", logged)
	}
	if !strings.HasPrefix(stderr.String(), string(logged)) || !strings.Contains(stderr.String(), "after close") {
		t.Errorf("standard error\n%s\nlog\n%s", stderr.String(), logged)
	}
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if err := close(); err != nil {
		t.Errorf("close again: %v", err)
	}
}

func TestLogFormats(t *testing.T) {
	var stderr bytes.Buffer
	file := filepath.Join(t.TempDir(), "aurora.log")
	logger, close := NewLogger(Options{Stderr: &stderr, File: file, JSON: true, Quiet: true, MaxSize: 300, Files: 1})
	for n := range 20 {
		logger.Warn("Git blame failed", "n", n, "key", `password = "hunter2"`)
	}
	if err := close(); err != nil {
		t.Fatal(err)
	}
	logged, err := os.ReadFile(file)
	if err != nil || len(logged) == 0 || len(logged) > 300 || strings.Contains(string(logged), "hunter2") {
		t.Fatalf("%d bytes, %v: %s", len(logged), err, logged)
	}
	for line := range strings.Lines(string(logged)) {
		if !strings.HasPrefix(line, `{"time":`) || !strings.Contains(line, `"level":"WARN","msg":"Git blame failed"`) {
			t.Errorf("line %s", line)
		}
	}
	if files, _ := filepath.Glob(file + "*"); len(files) != 1 {
		t.Errorf("files %q", files)
	}
	if stderr.Len() > 0 {
		t.Errorf("standard error %s", stderr.String())
	}
	logger.Info("after close") // nowhere else to go
	if !strings.Contains(stderr.String(), "after close") {
		t.Errorf("standard error %q", stderr.String())
	}
}

func TestLoggerWithoutFile(t *testing.T) {
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	logger, close := NewLogger(Options{Stderr: &stderr, File: filepath.Join(blocked, "aurora.log")})
	logger.Info("goes on")
	if got := stderr.String(); !strings.Contains(got, "standard error only") || !strings.Contains(got, "goes on") {
		t.Errorf("standard error\n%s", got)
	}
	if err := close(); err != nil {
		t.Error(err)
	}
}

func TestLevelCanChange(t *testing.T) {
	var stderr bytes.Buffer
	var level slog.LevelVar
	logger, _ := NewLogger(Options{Stderr: &stderr, Level: &level})
	logger.Debug("before")
	level.Set(slog.LevelDebug)
	logger.Debug("after")
	if got := stderr.String(); strings.Contains(got, "before") || !strings.Contains(got, "after") {
		t.Errorf("standard error\n%s", got)
	}
}

func TestParseLevel(t *testing.T) {
	for s, want := range map[string]slog.Level{"debug": slog.LevelDebug, "INFO": slog.LevelInfo, "Warn": slog.LevelWarn, "error": slog.LevelError} {
		if got, err := ParseLevel(s); got != want || err != nil {
			t.Errorf("ParseLevel(%q) = %v, %v", s, got, err)
		}
	}
	for _, s := range []string{"", "loud", "info+3"} {
		if _, err := ParseLevel(s); err == nil {
			t.Errorf("ParseLevel(%q) gave no error", s)
		}
	}
}

func TestRotation(t *testing.T) {
	path := filepath.Join(t.TempDir(), "aurora.log")
	// Two writers stand for two processes.
	var writers [2]*rotating
	for i := range writers {
		r, err := openRotating(path, 100, 4)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		writers[i] = r
	}
	for n := range 40 {
		if _, err := fmt.Fprintf(writers[n%2], "line %02d of forty\n", n); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filepath.Glob(path + "*")
	if err != nil || len(files) != 4 {
		t.Errorf("files %q, %v", files, err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil || len(content) > 200 {
			t.Errorf("%s has %d bytes, %v", file, len(content), err)
		}
		for line := range strings.Lines(string(content)) {
			if len(line) != len("line 00 of forty\n") {
				t.Errorf("%s has the broken line %q", file, line)
			}
		}
	}
	last, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(last), "line 39") {
		t.Errorf("the present log has %q, %v", last, err)
	}
}

func TestLatency(t *testing.T) {
	var l Latency
	if got := l.Summary(); got != (LatencySummary{}) {
		t.Errorf("empty: %+v", got)
	}
	l.Observe(7 * time.Millisecond)
	if got := l.Summary(); got.P50 != 7*time.Millisecond || got.P95 != 7*time.Millisecond {
		t.Errorf("one: %+v", got)
	}
	for i := range window {
		l.Observe(time.Duration(window-i) * time.Millisecond) // the 7 ms are pushed out
	}
	want := LatencySummary{Mean: 256*time.Millisecond + time.Millisecond/2, P50: 256 * time.Millisecond, P95: 487 * time.Millisecond}
	if got := l.Summary(); got != want {
		t.Errorf("full: %+v, want %+v", got, want)
	}
}

func TestConcurrentUse(t *testing.T) {
	var l Latency
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 1000 {
				l.Observe(time.Millisecond)
			}
			l.Summary()
		})
	}
	group.Wait()
	if l.count != 8000 || l.Summary().Mean != time.Millisecond {
		t.Errorf("%d observations, %+v", l.count, l.Summary())
	}
}

func BenchmarkLatencyObserve(b *testing.B) {
	var l Latency
	for b.Loop() {
		l.Observe(time.Millisecond)
	}
}
