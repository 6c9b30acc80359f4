// Package llmtest is a scripted model: an OpenAI-compatible server on loopback that knows AURORA's prompts. It answers
// each by rule, or as a script says, streams, and fails on demand. Tests use it, and people who try AURORA without a
// model do so by "aurora dev llm".
//
// It listens on loopback only, reads nothing but requests and keeps them in memory.
package llmtest
