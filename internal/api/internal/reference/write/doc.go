// Command write renews the reference of the operations in docs. Run it by `go generate ./internal/api`.
package main
