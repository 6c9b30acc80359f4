package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"strings"
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

// Complete implements Generator.
func (p *provider) Complete(ctx context.Context, r Request) (*Response, error) {
	a := p.begin(ctx)
	defer a.end()
	for {
		format := p.format.Load().(string)
		reply, err := p.client.CreateChatCompletion(a.ctx, p.chat(r, format))
		if err != nil {
			if p.lessFormat(r, format, a.exchange.status, err) {
				continue
			}
			return nil, p.failure(a, r, "", err)
		}
		if len(reply.Choices) == 0 {
			return nil, p.failure(a, r, "", errNoChoice)
		}
		choice := reply.Choices[0]
		response := &Response{
			Text: choice.Message.Content, Model: reply.Model, Truncated: choice.FinishReason == openai.FinishReasonLength,
			Usage: Usage{Prompt: reply.Usage.PromptTokens, Completion: reply.Usage.CompletionTokens},
		}
		p.fillIn(response, r) // thoughts are paid for, too
		response.Text = withoutThoughts(response.Text)
		return response, nil
	}
}

var (
	errNoChoice = errors.New("the reply holds no choice")
	errCut      = errors.New("the reply ended before its end")
	errIdle     = errors.New("no answer in time")
)

// Stream implements Generator.
func (p *provider) Stream(ctx context.Context, r Request, sink func(Delta)) (*Response, error) {
	a := p.begin(ctx)
	defer a.end()
	chat := p.chat(r, formatText)
	chat.StreamOptions = &openai.StreamOptions{IncludeUsage: true}
	stream, err := p.client.CreateChatCompletionStream(a.ctx, chat)
	if err != nil {
		return nil, p.failure(a, r, "", err)
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
			return nil, p.failure(a, r, s.text.String(), err)
		}
		a.alive()
		s.take(&chunk)
	}
	s.give(s.thoughts.rest())
	s.response.Text = s.text.String()
	p.fillIn(&s.response, r) // thoughts are paid for, too
	s.response.Text = s.reply.String()
	return &s.response, nil
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
	}
	for _, choice := range chunk.Choices {
		if choice.Index != 0 {
			continue
		}
		s.text.WriteString(choice.Delta.Content)
		s.give(s.thoughts.add(choice.Delta.Content))
		if choice.FinishReason != "" {
			s.finished, s.response.Truncated = true, choice.FinishReason == openai.FinishReasonLength
		}
	}
}

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

// chat is r in the protocol.
func (p *provider) chat(r Request, format string) openai.ChatCompletionRequest {
	chat := openai.ChatCompletionRequest{Model: p.model(r)}
	for _, m := range r.Messages {
		chat.Messages = append(chat.Messages, openai.ChatCompletionMessage{Role: m.Role, Content: m.Content})
	}
	if isReasoner(chat.Model) { // they take neither max_tokens nor a temperature
		chat.MaxCompletionTokens = r.MaxTokens
	} else {
		//lint:ignore SA1019 other servers of the same protocol know no other name
		chat.MaxTokens = r.MaxTokens
		chat.Temperature = max(float32(r.Temperature), math.SmallestNonzeroFloat32) // 0 would be left out
	}
	if r.Schema == nil {
		return chat
	}
	switch format {
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

// isReasoner reports whether a model is one of those that reject the usual parameters.
func isReasoner(model string) bool {
	for _, prefix := range []string{"o1", "o3", "o4", "gpt-5"} {
		if strings.HasPrefix(model, prefix) {
			return true
		}
	}
	return false
}

// lessFormat reports whether the call should be repeated with less asked of the endpoint, which has refused format.
func (p *provider) lessFormat(r Request, format string, status int, err error) bool {
	if r.Schema == nil || p.endpoint.Format != formatAuto || status != http.StatusBadRequest && status != http.StatusUnprocessableEntity {
		return false
	}
	text := strings.ToLower(err.Error())
	if !strings.Contains(text, "response_format") && !strings.Contains(text, "json_schema") && !strings.Contains(text, "json_object") {
		return false
	}
	switch format {
	case formatAuto:
		p.format.CompareAndSwap(formatAuto, formatObject)
	case formatObject:
		p.format.CompareAndSwap(formatObject, formatText)
	}
	return format != formatText
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
