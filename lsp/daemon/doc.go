// Package daemon lets the editors and commands of one workspace share one process.
//
// A Place says where the daemon of a workspace is met: a socket that only its user can reach. Connect joins the
// daemon there, or starts it; Session.Forward then joins an editor's streams with it. Open connects for operations (package
// api/jsonrpc), Inspect and Stop look after a daemon; none of these three starts one. Serve is the daemon.
//
// It guarantees that at most one daemon serves a Place, however many are started at the same moment and however the
// last one ended; that a session is only held between two processes of the same build; and that a daemon which ends,
// in whatever way, ends the sessions that it had.
//
// # Wire
//
// A connection begins with one line of JSON each way, a hello and a welcome. For operations JSON-RPC
// follows. In a session the client's bytes follow as they are, so that an end of its input stays
// one; the daemon's are cut into pieces, each with its length in four bytes, so that the end, a piece of length 0 and
// the session's exit code, can't be taken for a daemon that died.
package daemon
