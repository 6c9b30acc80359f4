// Package llm asks language models: one small interface, one provider for every endpoint that speaks OpenAI's protocol,
// and layers around it for retries, accounts and a cache.
//
// It guarantees that a call ends within its deadline and within 100 ms of its context's end, that every call that
// reached a model is accounted for, that JSON which does not match its schema is never passed on, and that no error or
// recording holds a key. It knows no prompt and no phase.
//
// The layers, from the outside: Cached, Retrying, Metered, and the provider of Open. New stacks them.
package llm
