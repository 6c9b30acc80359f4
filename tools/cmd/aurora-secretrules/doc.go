// Command aurora-secretrules writes the secret formats that gitleaks knows to internal/scrub/gitleaks.json, in the form
// in which the product reads them. The product has gitleaks' rules and none of its 60 dependencies.
//
//	go run ./cmd/aurora-secretrules ../internal/scrub/gitleaks.json
//
// Rules that need the path of a file, and those for which internal/scrub has a better one of its own, are left out.
package main
