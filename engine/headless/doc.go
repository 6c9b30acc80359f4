// Package headless works toward one goal with nobody watching: it asks the next question, carries out what its rules
// allow, writes down what came of it, and stops when the goal is reached, the iterations are done or the money is spent.
//
// It guarantees that nothing is changed on another branch than the one that was set apart for it, and never on main or
// master; that files are only made and edited, inside of the repository, and neither through symbolic links nor in
// .git; that of git it runs add and commit alone, and no other program but, through a port, the check of the prompt; that
// the goal of a prompt with a check is reached when the check passes; and that notes are whole after every iteration. What files and models say is data: it can't write the signals that end the work. It never asks a model
// itself: questions, steps and judgements are ports that it is given.
package headless
