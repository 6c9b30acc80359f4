// Package atomicfile replaces files in one step: a reader, also after a crash, finds the old text or the new one.
package atomicfile
