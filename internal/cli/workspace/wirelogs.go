package workspace

import (
	"fmt"
	"time"

	"github.com/aurora-sidecar/aurora/internal/atrest"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/aurora-sidecar/aurora/internal/scrub"
	"github.com/aurora-sidecar/aurora/memory/convlog"
)

// openConversations returns the folder that conversations are written to, nil when they are not.
func openConversations(c *app.App, p *Parts) *convlog.Book {
	if set := &p.Settings.Logging.Conversations; !set.Enabled || set.Path == "" {
		return nil
	}
	book, err := NewBook(p.Settings, p.Encryption(), c.Now)
	if err != nil { // the settings were checked, so nobody sees this
		p.Warnings = append(p.Warnings, fmt.Sprintf("Conversations are not written: %v", err))
		return nil
	}
	return book
}

// NewBook is the folder of conversations as it is set, whether they are written or not.
func NewBook(s *config.Settings, encryption atrest.Policy, now func() time.Time) (*convlog.Book, error) {
	c := &s.Logging.Conversations
	secrets, err := scrub.NewSet(s.Security.SecretPatterns)
	if err != nil {
		return nil, err
	}
	return convlog.New(convlog.Options{
		Dir: c.Path, RetentionDays: c.RetentionDays, Secrets: secrets, Now: now, Encryption: encryption,
	}), nil
}
