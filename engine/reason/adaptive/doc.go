// Package adaptive has the modules by which package soar decides how many passes a question is worth: what a task is
// like and how long it may live, what its plan and its findings mean, how near they are to the goal, and what to change.
//
// Meaning is judged by a model alone. What follows from the judgement is computed here, so
// that the same judgement always has the same consequence: the time to live, the reason codes, which changes are
// possible at all. It never runs a phase, counts passes or changes a plan; soar does.
package adaptive
