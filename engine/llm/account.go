package llm

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// A Meter decides whether a call may be made, and is told what it took.
type Meter interface {
	// Reserve sets usd aside for a call, or refuses it with an error. force asks to pass the limit, where that is allowed.
	Reserve(ctx context.Context, usd float64, force bool) error
	// Settle replaces what was reserved by what the call took. It is called for every Reserve that succeeded, on
	// cancelled calls, too.
	Settle(ctx context.Context, reserved, spent float64)
}

// Unlimited is a Meter that allows every call: for models that somebody else pays for.
type Unlimited struct{}

// Reserve implements Meter.
func (Unlimited) Reserve(context.Context, float64, bool) error { return nil }

// Settle implements Meter.
func (Unlimited) Settle(context.Context, float64, float64) {}

// A Call is one exchange with a model.
type Call struct {
	Purpose  string        `json:"purpose"`
	Model    string        `json:"model"`
	Replied  string        `json:"replied,omitempty"` // the model that the reply names, "" when none came
	Usage    Usage         `json:"usage"`
	USD      float64       `json:"usd"`
	Unpriced bool          `json:"unpriced,omitempty"` // the model has no price: USD is 0 for want of one
	Duration time.Duration `json:"duration"`
	Fault    Fault         `json:"fault,omitempty"` // "" when a reply came
}

// An Account is the sum of the calls of one query, and what they may cost. A nil Account sets no limit and keeps nothing.
type Account struct {
	LimitUSD float64 // the most that the calls may cost together; 0 sets no limit
	Force    bool    // the calls may pass the limit of the Meter, where it allows that

	mu     sync.Mutex
	calls  []Call
	parent *Account
	kept   int
	gone   float64 // US dollars, with what is reserved for calls that run
}

// Sub returns an account whose calls are written to a as well, and count against its limit.
func (a *Account) Sub() *Account {
	return &Account{parent: a}
}

// root is the account that has the limits.
func (a *Account) root() *Account {
	for a != nil && a.parent != nil {
		a = a.parent
	}
	return a
}

func (a *Account) forced() bool {
	a = a.root()
	return a != nil && a.Force
}

// take takes usd out of the limit, and fails when that is not enough; a negative amount is put back.
func (a *Account) take(usd float64) error {
	if a = a.root(); a == nil || a.LimitUSD <= 0 {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if usd > 0 && a.gone+usd > a.LimitUSD {
		return fmt.Errorf("the next call may cost $%.4f, and of this query's $%.4f only $%.4f are left", usd, a.LimitUSD, max(0, a.LimitUSD-a.gone))
	}
	a.gone += usd
	return nil
}

func (a *Account) add(c Call) {
	if a == nil {
		return
	}
	a.parent.add(c)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.calls = append(a.calls, c)
}

// CacheHits returns how many replies were kept ones, which are no calls.
func (a *Account) CacheHits() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.kept
}

func (a *Account) addKept() {
	if a == nil {
		return
	}
	a.parent.addKept()
	a.mu.Lock()
	defer a.mu.Unlock()
	a.kept++
}

// Calls returns every call so far.
func (a *Account) Calls() []Call {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]Call(nil), a.calls...)
}

// Total adds the calls up.
func (a *Account) Total() Total {
	var t Total
	for _, c := range a.Calls() {
		t.Calls++
		t.USD += c.USD
		t.Prompt += c.Usage.Prompt
		t.Cached += c.Usage.CacheRead
		t.Completion += c.Usage.Completion
		if c.Unpriced {
			t.Unpriced = c.Model
		}
	}
	return t
}

// A Total is what calls took together.
type Total struct {
	Calls, Prompt, Completion int
	Cached                    int // of Prompt: tokens that providers had from earlier calls
	USD                       float64
	Unpriced                  string // a model that has no price; "" when all have
}

// metered asks the account and the meter before each call, and writes it to the account afterwards. Calls that failed are
// accounted for, too: a model that was cut off has worked all the same.
type metered struct {
	next     Generator
	meter    Meter
	provider Endpoint
}

// usualReply is the length of a reply, in tokens, that is reserved for a call without a limit.
const usualReply = 1024

// Complete implements Generator.
func (g *metered) Complete(ctx context.Context, r Request) (*Response, error) {
	return g.account(ctx, r, func() (*Response, error) { return g.next.Complete(ctx, r) })
}

// Stream implements Generator.
func (g *metered) Stream(ctx context.Context, r Request, sink func(Delta)) (*Response, error) {
	return g.account(ctx, r, func() (*Response, error) { return g.next.Stream(ctx, r, sink) })
}

func (g *metered) account(ctx context.Context, r Request, call func() (*Response, error)) (*Response, error) {
	c := Call{Purpose: r.Purpose, Model: r.Model}
	if c.Model == "" {
		c.Model = g.provider.Model
	}
	_, known := g.provider.Prices.Of(c.Model)
	c.Unpriced = !known
	reply := r.MaxTokens
	if reply == 0 {
		reply = usualReply
	}
	reserved := g.provider.Prices.Cost(c.Model, Usage{Prompt: r.estimatePrompt(), Completion: reply})
	if err := g.reserve(ctx, r.Account, reserved); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, &Error{Fault: OverBudget, Message: err.Error(), Err: err}
	}
	start := time.Now()
	response, err := call()
	c.Duration = time.Since(start)
	c.Usage, c.Fault = outcome(response, err)
	if response != nil {
		c.Replied = response.Model
	}
	c.USD = g.provider.Prices.Cost(c.Model, c.Usage)
	_ = r.Account.take(min(0, c.USD-reserved))
	g.meter.Settle(context.WithoutCancel(ctx), reserved, c.USD)
	r.Account.add(c)
	return response, err
}

func (g *metered) reserve(ctx context.Context, a *Account, usd float64) error {
	if err := a.take(usd); err != nil {
		return err
	}
	err := g.meter.Reserve(ctx, usd, a.forced())
	if err != nil {
		_ = a.take(-usd)
	}
	return err
}

func outcome(response *Response, err error) (Usage, Fault) {
	if err == nil {
		return response.Usage, ""
	}
	if e := asError(err); e != nil {
		return e.Usage, e.Fault
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return Usage{}, "cancelled"
	}
	return Usage{}, Offline
}
