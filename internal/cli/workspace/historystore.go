package workspace

import (
	"github.com/aurora-sidecar/aurora/engine/history"
	"github.com/aurora-sidecar/aurora/internal/atrest"
	"github.com/aurora-sidecar/aurora/internal/config"
)

// HistoryDir is the folder of questions, "" without a home.
func HistoryDir() string { return config.InHome("history") }

// OpenHistory returns the history that the settings name, nil when none is kept.
func OpenHistory(s *config.Settings, encryption atrest.Policy) *history.Store {
	if !s.History.Enabled || HistoryDir() == "" {
		return nil
	}
	return history.Open(HistoryDir(), s.History.Keep).Encrypted(encryption)
}
