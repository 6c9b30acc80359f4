package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"os/exec"
	"strconv"
	"sync"
)

// A client is the thinnest editor there is: it frames JSON-RPC and waits for answers.
type client struct {
	cmd *exec.Cmd
	in  io.WriteCloser

	writing sync.Mutex

	mu      sync.Mutex // guards all below
	next    int
	waiting map[int]chan answer
	err     error
}

type answer struct {
	Result json.RawMessage
	Error  *struct {
		Code    int
		Message string
	}
}

func start(aurora, home, dir string) (*client, error) {
	cmd := exec.Command(aurora, "serve", "--standalone")
	cmd.Env = append(os.Environ(), "AURORA_HOME="+home)
	cmd.Dir = dir
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
	c := &client{cmd: cmd, in: in, waiting: map[int]chan answer{}}
	go c.read(out)
	return c, nil
}

func (c *client) read(out io.Reader) {
	r := bufio.NewReaderSize(out, 1<<16)
	for {
		body, err := frame(r)
		if err != nil {
			c.fail(err)
			return
		}
		var m struct {
			ID     *int
			Method string
			answer
		}
		if err := json.Unmarshal(body, &m); err != nil {
			c.fail(err)
			return
		}
		switch {
		case m.Method != "" && m.ID != nil: // a request from the server: nothing to say
			c.write(map[string]any{"jsonrpc": "2.0", "id": *m.ID, "result": nil})
		case m.Method == "" && m.ID != nil:
			c.mu.Lock()
			ch := c.waiting[*m.ID]
			delete(c.waiting, *m.ID)
			c.mu.Unlock()
			if ch != nil {
				ch <- m.answer
			}
		}
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

func (c *client) fail(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.err = err
	for id, ch := range c.waiting {
		close(ch)
		delete(c.waiting, id)
	}
}

func (c *client) write(m any) error {
	body, err := json.Marshal(m)
	if err != nil {
		return err
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	_, err = io.WriteString(c.in, "Content-Length: "+strconv.Itoa(len(body))+"\r\n\r\n"+string(body))
	return err
}

func (c *client) notify(method string, params any) error {
	return c.write(map[string]any{"jsonrpc": "2.0", "method": method, "params": params})
}

// call sends a request and decodes its result into out, which may be nil.
func (c *client) call(method string, params, out any) error {
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
		return fmt.Errorf("%s: %d %s", method, a.Error.Code, a.Error.Message)
	case out == nil:
		return nil
	}
	return json.Unmarshal(a.Result, out)
}
