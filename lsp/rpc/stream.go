package rpc

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"strconv"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"
)

// drainLimit is how long the end of input is held back for requests that are being answered, so that a script
// which writes its requests and closes the pipe reads all answers.
const drainLimit = 2 * time.Second

// maxKeptBuffer bounds, in bytes, the buffers that outlive a large message.
const maxKeptBuffer = 1 << 20

// A Stream is a jsonrpc2.Stream that hands on only what jsonrpc2 survives and answers the rest itself.
type Stream struct {
	conn io.ReadWriteCloser
	log  *slog.Logger

	frames  chan []byte   // sound bodies, from pump to ReadFrame
	ended   chan struct{} // closed when pump has ended; endErr is then set
	endErr  error
	closing chan struct{}
	close   sync.Once

	writeMu sync.Mutex
	out     []byte // the frame being written, reused

	owedMu sync.Mutex
	owed   int           // frames that were read and must still be answered
	paid   chan struct{} // not nil while drain waits; closed when owed is 0
}

// NewStream reads frames from conn until it ends or Close is called. log must not be nil.
func NewStream(conn io.ReadWriteCloser, log *slog.Logger) *Stream {
	s := &Stream{
		conn:    conn,
		log:     log,
		frames:  make(chan []byte),
		ended:   make(chan struct{}),
		closing: make(chan struct{}),
	}
	go s.pump(newFrameReader(conn))
	return s
}

// pump moves sound bodies to ReadFrame. It uses two buffers in turn: while one body is being handled the next is
// read. It may outlive Close while a read blocks that can't be interrupted, as on a terminal's stdin.
func (s *Stream) pump(in *frameReader) {
	defer close(s.ended)
	var buffers [2][]byte
	for turn := 0; ; {
		body, err := in.next(buffers[turn])
		if err != nil {
			if s.survives(err) {
				continue
			}
			s.drain()
			s.endErr = err
			return
		}
		if cap(body) <= maxKeptBuffer {
			buffers[turn] = body
		}
		answers, f := check(body)
		if f != nil {
			s.refuse(f)
			continue
		}
		if answers {
			s.owe()
		}
		select {
		case s.frames <- body:
			turn = 1 - turn
		case <-s.closing:
			return
		}
	}
}

// survives deals with an error of reading and reports whether more may follow.
func (s *Stream) survives(err error) bool {
	var header *headerError
	var tooLarge *tooLargeError
	switch {
	case errors.As(err, &header):
		s.refuse(&fault{code: jsonrpc2.ParseError, message: err.Error()})
		return true
	case errors.As(err, &tooLarge):
		s.log.Error("connection closed", "reason", err)
		s.refuse(&fault{code: jsonrpc2.InvalidRequest, message: err.Error()})
	case errors.Is(err, io.ErrUnexpectedEOF):
		s.log.Warn("input ended inside a message", "err", err)
	}
	return false
}

func (s *Stream) refuse(f *fault) {
	s.log.Warn("message refused", "code", int(f.code), "reason", f.message)
	if f.silent {
		return
	}
	if _, err := s.send(f.answer()); err != nil {
		s.log.Warn("answer to a refused message", "err", err)
	}
}

// ReadFrame returns the next sound body, valid until the next call. jsonrpc2 prefers it to Read, as it is the
// only way to receive batches.
func (s *Stream) ReadFrame(ctx context.Context) ([]byte, int64, error) {
	select {
	case body := <-s.frames:
		return body, int64(len(body)), nil
	case <-s.ended:
		if s.endErr == nil {
			return nil, 0, io.EOF
		}
		return nil, 0, s.endErr
	case <-s.closing:
		return nil, 0, io.EOF
	case <-ctx.Done():
		return nil, 0, ctx.Err()
	}
}

// Read implements jsonrpc2.Stream.
func (s *Stream) Read(ctx context.Context) (jsonrpc2.Message, int64, error) {
	body, n, err := s.ReadFrame(ctx)
	if err != nil {
		return nil, 0, err
	}
	message, err := jsonrpc2.DecodeMessage(body)
	return message, n, err
}

// Write implements jsonrpc2.Stream.
func (s *Stream) Write(_ context.Context, message jsonrpc2.Message) (int64, error) {
	body := jsonrpc2.AppendMessage(nil, message)
	if isResponse(body) {
		defer s.pay()
	}
	return s.send(body)
}

// WriteFrame writes the answers to a batch.
func (s *Stream) WriteFrame(_ context.Context, body []byte) (int64, error) {
	defer s.pay()
	return s.send(body)
}

// send writes one frame with one call of conn.Write.
func (s *Stream) send(body []byte) (int64, error) {
	s.writeMu.Lock()
	defer s.writeMu.Unlock()
	select {
	case <-s.closing:
		return 0, io.ErrClosedPipe
	default:
	}
	s.out = append(s.out[:0], "Content-Length: "...)
	s.out = strconv.AppendInt(s.out, int64(len(body)), 10)
	s.out = append(s.out, "\r\n\r\n"...)
	s.out = append(s.out, body...)
	n, err := s.conn.Write(s.out)
	if cap(s.out) > maxKeptBuffer {
		s.out = nil
	}
	return int64(n), err
}

// Close ends ReadFrame, refuses further writes and closes the connection below.
func (s *Stream) Close() error {
	var err error
	s.close.Do(func() {
		close(s.closing)
		err = s.conn.Close()
	})
	return err
}

func (s *Stream) owe() {
	s.owedMu.Lock()
	s.owed++
	s.owedMu.Unlock()
}

func (s *Stream) pay() {
	s.owedMu.Lock()
	defer s.owedMu.Unlock()
	s.owed--
	if s.owed == 0 && s.paid != nil {
		close(s.paid)
		s.paid = nil
	}
}

// drain waits for the answers that are owed, at most drainLimit.
func (s *Stream) drain() {
	s.owedMu.Lock()
	if s.owed == 0 {
		s.owedMu.Unlock()
		return
	}
	paid := make(chan struct{})
	s.paid = paid
	s.owedMu.Unlock()

	limit := time.NewTimer(drainLimit)
	defer limit.Stop()
	select {
	case <-paid:
	case <-s.closing:
	case <-limit.C:
	}
}

// isResponse tells an answer from a request of ours in what jsonrpc2 encoded. Our own ids are numbers.
func isResponse(body []byte) bool {
	const head = `{"jsonrpc":"2.0","id":`
	if len(body) < len(head) || string(body[:len(head)]) != head {
		return false
	}
	i := len(head)
	for i < len(body) && (body[i] == '-' || '0' <= body[i] && body[i] <= '9') {
		i++
	}
	const method = `,"method":`
	return len(body) < i+len(method) || string(body[i:i+len(method)]) != method
}
