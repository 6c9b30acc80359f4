package index

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSecretsAreNoWords looks for a key where it must not be: in searches, in the log, in any file of the store.
func TestSecretsAreNoWords(t *testing.T) {
	secret := "zq8Xv3" + strings.Repeat("Kw7p", 5)
	dir := workspace(t, map[string]string{
		"client.go": "package p\n\nfunc connectToBilling() {\n\tapiKey := \"" + secret + "\"\n\tuse(apiKey)\n}\n",
	})
	var log bytes.Buffer
	store := t.TempDir()
	x := open(t, Options{Folders: []string{dir}, StoreDir: store, NoWatch: true, Log: slog.New(slog.NewTextHandler(&log, nil))})
	find := func(word string) int {
		_, total := x.Snapshot().Search(Query{Text: word})
		return total
	}
	if find("billing") != 1 || find("apiKey") != 1 {
		t.Error("the function around the secret is not found")
	}
	if find(secret) != 0 || find(strings.ToLower(secret)) != 0 {
		t.Error("the secret is found")
	}
	path := filepath.Join(dir, "client.go")
	x.Open(path, "go", 1, []byte("package p\n\nfunc typed() { token := \""+secret+"\" }\n"))
	flush(t, x)
	if find("typed") != 1 || find(secret) != 0 {
		t.Errorf("in a buffer: %d hits for the function, %d for the secret", find("typed"), find(secret))
	}
	if err := x.Shutdown(); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(log.String(), "secrets left out") || strings.Contains(log.String(), secret) {
		t.Errorf("log: %s", log.String())
	}
	stored := 0
	err := filepath.WalkDir(store, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		stored += len(data)
		if bytes.Contains(bytes.ToLower(data), []byte(strings.ToLower(secret[:12]))) {
			t.Errorf("%s holds the secret", path)
		}
		return err
	})
	if err != nil || stored == 0 {
		t.Errorf("read the store: %d bytes, %v", stored, err)
	}
}
