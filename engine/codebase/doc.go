// Package codebase answers what every part of the engine asks of a snapshot: the present text of a file, the chunks that a
// name or a line means, and the kind of a file.
//
// It owns the document cache, which reads the files of one answer once, so that all of it shows the same text. It ranks
// nothing but by place, and never asks memory or git.
package codebase
