package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/aurora-sidecar/aurora/internal/atrest"
	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/aurora-sidecar/aurora/memory"
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

const notEncrypting = "memory.encryption.enabled is off, and memory is not encrypted"

// encryption is what the settings say of it. The key is looked for once, and only by those who need it: a keyring may
// ask the person.
func (p *parts) encryption() atrest.Policy {
	if p.policy != nil {
		return *p.policy
	}
	policy := atrest.Policy{Enabled: p.settings.Memory.Encryption.Enabled}
	path, sealed := p.settings.Memory.DatabasePath, false
	if path != "" {
		sealed = sqlite.StateOf(path, sqlite.Encryption{}).Encrypted
	}
	if policy.Enabled || sealed {
		policy.Keys, policy.NoKeys = keySource(p.settings).Load()
	} else {
		policy.NoKeys = fmt.Errorf("%w: %s", atrest.ErrNoKey, notEncrypting)
	}
	if policy.Keys != nil && sealed {
		// A key that does not fit must not encrypt what comes: it would be lost beside the rest.
		if err := sqlite.StateOf(path, sqlite.Encryption(policy)).Err; errors.Is(err, atrest.ErrWrongKey) {
			policy.NoKeys = policy.Explain(atrest.ErrWrongKey)
			policy.Keys = nil
		}
	}
	p.policy = &policy
	return policy
}

// memoryOpen fails when memory can't be decrypted: what a command would write is lost when it ends, and what it would
// print is not there.
func (p *parts) memoryOpen() error {
	if p.locked == nil && p.volatile {
		return failure("The warning above says what to do.", errors.New("memory can't be written to its file; nothing was done"))
	}
	if p.locked == nil {
		return nil
	}
	return failure("aurora mem encryption status says where the key is looked for.", errors.New("memory can't be decrypted; nothing was done"))
}

// memoryKept fails, besides, when memory is not on the disk, be that because the disk is full or because the folder can't be
// written: what a command writes would be lost when it ends.
func (s *session) memoryKept(ctx context.Context) error {
	if err := s.memoryOpen(); err != nil || s.memory == nil {
		return err
	}
	stats, err := s.memory.Stats(ctx)
	if err != nil {
		return err
	}
	if stats.Path != "" {
		return nil
	}
	return failure("The warning above says why, and what to do; aurora doctor checks it.", errors.New("memory is not on the disk; nothing was done"))
}

// exportKeys are those that encrypt an export, whether memory is encrypted or not.
func (p *parts) exportKeys() (*atrest.Keys, error) {
	if keys := p.encryption().Keys; keys.Count() > 0 {
		return keys, nil
	}
	keys, err := keySource(p.settings).Load()
	if err != nil {
		return nil, failure("aurora mem encryption status says where the key is looked for; see also: aurora mem encryption --help", err)
	}
	return keys, nil
}

// exportTo writes all of memory, encrypted when it is to be.
func (s *session) exportTo(ctx context.Context, out io.Writer, encrypted bool) (memory.Counts, error) {
	if !encrypted {
		return s.memory.Export(ctx, out)
	}
	keys, err := s.exportKeys()
	if err != nil {
		return nil, err
	}
	sealed, err := keys.Writer(out)
	if err != nil {
		return nil, err
	}
	counts, err := s.memory.Export(ctx, sealed)
	return counts, errors.Join(err, sealed.Close())
}

// importSealed reads what exportTo has encrypted.
func (s *session) importSealed(ctx context.Context, in io.Reader) (memory.Counts, error) {
	keys, err := s.exportKeys()
	if err != nil {
		return nil, err
	}
	plain, err := keys.Reader(in)
	if err != nil {
		return nil, failure("aurora mem encryption status says which key is used.", fmt.Errorf("decrypt the export: %w", err))
	}
	return s.memory.Import(ctx, plain)
}
