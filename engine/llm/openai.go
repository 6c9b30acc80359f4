package llm

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sashabaranov/go-openai"
)

// A provider speaks OpenAI's protocol to one endpoint.
type provider struct {
	endpoint Endpoint
	client   *openai.Client
	timeout  time.Duration
	format   atomic.Value // string: how JSON is asked for, less once the endpoint has refused more
	refused  sync.Map     // refusal: what a model has refused, and is not sent again
}

func open(o Options) (*provider, error) {
	endpoint, err := o.Endpoint.complete()
	if err != nil {
		return nil, err
	}
	transport, err := newTransport(endpoint, o.Record, o.Replay)
	if err != nil {
		return nil, err
	}
	config := openai.DefaultConfig(endpoint.Key)
	config.BaseURL = endpoint.BaseURL
	config.EmptyMessagesLimit = math.MaxInt32 // heartbeats of slow models are empty messages
	config.HTTPClient = &http.Client{Transport: transport, CheckRedirect: refuseRedirect}
	p := &provider{endpoint: endpoint, client: openai.NewClientWithConfig(config), timeout: o.Timeout}
	p.format.Store(endpoint.Format)
	return p, nil
}

// refuseRedirect keeps keys and questions from going where nobody sent them.
func refuseRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// Complete implements Generator. The reply is streamed here, too: a model that is still writing is not slow.
func (p *provider) Complete(ctx context.Context, r Request) (*Response, error) {
	return p.Stream(ctx, r, func(Delta) {})
}

var (
	errCut  = errors.New("the reply ended before its end")
	errIdle = errors.New("no answer in time")
)

// Stream implements Generator. What an endpoint refuses is left out, now and later.
func (p *provider) Stream(ctx context.Context, r Request, sink func(Delta)) (*Response, error) {
	for {
		asked := sink
		byAction := len(r.Tools) > 0 && p.refuses(r, paramTools)
		h := &heldBack{sink: sink}
		if byAction {
			asked = h.take
		}
		sent := asSent(r, byAction)
		chat := p.chat(sent)
		response, again, err := p.attempt(ctx, sent, chat, asked)
		switch {
		case again:
			continue
		case err != nil:
			return nil, err
		case byAction:
			if response = readAction(r, response); len(response.Calls) == 0 {
				h.release()
			}
		default:
			response = readAction(r, response)
		}
		return response, nil
	}
}

// asSent is a request as the endpoint takes it.
func asSent(r Request, byAction bool) Request {
	if byAction || len(r.Tools) == 0 && hasCalls(r.Messages) {
		return asActions(r) // some endpoints refuse calls in messages without a list of tools
	}
	return r
}

func hasCalls(messages []Message) bool {
	return slices.ContainsFunc(messages, func(m Message) bool { return len(m.Calls) > 0 })
}

// attempt asks once. again is true when the endpoint refused a parameter that is not sent to it from now on.
func (p *provider) attempt(ctx context.Context, r Request, chat openai.ChatCompletionRequest, sink func(Delta)) (response *Response, again bool, err error) {
	a := p.begin(ctx)
	defer a.end()
	stream, err := p.client.CreateChatCompletionStream(a.ctx, chat)
	if err != nil {
		if p.learn(r, &chat, a.exchange.status, err) {
			return nil, true, nil
		}
		return nil, false, p.failure(a, r, "", err)
	}
	defer stream.Close()
	s := &streamed{sink: sink}
	for {
		chunk, err := stream.Recv()
		if errors.Is(err, io.EOF) && s.finished {
			break
		}
		if errors.Is(err, io.EOF) { // go-openai ends a broken stream like a whole one
			err = errCut
		}
		if err != nil {
			return nil, false, p.failure(a, r, s.text.String(), err)
		}
		a.alive()
		s.take(&chunk)
	}
	s.give(s.thoughts.rest())
	s.response.Text = s.text.String()
	if read, wrote := a.exchange.cacheRead, a.exchange.cacheWrite; read > 0 || wrote > 0 {
		s.response.Usage.CacheRead, s.response.Usage.CacheWrite = read, wrote
	}
	p.fillIn(&s.response, r) // thoughts are paid for, too
	s.response.Text = s.reply.String()
	return &s.response, false, nil
}

