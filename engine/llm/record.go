package llm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync"
)

// A recorded exchange, one line of a recording.
type recorded struct {
	Path     string `json:"path"`
	Request  string `json:"request"`
	Status   int    `json:"status"`
	Type     string `json:"contentType"`
	Response string `json:"response"`
}

// recorder adds every exchange to a file. Keys and headers are not written, and secrets in the texts are taken out.
type recorder struct {
	next    http.RoundTripper
	secrets []string

	mu   sync.Mutex
	path string
}

func newRecorder(next http.RoundTripper, path string, secrets []string) (*recorder, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, &Error{Fault: Setup, Message: "the recording can't be written: " + err.Error(), Err: err}
	}
	return &recorder{next: next, path: path, secrets: secrets}, f.Close()
}

// RoundTrip implements http.RoundTripper. The exchange is written when the body was read and closed.
func (r *recorder) RoundTrip(request *http.Request) (*http.Response, error) {
	body, err := takeBody(request)
	if err != nil {
		return nil, err
	}
	response, err := r.next.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	line := recorded{
		Path: request.URL.Path, Request: conceal(string(body), r.secrets), Status: response.StatusCode,
		Type: response.Header.Get("Content-Type"),
	}
	response.Body = &tee{ReadCloser: response.Body, done: func(seen []byte) {
		line.Response = conceal(string(seen), r.secrets)
		r.write(line)
	}}
	return response, nil
}

func (r *recorder) write(line recorded) {
	r.mu.Lock()
	defer r.mu.Unlock()
	encoded, err := json.Marshal(line)
	if err != nil {
		return
	}
	f, err := os.OpenFile(r.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return // a recording is no reason to fail a question
	}
	defer f.Close()
	_, _ = f.Write(append(encoded, '\n'))
}

// tee keeps what is read of a body.
type tee struct {
	io.ReadCloser
	seen bytes.Buffer
	done func([]byte)
}

// Read implements io.Reader.
func (t *tee) Read(p []byte) (int, error) {
	n, err := t.ReadCloser.Read(p)
	t.seen.Write(p[:n])
	return n, err
}

// Close implements io.Closer.
func (t *tee) Close() error {
	if t.done != nil {
		t.done(t.seen.Bytes())
		t.done = nil
	}
	return t.ReadCloser.Close()
}

// takeBody reads the body of a request and puts it back.
func takeBody(request *http.Request) ([]byte, error) {
	if request.Body == nil {
		return nil, nil
	}
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return nil, err
	}
	request.Body = io.NopCloser(bytes.NewReader(body))
	return body, nil
}

// replayer answers from a recording: each request by the next exchange that was recorded for the same one.
type replayer struct {
	secrets []string

	mu    sync.Mutex
	lines map[string][]recorded // by request
}

func newReplayer(path string, secrets []string) (*replayer, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, &Error{Fault: Setup, Message: "the recording can't be read: " + err.Error(), Err: err}
	}
	r := &replayer{secrets: secrets, lines: map[string][]recorded{}}
	for number, raw := range bytes.Split(data, []byte("\n")) {
		if len(bytes.TrimSpace(raw)) == 0 {
			continue
		}
		var line recorded
		if err := json.Unmarshal(raw, &line); err != nil {
			return nil, &Error{Fault: Setup, Message: fmt.Sprintf("line %d of the recording %s is damaged", number+1, path), Err: err}
		}
		r.lines[line.Request] = append(r.lines[line.Request], line)
	}
	return r, nil
}

// RoundTrip implements http.RoundTripper. The last exchange for a request answers all later ones.
func (r *replayer) RoundTrip(request *http.Request) (*http.Response, error) {
	body, err := takeBody(request)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	key := conceal(string(body), r.secrets)
	lines := r.lines[key]
	if len(lines) == 0 {
		return nil, fmt.Errorf("the recording has no answer to this request")
	}
	if len(lines) > 1 {
		r.lines[key] = lines[1:]
	}
	return &http.Response{
		StatusCode: lines[0].Status, Status: http.StatusText(lines[0].Status), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {lines[0].Type}}, Body: io.NopCloser(bytes.NewReader([]byte(lines[0].Response))), Request: request,
	}, nil
}
