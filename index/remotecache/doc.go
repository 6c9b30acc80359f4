// Package remotecache keeps what was computed from contents in a place that a team shares: a folder, or an HTTP server that
// speaks Bazel's remote cache protocol.
//
// It owns the form of what lies there, its signatures, and how long a slow or failing place is waited for. It guarantees
// that nothing is returned that the owner of the key did not sign for exactly the key that was asked for, that nothing is
// read beyond its limit, and that a place which fails once is left alone for a while. It never knows what an entry means,
// and never runs anything that comes from there.
//
// # What lies there
//
// Under ac/<key in hex> lies an ActionResult of Bazel's Remote Execution API, because servers check that it is one. Its
// stdout_raw is what counts:
//
//	magic "AURC", u8 version, u8 kind, 64 bytes Ed25519 signature, body
//
// The signature covers the version, the kind, the key and the body. The body of an entry is the content itself; that of a
// pack is the SHA-256 and the size, u64 little-endian, of a blob under cas/<SHA-256 in hex>, which the ActionResult lists
// as its output file, so that a server keeps both or none.
package remotecache
