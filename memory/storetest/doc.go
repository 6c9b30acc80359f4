// Package storetest checks that an implementation of memory.Store keeps the contract.
package storetest