// streamed is a reply that is still coming.
type streamed struct {
	sink     func(Delta)
	response Response
	text     strings.Builder // all that came
	reply    strings.Builder // without thoughts
	thoughts thoughts
	finished bool
}

func (s *streamed) give(fragment string) {
	if fragment != "" {
		s.reply.WriteString(fragment)
		s.sink(Delta{Text: fragment})
	}
}

// take reads the next chunk.
func (s *streamed) take(chunk *openai.ChatCompletionStreamResponse) {
	if chunk.Model != "" {
		s.response.Model = chunk.Model
	}
	if chunk.Usage != nil {
		s.response.Usage = Usage{Prompt: chunk.Usage.PromptTokens, Completion: chunk.Usage.CompletionTokens}
		if details := chunk.Usage.PromptTokensDetails; details != nil {
			s.response.Usage.CacheRead = min(max(0, details.CachedTokens), chunk.Usage.PromptTokens)
		}
	}
	for _, choice := range chunk.Choices {
		if choice.Index != 0 {
			continue
		}
		s.addCalls(choice.Delta.ToolCalls)
		s.text.WriteString(choice.Delta.Content)
		s.give(s.thoughts.add(choice.Delta.Content))
		if choice.FinishReason != "" {
			s.finished, s.response.Truncated = true, choice.FinishReason == openai.FinishReasonLength
		}
	}
}

// addCalls joins the parts of calls.
func (s *streamed) addCalls(parts []openai.ToolCall) {
	for _, part := range parts {
		at := len(s.response.Calls) - 1
		if part.Index != nil {
			at = *part.Index
		} else if part.ID != "" {
			at++
		}
		for len(s.response.Calls) <= at && at < mostCalls {
			s.response.Calls = append(s.response.Calls, ToolCall{})
		}
		if at < 0 || at >= len(s.response.Calls) {
			continue
		}
		c := &s.response.Calls[at]
		c.ID, c.Name = cmp.Or(c.ID, part.ID), c.Name+part.Function.Name
		c.Arguments += part.Function.Arguments
	}
}

// mostCalls is how many calls of one reply are read.
const mostCalls = 64

// fillIn completes what the endpoint did not tell.
func (p *provider) fillIn(response *Response, r Request) {
	if response.Model == "" {
		response.Model = p.model(r)
	}
	if response.Usage.Prompt == 0 && response.Usage.Completion == 0 {
		response.Usage = Usage{Prompt: r.estimatePrompt(), Completion: EstimateTokens(response.Text), Estimated: true}
	}
}

func (p *provider) model(r Request) string {
	if r.Model != "" {
		return r.Model
	}
	return p.endpoint.Model
}

// chat is r in the protocol, without what the endpoint has refused.
func (p *provider) chat(r Request) openai.ChatCompletionRequest {
	chat := openai.ChatCompletionRequest{Model: p.model(r), Stream: true}
	if !p.refuses(r, paramUsage) {
		chat.StreamOptions = &openai.StreamOptions{IncludeUsage: true}
	}
	for _, m := range r.Messages {
		message := openai.ChatCompletionMessage{Role: m.Role, Content: m.Content, ToolCallID: m.CallID}
		for _, c := range m.Calls {
			message.ToolCalls = append(message.ToolCalls, openai.ToolCall{ID: c.ID, Type: openai.ToolTypeFunction, Function: openai.FunctionCall{Name: c.Name, Arguments: c.Arguments}})
		}
		chat.Messages = append(chat.Messages, message)
	}
	for _, t := range r.Tools {
		chat.Tools = append(chat.Tools, openai.Tool{Type: openai.ToolTypeFunction, Function: &openai.FunctionDefinition{Name: t.Name, Description: t.Description, Parameters: t.Parameters}})
	}
	p.limit(&chat, r)
	if r.Schema == nil {
		return chat
	}
	switch p.format.Load().(string) {
	case formatAuto, formatSchema:
		chat.ResponseFormat = &openai.ChatCompletionResponseFormat{
			Type:       openai.ChatCompletionResponseFormatTypeJSONSchema,
			JSONSchema: &openai.ChatCompletionResponseFormatJSONSchema{Name: r.Schema.Name, Schema: json.RawMessage(r.Schema.source)},
		}
	case formatObject:
		chat.ResponseFormat = &openai.ChatCompletionResponseFormat{Type: openai.ChatCompletionResponseFormatTypeJSONObject}
	}
	return chat
}

