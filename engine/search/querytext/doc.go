// Package querytext takes apart what a person typed: filters, exact phrases, unwanted words, and the names that it may mean.
//
// No query is malformed: what is no filter is text. It bounds the work that one query can cause. It knows no index.
package querytext
