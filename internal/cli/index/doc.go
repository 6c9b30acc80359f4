// Package index has the commands that build, list, check and rebuild the index of a project.
package index
