package admin

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/embedder"
	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/aurora-sidecar/aurora/internal/setup"
)

// checkEmbeddings says whose vectors are in use. With call it asks the endpoint for some.
func checkEmbeddings(ctx context.Context, c *app.App, root string, call bool) []Finding {
	const name = "embeddings"
	s, _, _ := workspace.SettingsFor(root)
	switch {
	case !s.Search.Semantic:
		return []Finding{{Check: name, Level: levelOK, Detail: "search.semantic is off: words alone are searched"}}
	case !s.EmbeddingsConfigured():
		model, err := setup.BuiltInModel(s)
		if err != nil {
			return []Finding{{name, LevelFail, "the model in the program can't be used: " + err.Error(), "Reinstall AURORA."}}
		}
		return []Finding{{Check: name, Level: levelOK, Detail: model.ID().String() + ", part of the program; no endpoint configured, none needed"}}
	}
	where := setup.EmbeddingsURL(s)
	what := fmt.Sprintf("%s at %s", s.Embeddings.Model, where)
	endpoint, err := setup.Embeddings(s)
	if err != nil {
		return []Finding{{name, LevelFail, what + ": " + err.Error(), "Correct the settings below embeddings."}}
	}
	findings := []Finding{{Check: name, Level: levelOK, Detail: what}}
	if u, err := url.Parse(where); err == nil && u.Scheme == "http" && !llm.IsLoopback(u.Hostname()) {
		findings = append(findings, Finding{name, levelWarn, where + " is not encrypted: code and the key can be read on the way", "Use https."})
	}
	if call {
		findings = append(findings, callEmbeddings(ctx, s, endpoint, what))
	}
	return findings
}

// callEmbeddings asks for the vectors of the probe.
func callEmbeddings(ctx context.Context, s *config.Settings, endpoint *engine.Embeddings, what string) Finding {
	const name = "embeddings call"
	ctx, cancel := context.WithTimeout(ctx, 3*time.Duration(s.Embeddings.TimeoutSeconds)*time.Second)
	defer cancel()
	start := time.Now()
	if err := endpoint.Remote.Connect(ctx); err != nil {
		return Finding{name, LevelFail, err.Error(), "Search goes on with the model in the program meanwhile."}
	}
	detail := fmt.Sprintf("%s answered in %d ms: %s", what, time.Since(start).Milliseconds(), endpoint.Remote.ID())
	before, err := embedder.LoadIdentity(endpoint.Dir)
	if err == nil && before != nil && before.ID != endpoint.Remote.ID() {
		return Finding{name, levelWarn, fmt.Sprintf("%s, but the vectors are of %s", detail, before.ID), "Run aurora index --embeddings --remake."}
	}
	return Finding{Check: name, Level: levelOK, Detail: detail}
}
