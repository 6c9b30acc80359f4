// Package conversation takes in what a person writes after an answer: that it was good or wrong, that it should be checked
// more strictly, that the question be left or resumed, or a question that goes on from it.
//
// It keeps what was asked last in each conversation, for one client and in memory only, and turns a message into the
// question that is to be asked. It asks nothing itself: who calls it does, and tells it how that went.
package conversation
