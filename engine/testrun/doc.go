// Package testrun runs tests and builds of a workspace for a model that wants to know whether they pass.
//
// It owns the list of commands that may be run. It guarantees that a command runs only in a folder that the user trusts and only
// in a sandbox; that no shell reads it; that files with the name of a secret are empty for it, unless they are part of the
// repository; and that its output holds no secret that can be recognized. It changes nothing in the workspace.
package testrun