// limit sets the length of the reply and the temperature. The known reasoning models take neither max_tokens nor a
// temperature.
func (p *provider) limit(chat *openai.ChatCompletionRequest, r Request) {
	reasoner := isReasoner(chat.Model)
	switch {
	case !reasoner && !p.refuses(r, paramMaxTokens):
		//lint:ignore SA1019 other servers of the same protocol know no other name
		chat.MaxTokens = r.MaxTokens
	case !p.refuses(r, paramMaxCompletion):
		chat.MaxCompletionTokens = r.MaxTokens
	}
	if !reasoner && !p.refuses(r, paramTemperature) {
		chat.Temperature = max(float32(r.Temperature), math.SmallestNonzeroFloat32) // 0 would be left out
	}
}

// isReasoner reports whether a model is one of those that reject the usual parameters.
func isReasoner(model string) bool {
	for _, prefix := range []string{"o1", "o3", "o4", "gpt-5"} {
		if strings.HasPrefix(model, prefix) {
			return true
		}
	}
	return false
}

// failure turns what went wrong into an *Error, free of secrets. text is what had arrived.
func (p *provider) failure(a *attempt, r Request, text string, err error) error {
	e := &Error{Provider: p.endpoint.host(), Status: a.exchange.status, RetryAfter: a.exchange.retryAfter, Attempts: 1}
	worked := Usage{Prompt: r.estimatePrompt(), Completion: EstimateTokens(text), Estimated: true}
	switch cause := context.Cause(a.ctx); {
	case a.outer.Err() != nil:
		e.Fault, e.Message, e.Err, e.Usage = "cancelled", "cancelled", a.outer.Err(), worked
	case errors.Is(cause, errIdle):
		e.Fault, e.Message, e.Usage = Slow, fmt.Sprintf("no answer within %s", p.timeout), worked
	case a.exchange.status == 0:
		e.Fault, e.Message = Offline, "can't be reached: "+p.clean(rootCause(err))
	case a.exchange.status/100 == 3:
		e.Fault, e.Message = Setup, "the endpoint redirects elsewhere; set llm.base_url to where it redirects to"
	case a.exchange.status != http.StatusOK:
		e.Fault, e.Message = faultOf(a.exchange.status), p.clean(messageOf(err, a.exchange.status))
	case errors.Is(err, errCut) || errors.Is(err, io.ErrUnexpectedEOF) || isNetwork(err):
		e.Fault, e.Message, e.Usage = Cut, "the reply broke off", worked
	default: // it answered 200 with something else than a completion, or with an error in the stream
		e.Fault, e.Message, e.Usage = Broken, "the reply can't be read: "+p.clean(messageOf(err, 0)), worked
	}
	return e
}

// told is what the endpoint said of an error.
func messageOf(err error, status int) string {
	var api *openai.APIError
	if errors.As(err, &api) && api.Message != "" {
		return api.Message
	}
	var request *openai.RequestError
	if errors.As(err, &request) {
		var body struct {
			Error any `json:"error"`
		}
		if json.Unmarshal(request.Body, &body) == nil {
			if s, ok := body.Error.(string); ok && s != "" { // Ollama's shape
				return s
			}
		}
		return strings.ToLower(http.StatusText(status))
	}
	return err.Error()
}
