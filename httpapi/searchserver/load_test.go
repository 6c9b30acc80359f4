package searchserver_test

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/search/shared"
)

var (
	loadServer  = flag.String("load-server", "", "URL of the search server that TestLoad asks; it does nothing without")
	loadToken   = flag.String("load-token", token, "its token")
	loadFolder  = flag.String("load-folder", "", "checkout that is searched beside it")
	loadClients = flag.Int("load-clients", 50, "how many ask")
	loadEvery   = flag.Duration("load-every", 200*time.Millisecond, "how often each of them does")
	loadTime    = flag.Duration("load-time", 30*time.Second, "for how long")
	loadWait    = flag.Duration("load-wait", 10*time.Second, "how long a search waits for the server")
)

// loadQueries are about no repository in particular.
var loadQueries = []string{
	"parse command line flags", "retry a request with backoff", "Config", "read the next token", "open a connection", "where are headers written", "encode as json",
	"cache eviction policy", "Reader", "validate user input", "how are errors wrapped", "format a date", "write the response body", "close all files", "newClient",
	"schedule a job", "compare two versions", "merge options with defaults", "escape html", "split a path",
}

// TestLoad measures searches of many clients at once over a server that runs; docs/performance.md has what came of it.
func TestLoad(t *testing.T) {
	if *loadServer == "" || *loadFolder == "" {
		t.Skip("-load-server and -load-folder name what is measured")
	}
	x := openIndex(t, everything, *loadFolder)
	measure := func(clients int, team bool) (took []time.Duration, late int) {
		var mu sync.Mutex
		var all sync.WaitGroup
		end := time.Now().Add(*loadTime)
		for i := range clients {
			var e *engine.Engine
			if team {
				client, err := shared.NewClient(*loadServer, *loadToken)
				if err != nil {
					t.Fatal(err)
				}
				e = engineOf(t, x, shared.NewTeam(shared.Options{Client: client, Index: x, Wait: *loadWait, Whole: true}))
			} else {
				e = engineOf(t, x, nil)
			}
			all.Add(1)
			go func() {
				defer all.Done()
				tick := time.NewTicker(*loadEvery)
				defer tick.Stop()
				for n := i; time.Now().Before(end); n++ {
					start := time.Now()
					result, err := e.Search(t.Context(), engine.SearchRequest{Query: loadQueries[n%len(loadQueries)], Scope: engine.Scope{Team: true}})
					mu.Lock()
					if n != i { // the first one makes the connection
						took = append(took, time.Since(start))
						if err != nil || slices.ContainsFunc(result.Notes, func(n string) bool { return strings.HasPrefix(n, "only what is here") }) {
							late++
						}
					}
					mu.Unlock()
					<-tick.C
				}
			}()
		}
		all.Wait()
		slices.Sort(took)
		return took, late
	}
	report := func(name string, took []time.Duration, late int) {
		if len(took) == 0 {
			t.Fatal("nothing was measured")
		}
		t.Logf("%s: %d searches, %.1f/s, p50 %s, p95 %s, %d without the server", name, len(took), float64(len(took))/loadTime.Seconds(),
			took[len(took)/2].Round(100*time.Microsecond), took[len(took)*95/100].Round(100*time.Microsecond), late)
	}
	took, late := measure(1, false)
	report("one client, here alone", took, late)
	for _, clients := range []int{1, *loadClients} {
		took, late := measure(clients, true)
		report(fmt.Sprintf("with the server, %d clients", clients), took, late)
	}
}
