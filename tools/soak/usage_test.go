package soak

import (
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// usage is what a daemon holds; sizes are in KiB.
type usage struct {
	Resident, Anonymous        int
	Goroutines, Files, Threads int
	Index, Memory              int // on the disk
}

func (u usage) String() string {
	return fmt.Sprintf("resident %d KiB, of it not of files %d; %d goroutines, %d threads, %d open files; on the disk: index %d KiB, memory %d KiB",
		u.Resident, u.Anonymous, u.Goroutines, u.Threads, u.Files, u.Index, u.Memory)
}

// A daemon is the process that all clients share.
type daemon struct {
	pid   int
	debug string // its debug page
}

func (w *world) daemon() daemon {
	w.Helper()
	var list []struct{ PID int }
	if err := json.Unmarshal(w.must(w.command("daemon", "list", "--json")), &list); err != nil || len(list) != 1 || list[0].PID == 0 {
		w.Fatalf("no daemon: %v %v", list, err)
	}
	var page struct{ URL string }
	if err := json.Unmarshal(w.must(w.command("dev", "debug", "--json")), &page); err != nil || page.URL == "" {
		w.Fatalf("no debug page: %v", err)
	}
	return daemon{list[0].PID, page.URL}
}

// sample measures now and then for a while.
func (w *world) sample(d daemon, length time.Duration) []usage {
	w.Helper()
	var all []usage
	for until := time.Now().Add(length); time.Now().Before(until) && !w.Failed(); {
		time.Sleep(min(*soakTime/samples, time.Until(until)))
		all = append(all, w.usage(d))
	}
	if w.Failed() {
		w.FailNow()
	}
	return all
}

func (w *world) usage(d daemon) usage {
	w.Helper()
	var u usage
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", d.pid))
	if err != nil {
		w.Fatalf("the daemon is gone: %v", err)
	}
	for line := range strings.Lines(string(status)) {
		fmt.Sscanf(line, "VmRSS: %d kB", &u.Resident)
		fmt.Sscanf(line, "RssAnon: %d kB", &u.Anonymous)
		fmt.Sscanf(line, "Threads: %d", &u.Threads)
	}
	files, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", d.pid))
	if err != nil {
		w.Fatal(err)
	}
	u.Files, u.Goroutines = len(files), w.goroutines(d)
	u.Index = kib(filepath.Join(w.home, "index"))
	u.Memory = kib(w.home) - u.Index
	return u
}

func (w *world) goroutines(d daemon) (n int) {
	w.Helper()
	response, err := http.Get(d.debug + "debug/pprof/goroutine?debug=1")
	if err != nil {
		w.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		w.Fatal(err)
	}
	if _, err := fmt.Sscanf(string(text), "goroutine profile: total %d", &n); err != nil {
		w.Fatalf("%v: %.200s", err, text)
	}
	return n
}

// kib is the size of the files below a folder; those that go meanwhile do not count.
func kib(dir string) int {
	var bytes int64
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil //nolint:nilerr // gone meanwhile
		}
		if info, err := d.Info(); err == nil {
			bytes += info.Size()
		}
		return nil
	})
	return int(bytes >> 10)
}
