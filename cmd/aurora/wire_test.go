package main

import (
	"testing"

	"github.com/aurora-sidecar/aurora/index/lexical"
	"github.com/aurora-sidecar/aurora/internal/config"
)

func TestDefaultSettingsAreTheDefaultKeywordScore(t *testing.T) {
	if got := bm25Params(config.Defaults("")); got != lexical.DefaultParams {
		t.Errorf("settings give %+v, the keyword lane has %+v", got, lexical.DefaultParams)
	}
}
