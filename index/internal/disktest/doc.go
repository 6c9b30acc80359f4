// Package disktest gives tests a file system of their own that they may fill.
package disktest
