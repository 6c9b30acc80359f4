package rpc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.lsp.dev/jsonrpc2"
)

func TestLifecycle(t *testing.T) {
	exit := make(chan int, 2)
	c := dial(t, Methods{Exit: func(code int) { exit <- code }})
	c.call("1", "ping", "{}")
	c.expect("1", -32002)
	c.call("2", "shutdown", "null")
	c.expect("2", -32002)
	c.initialize()
	c.call("3", "initialize", "{}")
	c.expect("3", -32600)
	c.call("4", "no/such", "{}")
	if m := c.expect("4", -32601); !strings.Contains(m.Error.Message, "no/such") {
		t.Errorf("message %q doesn't name the method", m.Error.Message)
	}
	c.call("5", "shutdown", "null")
	c.expect("5", 0)
	c.call("6", "ping", "{}")
	c.expect("6", -32600)
	c.call("7", "no/such", "{}")
	c.expect("7", -32600)
	c.notify("exit", "null")
	c.notify("exit", "null") // a second one changes nothing
	if code := <-exit; code != 0 {
		t.Errorf("exit code %d after shutdown", code)
	}
}

func TestExitWithoutShutdown(t *testing.T) {
	exit := make(chan int, 1)
	c := dial(t, Methods{Exit: func(code int) { exit <- code }})
	c.notify("exit", "null")
	if code := <-exit; code != 1 {
		t.Errorf("exit code %d, want 1", code)
	}
}

func TestFailedInitializeMayBeRepeated(t *testing.T) {
	var calls atomic.Int32
	c := dial(t, Methods{Calls: map[string]Call{"initialize": func(context.Context, json.RawMessage) (any, error) {
		if calls.Add(1) == 1 {
			return nil, jsonrpc2.NewError(jsonrpc2.InvalidParams, "capabilities")
		}
		return nil, nil
	}}})
	c.call("1", "initialize", "{}")
	c.expect("1", -32602)
	c.call("2", "initialize", "{}")
	c.expect("2", 0)
	c.alive()
}

func TestNotificationsOutsideASessionAreDropped(t *testing.T) {
	var handled atomic.Int32
	c := dial(t, Methods{Notifications: map[string]Notification{
		"note": func(context.Context, json.RawMessage) error { handled.Add(1); return nil },
	}})
	c.notify("note", "{}")
	c.initialize()
	c.alive()
	if n := handled.Load(); n != 0 {
		t.Errorf("%d notifications were handled before initialize", n)
	}
}

func TestCancelIsAnsweredAtOnce(t *testing.T) {
	started, release := make(chan struct{}), make(chan struct{})
	sawCause := make(chan error, 1)
	c := dial(t, Methods{Calls: map[string]Call{
		"stubborn": func(ctx context.Context, _ json.RawMessage) (any, error) {
			close(started)
			<-release // does not look at its context
			sawCause <- context.Cause(ctx)
			return nil, nil
		},
	}})
	c.initialize()
	c.call(`"s"`, "stubborn", "{}")
	<-started
	c.notify("$/cancelRequest", `{"id":"s"}`)
	c.expect(`"s"`, -32800)
	c.alive()
	close(release)
	if err := <-sawCause; !errors.Is(err, errCancelledByClient) {
		t.Errorf("cause %v", err)
	}
}

func TestShutdownAnswersWhatIsOpen(t *testing.T) {
	began := make(chan struct{})
	c := dial(t, Methods{Calls: map[string]Call{
		"initialize": answer(1),
		"shutdown":   answer(nil),
		"slow": func(ctx context.Context, _ json.RawMessage) (any, error) {
			close(began)
			<-ctx.Done()
			return nil, ctx.Err()
		},
	}})
	c.initialize()
	c.call("2", "slow", "{}")
	<-began
	c.call("3", "shutdown", "null")
	codes := map[string]int{}
	for range 2 {
		m := c.next()
		codes[string(m.ID)] = m.code()
	}
	if codes["2"] != -32800 || codes["3"] != 0 {
		t.Errorf("codes by id: %v", codes)
	}
}

