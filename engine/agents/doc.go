// Package agents owns the agents that a question's subgoals can go to besides the built-in ones: where their
// definitions are found, what is wrong with them, how each kind is run, and how often each one did well.
//
// It guarantees that nothing a project brings along runs, or is read by a model, before the project's folder is trusted;
// that a program runs without a shell, in a process group that is gone when its answer is there, its time is over, or
// the question ends; that no answer takes more memory than its limit; and that whatever an agent answers becomes an
// envelope or an error that says what was wrong. It never judges answers: that is soar's part.
package agents
