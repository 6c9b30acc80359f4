package rpc

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// MaxContentLength is the largest body, in bytes, that a frame may announce.
const MaxContentLength = 64 << 20

// headerBuffer is the longest header line that is looked at as a whole. Longer ones are garbage anyway.
const headerBuffer = 64 << 10

const contentLength = "content-length:"

const unknown = -1

// A tooLargeError refuses a frame. The connection can't go on: what follows is the refused body.
type tooLargeError struct{ announced string }

func (e *tooLargeError) Error() string {
	return fmt.Sprintf("Content-Length %s is above the limit of %d bytes", e.announced, MaxContentLength)
}

// A headerError tells what is wrong with a header. The next call of frameReader.next goes on behind it.
type headerError struct{ reason string }

func (e *headerError) Error() string { return "read header: " + e.reason }

// A frameReader cuts bytes into message bodies. After a broken header it looks for the next Content-Length, even
// one glued to the end of a body whose length was announced wrongly.
type frameReader struct {
	in     *bufio.Reader
	lost   bool // a headerError was returned and no sound header was found since
	resume int  // length that was read before the last headerError, or unknown
}

func newFrameReader(in io.Reader) *frameReader {
	return &frameReader{in: bufio.NewReaderSize(in, headerBuffer), resume: unknown}
}

// next returns the next body, in buf when it is large enough. The error is a *headerError, which the caller may
// answer before calling next again, a *tooLargeError, io.EOF between two frames, or what reading ended with.
func (r *frameReader) next(buf []byte) ([]byte, error) {
	length, err := r.header()
	if err != nil {
		return nil, err
	}
	if cap(buf) < length {
		buf = make([]byte, length)
	}
	buf = buf[:length]
	if _, err := io.ReadFull(r.in, buf); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return nil, fmt.Errorf("read body of %d bytes: %w", length, err)
	}
	return buf, nil
}

// header reads header lines up to the blank line and returns the announced length.
func (r *frameReader) header() (int, error) {
	length := r.resume
	r.resume = unknown
	for seen := length != unknown; ; {
		line, err := r.line()
		if err != nil {
			if errors.Is(err, io.EOF) && (seen || len(line) > 0) {
				err = io.ErrUnexpectedEOF
			}
			return 0, err
		}
		field := bytes.TrimRight(line, "\r\n")
		if len(field) > 0 {
			seen = true
			if length, err = r.field(field, length); err != nil {
				return 0, err
			}
			continue
		}
		if length != unknown {
			r.lost = false
			return length, nil
		}
		if seen { // stray blank lines between frames do no harm
			if err := r.lose("no Content-Length"); err != nil {
				return 0, err
			}
		}
	}
}

// field takes one header line into account and returns the length known after it.
func (r *frameReader) field(line []byte, length int) (int, error) {
	value, glued, found := lengthField(line)
	if !found {
		if !isField(line) {
			return length, r.lose(fmt.Sprintf("not a header field: %.40q", line))
		}
		return length, nil
	}
	n, err := parseLength(value)
	var tooLarge *tooLargeError
	switch {
	case errors.As(err, &tooLarge):
		return unknown, err
	case err != nil:
		return unknown, r.lose(err.Error())
	case glued && !r.lost:
		// Only a wrongly announced length glues a header to something: say so, then go on with this header.
		r.resume = n
		return unknown, r.lose("bytes before Content-Length: was the last one too small?")
	}
	return n, nil
}

// lose notes that the reader has to find the next frame by itself. It returns an error the first time only: one
// accident is told once.
func (r *frameReader) lose(reason string) error {
	if r.lost {
		return nil
	}
	r.lost = true
	return &headerError{reason}
}

// line returns the next line with its end. Of an overlong line only the last bytes are kept, enough to hold a
// Content-Length field.
func (r *frameReader) line() ([]byte, error) {
	line, err := r.in.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return line, err
	}
	const keep = 64
	tail := bytes.Clone(line[len(line)-keep:])
	for errors.Is(err, bufio.ErrBufferFull) {
		line, err = r.in.ReadSlice('\n')
		tail = append(tail, line[max(0, len(line)-keep):]...)
		tail = tail[max(0, len(tail)-2*keep):]
	}
	return append([]byte{0}, tail...), err // the zero byte makes it no field of its own
}

// lengthField finds the last Content-Length in a line. glued tells that something stands before it.
func lengthField(line []byte) (value []byte, glued, found bool) {
	i := bytes.LastIndex(asciiLower(line), []byte(contentLength))
	if i < 0 {
		return nil, false, false
	}
	return line[i+len(contentLength):], i > 0, true
}

// asciiLower keeps the length of what is no UTF-8, unlike bytes.ToLower.
func asciiLower(b []byte) []byte {
	lower := bytes.Clone(b)
	for i, c := range lower {
		if 'A' <= c && c <= 'Z' {
			lower[i] = c | 0x20
		}
	}
	return lower
}

// isField reports whether a line is "Name: value" with a plain name.
func isField(line []byte) bool {
	name, _, found := bytes.Cut(line, []byte(":"))
	if !found || len(name) == 0 {
		return false
	}
	for _, c := range name {
		if c != '-' && c != '_' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			return false
		}
	}
	return true
}

func parseLength(value []byte) (int, error) {
	trimmed := string(bytes.TrimSpace(value))
	n, err := strconv.ParseUint(trimmed, 10, 63)
	switch {
	case errors.Is(err, strconv.ErrRange), err == nil && n > MaxContentLength:
		return 0, &tooLargeError{announced: fmt.Sprintf("%.40s", trimmed)}
	case err != nil:
		return 0, fmt.Errorf("Content-Length %.40q is not a number of bytes", trimmed)
	}
	return int(n), nil
}