func TestCancelByNumber(t *testing.T) {
	started := make(chan struct{})
	c := dial(t, Methods{Calls: map[string]Call{
		"wait": func(ctx context.Context, _ json.RawMessage) (any, error) {
			close(started)
			<-ctx.Done()
			return nil, ctx.Err()
		},
	}})
	c.initialize()
	c.call("5000000000", "wait", "{}") // beyond 32 bits
	<-started
	c.notify("$/cancelRequest", `{"id":5000000000}`)
	c.expect("5000000000", -32800)
}

func TestPanicIsContained(t *testing.T) {
	c := dial(t, Methods{
		Calls:         map[string]Call{"boom": func(context.Context, json.RawMessage) (any, error) { panic("boom") }},
		Notifications: map[string]Notification{"boom": func(context.Context, json.RawMessage) error { panic("boom") }},
	})
	c.initialize()
	c.call("1", "boom", "{}")
	c.expect("1", -32603)
	c.notify("boom", "{}")
	c.alive()
}

func TestErrors(t *testing.T) {
	coded := jsonrpc2.NewError(1004, "not indexed")
	coded.Data = jsonrpc2.RawMessage(`{"kind":"notIndexed"}`)
	special := errors.New("special")
	tests := []struct {
		name string
		err  error
		code int
	}{
		{"plain", errors.New("disk on fire"), -32603},
		{"coded", coded, 1004},
		{"wrapped", fmt.Errorf("open: %w", coded), 1004},
		{"mapped", fmt.Errorf("query: %w", special), 1002},
		{"cancelled by somebody else", context.Canceled, -32603},
		{"timed out", context.DeadlineExceeded, -32603},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := dial(t, Methods{
				Calls: map[string]Call{"fail": func(context.Context, json.RawMessage) (any, error) { return "ignored", test.err }},
				MapError: func(err error) *jsonrpc2.Error {
					if errors.Is(err, special) {
						return jsonrpc2.NewError(1002, "budget")
					}
					return nil
				},
			})
			c.initialize()
			c.call("1", "fail", "{}")
			m := c.expect("1", test.code)
			if test.code == 1004 && string(m.Error.Data) != `{"kind":"notIndexed"}` {
				t.Errorf("data %s", m.Error.Data)
			}
		})
	}
}

func TestDuplicateIDIsRefused(t *testing.T) {
	started, release := make(chan struct{}), make(chan struct{})
	c := dial(t, Methods{Calls: map[string]Call{
		"wait": func(context.Context, json.RawMessage) (any, error) {
			close(started)
			<-release
			return nil, nil
		},
	}})
	c.initialize()
	c.call("1", "wait", "{}")
	<-started
	c.call("1", "ping", "{}")
	c.expect("1", -32600)
	close(release)
	c.expect("1", 0)
	c.alive()
}

// TestOrder sends 2000 numbered notifications with requests between them: each request must see all that were
// sent before it, although requests run concurrently.
func TestOrder(t *testing.T) {
	var last atomic.Int64
	c := dial(t, Methods{
		Calls: map[string]Call{"last": func(context.Context, json.RawMessage) (any, error) {
			return json.RawMessage(fmt.Sprint(last.Load())), nil
		}},
		Notifications: map[string]Notification{"set": func(_ context.Context, params json.RawMessage) error {
			var p struct{ N int64 }
			if err := json.Unmarshal(params, &p); err != nil {
				return err
			}
			if !last.CompareAndSwap(p.N-1, p.N) {
				t.Errorf("notification %d came after %d", p.N, last.Load())
			}
			return nil
		}},
	})
	c.initialize()
	const notes, every = 2000, 7
	go func() {
		for i := 1; i <= notes; i++ {
			c.notify("set", fmt.Sprintf(`{"n":%d}`, i))
			if i%every == 0 {
				c.call(fmt.Sprint(i), "last", "{}")
			}
		}
	}()
	for range notes / every {
		m := c.next()
		var asked, saw int
		if err := errors.Join(json.Unmarshal(m.ID, &asked), json.Unmarshal(m.Result, &saw)); err != nil {
			t.Fatal(err)
		}
		if saw < asked {
			t.Errorf("a request after notification %d saw %d", asked, saw)
		}
	}
}

