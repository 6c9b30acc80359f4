package loopback

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// TestSlowBody has a body end that does not arrive in time, and the next request of the connection be served after one that
// does.
func TestSlowBody(t *testing.T) {
	failed := make(chan error, 1)
	server := httptest.NewServer(timed(50*time.Millisecond, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, err := io.ReadAll(r.Body)
		failed <- err
	})))
	defer server.Close()
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	send := func(text string) {
		if _, err := io.WriteString(conn, text); err != nil {
			t.Fatal(err)
		}
	}
	send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nab")
	if err := <-failed; err != nil {
		t.Errorf("a whole body: %v", err)
	}
	send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\na")
	if err := <-failed; err == nil {
		t.Error("half a body was waited for, and taken")
	}
}
