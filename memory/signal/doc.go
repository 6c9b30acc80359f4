// Package signal tells by a follow-up what a person thought of the answer before it: positive, followup, negative,
// recourse or abort.
//
// It owns the words and how sure they make. It is a pure function of a text; what follows from a signal is up to the caller that
// knows the conversation.
package signal
