package git

import "github.com/aurora-sidecar/aurora/internal/scrub"

// message is what a commit says without the secrets that somebody wrote into it: it is shown, and models read it.
func message(text string) string {
	clean, _ := scrub.Text(text)
	return clean
}
