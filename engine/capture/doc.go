// Package capture finds decisions and reasons in what commits say, and in files in which tools and teams keep them, to offer them to memory.
//
// It owns the rule that takes a sentence for one, which reads English and asks no model, and the places of code that an offer is
// about. It guarantees that nothing is remembered before a person accepts it, that what was accepted or dismissed is not offered
// again, and that no secret is in an offer. It never changes the repository.
package capture