func TestFastOvertakesSlow(t *testing.T) {
	release := make(chan struct{})
	c := dial(t, Methods{Calls: map[string]Call{
		"slow": func(context.Context, json.RawMessage) (any, error) { <-release; return nil, nil },
	}})
	c.initialize()
	c.call("1", "slow", "{}")
	c.alive()
	close(release)
	c.expect("1", 0)
}

func TestHandlerMayCallTheClient(t *testing.T) {
	var c *rawClient
	ready := make(chan struct{})
	c = dial(t, Methods{Calls: map[string]Call{
		"ask": func(ctx context.Context, _ json.RawMessage) (any, error) {
			<-ready
			var result json.RawMessage
			err := c.conn.Call(ctx, "client/question", json.RawMessage(`{"q":1}`), &result)
			return result, err
		},
	}})
	close(ready)
	c.initialize()
	c.call("1", "ask", "{}")
	question := c.next()
	if question.Method != "client/question" || string(question.Params) != `{"q":1}` {
		t.Fatalf("got %+v", question)
	}
	c.frame(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"a":42}}`, question.ID))
	if m := c.expect("1", 0); string(m.Result) != `{"a":42}` {
		t.Errorf("result %s", m.Result)
	}
}

func TestEndOfInputWaitsForAnswersOwed(t *testing.T) {
	started, release := make(chan struct{}), make(chan struct{})
	c := dial(t, Methods{Calls: map[string]Call{
		"slow": func(context.Context, json.RawMessage) (any, error) {
			close(started)
			<-release
			return nil, nil
		},
	}})
	c.initialize()
	c.call("1", "slow", "{}")
	_ = c.in.Close()
	<-started
	close(release)
	c.expect("1", 0)
	c.conn.Wait()
}

func TestCloseCancelsHandlers(t *testing.T) {
	started, stopped := make(chan struct{}), make(chan error, 1)
	c := dial(t, Methods{Calls: map[string]Call{
		"wait": func(ctx context.Context, _ json.RawMessage) (any, error) {
			close(started)
			<-ctx.Done()
			stopped <- context.Cause(ctx)
			return nil, ctx.Err()
		},
	}})
	c.initialize()
	c.call("1", "wait", "{}")
	<-started
	if !c.conn.Close(patience) {
		t.Fatal("the handler was left behind")
	}
	if err := <-stopped; !errors.Is(err, ErrStopped) {
		t.Errorf("cause %v", err)
	}
}

func TestCloseGivesUpOnAStuckHandler(t *testing.T) {
	started, release := make(chan struct{}), make(chan struct{})
	c := dial(t, Methods{Calls: map[string]Call{
		"stuck": func(context.Context, json.RawMessage) (any, error) { close(started); <-release; return nil, nil },
	}})
	c.initialize()
	c.call("1", "stuck", "{}")
	<-started
	if c.conn.Close(time.Millisecond) {
		t.Error("Close says that the handler ended")
	}
	close(release)
}

func BenchmarkPing(b *testing.B) {
	c := dial(b, Methods{})
	c.initialize()
	for i := 0; b.Loop(); i++ {
		c.call(fmt.Sprint(i+1), "ping", `{"textDocument":{"uri":"file:///a.go"},"position":{"line":1,"character":2}}`)
		c.next()
	}
}

func TestCanceller(t *testing.T) {
	Canceller(t.Context())() // outside a request: nothing
	cancels := make(chan func(), 1)
	c := dial(t, Methods{Calls: map[string]Call{
		"wait": func(ctx context.Context, _ json.RawMessage) (any, error) {
			cancels <- Canceller(ctx)
			<-ctx.Done()
			return nil, ctx.Err()
		},
	}})
	c.initialize()
	c.call("1", "wait", "{}")
	(<-cancels)()
	c.expect("1", -32800)
}
