// Package tokens counts what a text costs a language model.
//
// It owns the choice of a tokenizer. Counts are exact for models that use OpenAI's cl100k_base vocabulary, which is part
// of the program and needs no network. Other models cut texts a little differently: of source code, o200k_base makes
// about as many tokens (within 1 % of this repository's Go code). It never cuts texts itself; who has a budget does.
package tokens
