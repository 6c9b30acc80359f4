// Package lsptest is a fake editor for tests: it speaks real JSON-RPC to a real server over pipes or sockets, and
// its tests are the integration tests of the language server.
//
// Marker tests live in testdata/marker: each file is a txtar archive of a workspace whose sources hold expectations
// in comments, see the file's own doc in marker_test.go. Waiting follows what the server reports and never sleeps.
//
// Only tests import this package.
package lsptest
