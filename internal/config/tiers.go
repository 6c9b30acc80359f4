package config

// providerTiers are the models by which a provider answers when none is named. The two smaller ones are the successors of
// those that the plan of the product names (claude-3-haiku-20240307 and claude-3-5-sonnet-20241022), which are no longer served.
var providerTiers = map[string]LLMTiers{
	"anthropic": {Fast: LLMTier{"claude-haiku-4-5"}, Reasoning: LLMTier{"claude-sonnet-4-5"}, Best: LLMTier{"claude-opus-4-5-20251101"}},
	"openai":    {Fast: LLMTier{"gpt-4o-mini"}, Reasoning: LLMTier{"gpt-4.1"}, Best: LLMTier{"gpt-4.1"}},
}

// ProviderTiers are the models of a provider by tier when llm.model names none; false for a provider without such.
func ProviderTiers(provider string) (LLMTiers, bool) {
	t, ok := providerTiers[provider]
	return t, ok
}

// nameModels fills in the models of a provider that is configured without one: llm.model is the one between. A tier that
// is named stays.
func (l *LLM) nameModels() {
	t, ok := ProviderTiers(l.Provider)
	if !ok || l.Model != "" || l.BaseURL != "" {
		return
	}
	l.Model = t.Reasoning.Model
	for _, tier := range []struct {
		named *LLMTier
		of    LLMTier
	}{{&l.Routing.Tiers.Fast, t.Fast}, {&l.Routing.Tiers.Reasoning, t.Reasoning}, {&l.Routing.Tiers.Best, t.Best}} {
		if tier.named.Model == "" {
			*tier.named = tier.of
		}
	}
}
