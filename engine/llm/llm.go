package llm

import (
	"context"
	"fmt"
	"time"
)

// A Message is one part of a conversation.
type Message struct {
	Role    string     `json:"role"` // system, user, assistant, tool
	Content string     `json:"content"`
	Calls   []ToolCall `json:"calls,omitempty"`  // of an assistant that asks for tools
	CallID  string     `json:"callId,omitempty"` // of the call whose result a message of role tool holds
}

// A Request is what a model is asked.
type Request struct {
	Purpose     string // what it is for, such as decompose; for accounts
	Model       string // "" means the provider's own
	Messages    []Message
	Schema      *Schema // the reply is JSON of this shape; nil for plain text
	Tools       []Tool  // that the model may call instead of replying; nil for none
	MaxTokens   int     // of the reply; 0 leaves it to the provider
	Temperature float64 // 0..2

	Account *Account // that the call is written to; nil keeps none
	Fresh   bool     // is not answered from the cache
	// Notice, which may be nil, is told of each attempt that failed and will be repeated, from the calling goroutine.
	Notice func(failure *Error, wait time.Duration)
}

// A Response is what a model replied.
type Response struct {
	Text      string
	Calls     []ToolCall // the model asks for tools; Text is what it says besides
	Model     string     // as the provider names it
	Usage     Usage
	Truncated bool // the reply ended at MaxTokens
	Cached    bool // an earlier reply: it cost nothing
}

// Usage counts the tokens of a call.
type Usage struct {
	Prompt, Completion int
	CacheRead          int  `json:",omitempty"` // of Prompt: tokens that the provider had from an earlier call
	CacheWrite         int  `json:",omitempty"` // of Prompt: tokens that the provider keeps for later calls
	Estimated          bool // the provider did not tell
}

// A Delta is the next piece of a streamed reply. With Restart set, what came before is void: the call begins again.
type Delta struct {
	Text    string
	Restart bool
}

// A Generator is a model that can be asked. Its methods may be called from several goroutines, and fail with an
// *Error, or with the context's error as soon as that ends.
type Generator interface {
	// Complete waits for the whole reply.
	Complete(ctx context.Context, r Request) (*Response, error)
	// Stream gives the reply to sink piece by piece, from the calling goroutine, and returns all of it.
	Stream(ctx context.Context, r Request, sink func(Delta)) (*Response, error)
}

// Options configure a Generator.
type Options struct {
	Endpoint
	Retry    Retry
	Timeout  time.Duration // of each wait for the next piece of a reply; 0 means 30 s
	Deadline time.Duration // after which a call that failed is not tried again; 0 means three times Timeout
	Cache    int           // replies kept for calls at temperature 0; 0 keeps none
	Meter    Meter         // nil counts nothing
	Record   string        // file that exchanges are added to; "" records nothing
	Replay   string        // file whose exchanges answer in place of the endpoint
}

const defaultTimeout = 30 * time.Second

// New returns a Generator with all its layers. It asks nothing yet. It fails on an endpoint that can't be right.
func New(o Options) (Generator, error) {
	o = o.orDefaults()
	provider, err := open(o)
	if err != nil {
		return nil, fmt.Errorf("open model: %w", err)
	}
	o.Endpoint = provider.endpoint
	return layers(provider, o), nil
}

// Around puts the layers around a model that is reached in another way. Of o's endpoint it reads Model and Prices.
// It knows nothing of tools, so it calls them by JSON.
func Around(g Generator, o Options) Generator { return layers(actions{g}, o) }

func layers(g Generator, o Options) Generator {
	o = o.orDefaults()
	g = scrubbed{g}
	if o.Meter != nil {
		g = &metered{next: g, meter: o.Meter, provider: o.Endpoint}
	}
	g = &retrying{next: g, policy: o.Retry.orDefaults(), deadline: o.Deadline}
	if o.Cache > 0 {
		g = newCached(g, o.Model, o.Cache)
	}
	return g
}

func (o Options) orDefaults() Options {
	if o.Timeout <= 0 {
		o.Timeout = defaultTimeout
	}
	if o.Deadline <= 0 {
		o.Deadline = 3 * o.Timeout
	}
	return o
}

// EstimateTokens is about four characters a token, rounded up.
func EstimateTokens(s string) int {
	n := 0
	for range s {
		n++
	}
	return (n + 3) / 4
}

func (r *Request) estimatePrompt() int {
	n := 0
	for _, m := range r.Messages {
		n += EstimateTokens(m.Content) + 4 // the frame of a message
		for _, c := range m.Calls {
			n += EstimateTokens(c.Name + c.Arguments)
		}
	}
	return n
}
