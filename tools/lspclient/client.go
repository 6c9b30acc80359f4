package lspclient

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"os/exec"
	"strconv"
	"sync"
)

// A Client is a connection to a server that it started.
type Client struct {
	Cmd *exec.Cmd
	in  io.WriteCloser

	writing sync.Mutex

	mu      sync.Mutex // guards all below
	next    int
	waiting map[int]chan answer
	err     error
}

type answer struct {
	Result json.RawMessage
	Error  *Error
}

// An Error is what a server says why it can't answer.
type Error struct {
	Code    int
	Message string
}

func (e *Error) Error() string { return fmt.Sprintf("%d %s", e.Code, e.Message) }

// Listener is told of every notification of a server. It must not wait.
type Listener func(method string, params json.RawMessage)

// Start runs a server and connects to it; listen may be nil.
func Start(cmd *exec.Cmd, listen Listener) (*Client, error) {
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	c := &Client{Cmd: cmd, in: in, waiting: map[int]chan answer{}}
	if listen == nil {
		listen = func(string, json.RawMessage) {}
	}
	go c.read(out, listen)
	return c, nil
}

// A message is what a server sends: a request, a notification or an answer.
type message struct {
	ID     json.RawMessage // a number or a string; only requests of servers have strings
	Method string
	Params json.RawMessage
	answer
}

func (c *Client) read(out io.Reader, listen Listener) {
	r := bufio.NewReaderSize(out, 1<<16)
	for {
		body, err := frame(r)
		if err != nil {
			c.fail(err)
			return
		}
		var m message
		if err := json.Unmarshal(body, &m); err != nil {
			c.fail(err)
			return
		}
		switch {
		case m.Method != "" && m.ID != nil:
			c.write(map[string]any{"jsonrpc": "2.0", "id": m.ID, "result": m.reply()})
		case m.Method != "":
			listen(m.Method, m.Params)
		default:
			c.deliver(&m)
		}
	}
}

// reply is the answer to a request of the server: no settings, and else nothing.
func (m *message) reply() any {
	var asked struct{ Items []any }
	if m.Method == "workspace/configuration" && json.Unmarshal(m.Params, &asked) == nil {
		return make([]any, len(asked.Items))
	}
	return nil
}

// deliver hands an answer to the call that waits for it.
func (c *Client) deliver(m *message) {
	id, err := strconv.Atoi(string(m.ID))
	if err != nil {
		return
	}
	c.mu.Lock()
	ch := c.waiting[id]
	delete(c.waiting, id)
	c.mu.Unlock()
	if ch != nil {
		ch <- m.answer
	}
}

func frame(r *bufio.Reader) ([]byte, error) {
	header, err := textproto.NewReader(r).ReadMIMEHeader()
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(header.Get("Content-Length"))
	if err != nil {
		return nil, err
	}
	body := make([]byte, n)
	_, err = io.ReadFull(r, body)
	return body, err
}

func (c *Client) fail(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.err = err
	for id, ch := range c.waiting {
		close(ch)
		delete(c.waiting, id)
	}
}

func (c *Client) write(m any) error {
	body, err := json.Marshal(m)
	if err != nil {
		return err
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	_, err = io.WriteString(c.in, "Content-Length: "+strconv.Itoa(len(body))+"\r\n\r\n"+string(body))
	return err
}

// Notify sends a notification.
func (c *Client) Notify(method string, params any) error {
	return c.write(map[string]any{"jsonrpc": "2.0", "method": method, "params": params})
}

// Call sends a request and decodes its result into out, which may be nil. What the server refuses is an *Error.
func (c *Client) Call(method string, params, out any) error {
	c.mu.Lock()
	if c.err != nil {
		defer c.mu.Unlock()
		return fmt.Errorf("%s: the server is gone: %w", method, c.err)
	}
	c.next++
	id, ch := c.next, make(chan answer, 1)
	c.waiting[id] = ch
	c.mu.Unlock()
	if err := c.write(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params}); err != nil {
		return err
	}
	a, ok := <-ch
	switch {
	case !ok:
		return fmt.Errorf("%s: the server ended", method)
	case a.Error != nil:
		return fmt.Errorf("%s: %w", method, a.Error)
	case out == nil:
		return nil
	}
	return json.Unmarshal(a.Result, out)
}
