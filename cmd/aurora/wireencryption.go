package main

import (
	"cmp"
	"errors"
	"path/filepath"

	"github.com/aurora-sidecar/aurora/internal/atrest"
	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/aurora-sidecar/aurora/memory/sqlite"
)

// keySource is where the settings say that the key is.
func keySource(s *config.Settings) atrest.Source {
	e := &s.Memory.Encryption
	account := "memory"
	if home, err := config.Home(); err == nil {
		account = filepath.Join(home, "memory.db") // each home has a key of its own
	}
	return atrest.Source{Kind: e.KeySource, File: e.KeyFile, Env: cmp.Or(e.KeyEnv, "AURORA_MEMORY_KEY"), Account: account}
}

var errNotEncrypting = errors.New("memory.encryption.enabled is off, and memory is not encrypted")

// encryption is what the settings say of it. The key is looked for once, and only by those who need it: a keyring may
// ask the person.
func (p *parts) encryption() atrest.Policy {
	if p.policy != nil {
		return *p.policy
	}
	policy := atrest.Policy{Enabled: p.settings.Memory.Encryption.Enabled}
	sealed := false
	if path := p.settings.Memory.DatabasePath; path != "" && !policy.Enabled {
		sealed = sqlite.StateOf(path, sqlite.Encryption{}).Encrypted
	}
	if policy.Enabled || sealed {
		policy.Keys, policy.NoKeys = keySource(p.settings).Load()
	} else {
		policy.NoKeys = errors.Join(atrest.ErrNoKey, errNotEncrypting)
	}
	p.policy = &policy
	return policy
}
