// Package embedder makes vectors through an endpoint that speaks OpenAI's embeddings API: OpenAI itself, Ollama, vLLM,
// llama.cpp. It is used only where someone configured it; without, package embed's model does the work on this machine.
//
// It owns batches, the rate limit, retries, the cache by content and the judgement of what came back. It guarantees that a
// text is sent only after its secrets were blanked; that a vector of the wrong length, with a number that is none, or
// of a text that was not asked for is never passed on; that one bad text does not cost the others of its batch their vectors; and
// that no error holds the key. It never decides whether search goes on without it: its callers do.
package embedder
