// Package budget keeps account of what models cost: it is a view of the journal that all processes of a user share.
//
// It guarantees that what is reserved and spent together never passes the limit, no matter who spends it: each reservation looks at
// the journal and is written to it in one transaction, and is settled once. It knows no model and asks nobody: who calls
// it does.
package budget
