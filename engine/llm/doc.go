// Package llm asks language models: one small interface, one provider for every endpoint that speaks OpenAI's protocol,
// Ollama's or Anthropic's, and layers around it for retries, accounts and a cache.
//
// It guarantees that a call ends within its deadline and within 100 ms of its context's end, that every call that
// reached a model is accounted for, that JSON which does not match its schema is never passed on, and that no error or
// recording holds a key, and that no secret of a known format reaches a model. It knows no prompt and no phase.
//
// The layers, from the outside: cached, retrying, metered, scrubbed, and the provider. New stacks them.
package llm
