package llmtest

import (
	"flag"
	"net/http"
	"os"
	"runtime"
	"time"
)

// leakPatience bounds the wait for goroutines that are about to end.
const leakPatience = 5 * time.Second

// WithoutLeaks runs the tests of a package, which run is, and returns their exit code; 1 when they passed but leave
// goroutines behind, whose stacks are then written to standard error. It is the body of a TestMain.
func WithoutLeaks(run func() int) (code int) {
	flag.Parse()
	if fuzzed := flag.Lookup("test.fuzz"); fuzzed != nil && fuzzed.Value.String() != "" {
		return run() // fuzzing has goroutines of its own
	}
	before := runtime.NumGoroutine()
	if code = run(); code != 0 {
		return code
	}
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	for end := time.Now().Add(leakPatience); runtime.NumGoroutine() > before; runtime.Gosched() {
		if time.Now().After(end) {
			buf := make([]byte, 1<<20)
			_, _ = os.Stderr.Write(buf[:runtime.Stack(buf, true)])
			return 1
		}
	}
	return 0
}
