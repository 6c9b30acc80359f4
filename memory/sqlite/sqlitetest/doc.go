// Package sqlitetest makes stores for the tests of other packages. It owns one empty database for each test program, and
// guarantees that each store begins as a copy of it. Programs never use it.
package sqlitetest
