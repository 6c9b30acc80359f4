// Package retryafter reads the HTTP header by which endpoints say how long to wait (RFC 9110, section 10.2.3), and waits.
package retryafter
