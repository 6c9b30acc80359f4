// Package loopback serves HTTP to this machine alone.
//
// It owns what every HTTP door of AURORA has in common: an address that nobody else can reach, refusing what a web page
// could have sent, the bearer token and where it is kept, and an orderly end. It never knows what is served.
package loopback
