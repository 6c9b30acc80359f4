// Package budget keeps account of what models cost, in a file that all processes of a user share.
//
// It guarantees that what is reserved and spent together never passes the limit, whoever spends it: each change reads
// and writes the file under its lock, and writes it whole or not at all. A damaged file is moved aside, never trusted
// and never fatal. It knows no model and asks nobody: whoever calls it does.
package budget
