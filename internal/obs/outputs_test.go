package obs

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestJSONLog has lines for people on standard error, and objects in the file.
func TestJSONLog(t *testing.T) {
	var stderr bytes.Buffer
	file := filepath.Join(t.TempDir(), "aurora.log")
	logger, done := NewLogger(Options{Stderr: &stderr, File: file, JSON: true})
	logger.Info("it works", "key", "sk-ant-REDACTED")
	if err := done(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var line map[string]any
	if err := json.Unmarshal(data, &line); err != nil || line["msg"] != "it works" || strings.Contains(string(data), "AAAAAAAA") {
		t.Errorf("file %s, %v", data, err)
	}
	if !strings.Contains(stderr.String(), `msg="it works"`) {
		t.Errorf("standard error %s", &stderr)
	}
}

// TestOneFileOnly begins the only file anew when it is full.
func TestOneFileOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "aurora.log")
	r, err := openRotating(path, 10, 1)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err := r.Write([]byte("12345678")); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(path + "*")
	if data, _ := os.ReadFile(path); err != nil || len(files) != 1 || string(data) != "12345678" {
		t.Errorf("files %q hold %q, %v", files, data, err)
	}
}
