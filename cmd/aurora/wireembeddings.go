package main

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/embedder"
	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/aurora-sidecar/aurora/internal/setup"
)

// checkEmbeddings says whose vectors are in use. With call it asks the endpoint for some.
func (c *cli) checkEmbeddings(ctx context.Context, root string, call bool) []finding {
	const name = "embeddings"
	s, _, _ := settingsFor(root)
	switch {
	case !s.Search.Semantic:
		return []finding{{Check: name, Level: levelOK, Detail: "search.semantic is off: words alone are searched"}}
	case !s.EmbeddingsConfigured():
		model, err := setup.BuiltInModel(s)
		if err != nil {
			return []finding{{name, levelFail, "the model in the program can't be used: " + err.Error(), "Install AURORA anew."}}
		}
		return []finding{{Check: name, Level: levelOK, Detail: model.ID().String() + ", part of the program; no endpoint configured, none needed"}}
	}
	where := setup.EmbeddingsURL(s)
	what := fmt.Sprintf("%s at %s", s.Embeddings.Model, where)
	far, err := setup.Embeddings(s)
	if err != nil {
		return []finding{{name, levelFail, what + ": " + err.Error(), "Correct the settings below embeddings."}}
	}
	findings := []finding{{Check: name, Level: levelOK, Detail: what}}
	if u, err := url.Parse(where); err == nil && u.Scheme == "http" && !llm.IsLoopback(u.Hostname()) {
		findings = append(findings, finding{name, levelWarn, where + " is not encrypted: code and the key can be read on the way", "Use https."})
	}
	if call {
		findings = append(findings, callEmbeddings(ctx, s, far, what))
	}
	return findings
}

// callEmbeddings asks for the vectors of the probe.
func callEmbeddings(ctx context.Context, s *config.Settings, far *engine.Embeddings, what string) finding {
	const name = "embeddings call"
	ctx, cancel := context.WithTimeout(ctx, 3*time.Duration(s.Embeddings.TimeoutSeconds)*time.Second)
	defer cancel()
	start := time.Now()
	if err := far.Remote.Connect(ctx); err != nil {
		return finding{name, levelFail, err.Error(), "Search goes on with the model in the program meanwhile."}
	}
	detail := fmt.Sprintf("%s answered in %d ms: %s", what, time.Since(start).Milliseconds(), far.Remote.ID())
	before, err := embedder.LoadIdentity(far.Dir)
	if err == nil && before != nil && before.ID != far.Remote.ID() {
		return finding{name, levelWarn, fmt.Sprintf("%s, but the vectors are of %s", detail, before.ID), "Run aurora mem migrate-embeddings --rebuild."}
	}
	return finding{Check: name, Level: levelOK, Detail: detail}
}
