package workspace

import (
	"github.com/aurora-sidecar/aurora/engine/history"
	"github.com/aurora-sidecar/aurora/internal/atrest"
	"github.com/aurora-sidecar/aurora/internal/config"
)

// OpenHistory returns the history that the settings name, nil when none is kept.
func OpenHistory(s *config.Settings, encryption atrest.Policy) *history.Store {
	if !s.History.Enabled || s.History.Dir == "" {
		return nil
	}
	return history.Open(s.History.Dir, s.History.Keep).Encrypted(encryption)
}
