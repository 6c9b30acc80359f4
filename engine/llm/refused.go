package llm

import (
	"net/http"
	"slices"
	"strings"

	"github.com/sashabaranov/go-openai"
)

// The parameters that some models refuse, as errors name them.
const (
	paramTools         = "tool"
	paramTemperature   = "temperature"
	paramMaxTokens     = "max_tokens"
	paramMaxCompletion = "max_completion_tokens"
	paramUsage         = "stream_options"
	paramFormat        = "response_format"
)

// A refusal is what a model does not take.
type refusal struct{ model, param string }

func (p *provider) refuses(r Request, param string) bool {
	_, known := p.refused.Load(refusal{p.model(r), param})
	return known
}

// learn reports whether a request should be repeated because the endpoint has refused a parameter of it by name. That
// parameter is not sent to the model again.
func (p *provider) learn(r Request, chat *openai.ChatCompletionRequest, status int, err error) bool {
	if status != http.StatusBadRequest && status != http.StatusUnprocessableEntity {
		return false
	}
	text := strings.ToLower(err.Error())
	for _, param := range sentParams(chat) {
		if !strings.Contains(text, param) && !(param == paramFormat && (strings.Contains(text, "json_schema") || strings.Contains(text, "json_object"))) {
			continue
		}
		if param == paramFormat {
			return p.lessFormat()
		}
		p.refused.Store(refusal{p.model(r), param}, true)
		return true
	}
	return false
}

// sentParams are the optional parameters of a request. Each is left out once it was refused, so that asking again ends.
func sentParams(chat *openai.ChatCompletionRequest) []string {
	params := []string{paramMaxTokens, paramMaxCompletion, paramTemperature, paramFormat, paramUsage, paramTools}
	sent := map[string]bool{
		//lint:ignore SA1019 other servers of the same protocol know no other name
		paramMaxTokens: chat.MaxTokens > 0, paramMaxCompletion: chat.MaxCompletionTokens > 0, paramTemperature: chat.Temperature > 0,
		paramFormat: chat.ResponseFormat != nil, paramUsage: chat.StreamOptions != nil, paramTools: len(chat.Tools) > 0,
	}
	return slices.DeleteFunc(params, func(param string) bool { return !sent[param] })
}

// lessFormat asks for JSON in a simpler way from now on, and reports whether there is one.
func (p *provider) lessFormat() bool {
	if p.endpoint.Format != formatAuto {
		return false
	}
	if !p.format.CompareAndSwap(formatAuto, formatObject) {
		p.format.CompareAndSwap(formatObject, formatText)
	}
	return true
}
