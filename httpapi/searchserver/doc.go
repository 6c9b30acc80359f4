// Package searchserver serves searches of a team over HTTP: what the daemons of its members ask beside their own, and a few
// operations that read.
//
// It guarantees that each request has a known token, is bounded in size, time and number, and changes nothing. It never tells a path of
// the machine that it runs on.
package searchserver
