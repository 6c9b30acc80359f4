package main

import (
	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/actr"
	"github.com/aurora-sidecar/aurora/memory/sqlite"
)

// storeOptions are the settings that decide how active a record is.
func storeOptions(m config.Memory) sqlite.Options {
	return sqlite.Options{
		Params: actr.Params{
			Decay: m.Activation.DecayRate, SpreadFactor: m.Activation.SpreadFactor, MaxHops: m.Activation.MaxSpreadHops,
			ContextMax: m.Activation.ContextBoostMax, Threshold: m.Activation.RetrievalThreshold,
		},
		ActivityTime: m.Activation.Time == "activity",
		Weights: memory.Weights{
			memory.Edited: m.UseWeights.Edited, memory.Accepted: m.UseWeights.Accepted, memory.Copied: m.UseWeights.Copied,
			memory.Cited: m.UseWeights.Cited, memory.Opened: m.UseWeights.Opened, memory.Returned: m.UseWeights.Returned,
			memory.Rejected: m.UseWeights.Rejected, memory.Rated: m.UseWeights.Rated,
		},
	}
}
