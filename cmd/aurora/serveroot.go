package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"net/textproto"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
)

// peekSize bounds how much of a client's first message is looked at; an initialize request takes a few kilobytes.
const peekSize = 1 << 20

// firstFolder looks at the client's first message, without taking it from the stream, and returns the workspace
// folder that an initialize request names. The folder's own settings count, whatever folder the editor was started in.
// Anything unexpected gives "": the server itself answers it.
func firstFolder(in *bufio.Reader) string {
	body := peekBody(in)
	if body == nil {
		return ""
	}
	var message struct {
		Method string `json:"method"`
		Params struct {
			RootURI  string `json:"rootUri"`
			RootPath string `json:"rootPath"`
			Folders  []struct {
				URI string `json:"uri"`
			} `json:"workspaceFolders"`
		} `json:"params"`
	}
	if json.Unmarshal(body, &message) != nil || message.Method != "initialize" {
		return ""
	}
	p := &message.Params
	switch {
	case len(p.Folders) > 0:
		return filePath(p.Folders[0].URI)
	case p.RootURI != "":
		return filePath(p.RootURI)
	case filepath.IsAbs(p.RootPath):
		return p.RootPath
	}
	return ""
}

// peekBody returns the body of the first frame, nil when there is none or it is larger than the buffer.
func peekBody(in *bufio.Reader) []byte {
	header := peekHeader(in)
	if header == nil {
		return nil
	}
	fields, err := textproto.NewReader(bufio.NewReader(bytes.NewReader(header))).ReadMIMEHeader()
	if err != nil {
		return nil
	}
	length, err := strconv.Atoi(fields.Get("Content-Length"))
	if err != nil || length <= 0 || length > in.Size()-len(header) {
		return nil
	}
	frame, err := in.Peek(len(header) + length)
	if err != nil {
		return nil
	}
	return frame[len(header):]
}

// peekHeader waits for a whole header, its empty line included. It gives up as soon as what arrives is no header.
func peekHeader(in *bufio.Reader) []byte {
	const start = "content-"
	for {
		seen, err := in.Peek(in.Buffered())
		if err != nil {
			return nil
		}
		n := min(len(seen), len(start))
		if !strings.EqualFold(string(seen[:n]), start[:n]) {
			return nil
		}
		if end := bytes.Index(seen, []byte("\r\n\r\n")); end >= 0 {
			return seen[:end+4]
		}
		if len(seen) == in.Size() {
			return nil
		}
		if _, err := in.Peek(len(seen) + 1); err != nil { // blocks until one more byte is there
			return nil
		}
	}
}

// filePath turns a file URI into a path, "" for any other URI.
func filePath(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return ""
	}
	path := u.Path
	if len(path) > 2 && path[0] == '/' && path[2] == ':' { // file:///c:/project
		path = path[1:]
	}
	return filepath.FromSlash(path)
}
