//lint:file-ignore SA1019 clients of earlier versions have sampling

package mcp

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/engine/reason"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// A hostModel asks the model of the client's host by sampling, which hosts of protocol versions before 2026-07-28 offer.
type hostModel struct{ session *sdk.ServerSession }

// lender is how accounts and errors name such a model.
const lender = "mcp"

// sampled is how many tokens a reply may have when nobody says.
const sampled = 4096

// lent returns the models of a client's host, or why there are none.
func (s *Server) lent(session *sdk.ServerSession) (*engine.Models, string) {
	p := session.InitializeParams()
	if p == nil || p.Capabilities == nil || p.Capabilities.Sampling == nil {
		return nil, "llm.mode is mcp_integrated, but this client offers no sampling."
	}
	if p.ProtocolVersion >= "2026-07-28" {
		return nil, "llm.mode is mcp_integrated, but from version 2026-07-28 on the protocol lets no server ask for its client's model."
	}
	models, err := reason.LentModels(lender, hostModel{session})
	if err != nil {
		s.log.Warn("use the host's model", "err", err)
		return nil, "The host's model can't be used: " + err.Error() + "."
	}
	return models, ""
}

// tiers are what a host is told of the tier of a request; hosts may choose otherwise.
var tiers = map[string]sdk.ModelPreferences{
	"fast":      {CostPriority: 0.8, SpeedPriority: 0.9, IntelligencePriority: 0.2},
	"reasoning": {CostPriority: 0.4, SpeedPriority: 0.4, IntelligencePriority: 0.7},
	"best":      {CostPriority: 0.1, SpeedPriority: 0.1, IntelligencePriority: 1},
}

// Complete implements llm.Generator.
func (m hostModel) Complete(ctx context.Context, r llm.Request) (*llm.Response, error) {
	preferences := tiers[cmp.Or(r.Model, "reasoning")]
	params := &sdk.CreateMessageParams{MaxTokens: int64(cmp.Or(r.MaxTokens, sampled)), Temperature: r.Temperature, ModelPreferences: &preferences}
	prompt := 0
	for _, message := range r.Messages {
		prompt += llm.EstimateTokens(message.Content)
		if message.Role == "system" {
			params.SystemPrompt = strings.TrimSpace(params.SystemPrompt + "\n\n" + message.Content)
			continue
		}
		params.Messages = append(params.Messages, &sdk.SamplingMessage{Role: sdk.Role(message.Role), Content: &sdk.TextContent{Text: message.Content}})
	}
	reply, err := m.session.CreateMessage(ctx, params)
	failure := &llm.Error{Provider: lender, Attempts: 1}
	switch {
	case err == nil:
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		failure.Fault, failure.Message = llm.Slow, "no answer in time"
		return nil, failure
	case ctx.Err() != nil:
		return nil, ctx.Err()
	default:
		failure.Fault, failure.Message = llm.Declined, err.Error()
		return nil, failure
	}
	text, ok := reply.Content.(*sdk.TextContent)
	if !ok || strings.TrimSpace(text.Text) == "" {
		failure.Fault, failure.Message = llm.Declined, "the reply holds no text"
		return nil, failure
	}
	return &llm.Response{
		Text: text.Text, Model: reply.Model, Truncated: reply.StopReason == "maxTokens",
		Usage: llm.Usage{Prompt: prompt, Completion: llm.EstimateTokens(text.Text), Estimated: true},
	}, nil
}

// Stream implements llm.Generator. Sampling has no streams, so the reply comes in one piece.
func (m hostModel) Stream(ctx context.Context, r llm.Request, sink func(llm.Delta)) (*llm.Response, error) {
	response, err := m.Complete(ctx, r)
	if err == nil {
		sink(llm.Delta{Text: response.Text})
	}
	return response, err
}
