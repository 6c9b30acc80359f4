// Package compiledb reads where the compiler of C and C++ looks for included files, from the compile_commands.json that a build
// leaves in a folder or in its folder build. Such files are usually ignored by git and large, so they are no part of the index: they
// are read when a question needs them, and again when they change.
//
// It owns what a command line says about folders of includes. The commands are data: nothing is ever run, and nothing outside of
// the folder is looked at. A file that is too large or no such database says nothing.
package compiledb
