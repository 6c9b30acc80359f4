package workspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/aurora-sidecar/aurora/internal/atrest"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/sqlite"
)

// KeySource is where the settings say that the key is.
func KeySource(s *config.Settings) atrest.Source {
	e := &s.Memory.Encryption
	account := "memory"
	if home, err := config.Home(); err == nil {
		account = filepath.Join(home, "memory.db") // each home has a key of its own
	}
	return atrest.Source{Kind: e.KeySource, File: e.KeyFile, Env: cmp.Or(e.KeyEnv, "AURORA_MEMORY_KEY"), Account: account}
}

const notEncrypting = "memory.encryption.enabled is off, and memory is not encrypted"

// Encryption is what the settings say of it. The key is looked for once, and only by those who need it: a keyring may
// ask the person.
func (p *Parts) Encryption() atrest.Policy {
	if p.policy != nil {
		return *p.policy
	}
	policy := atrest.Policy{Enabled: p.Settings.Memory.Encryption.Enabled}
	path, sealed := p.Settings.Memory.DatabasePath, false
	if path != "" {
		sealed = sqlite.StateOf(path, sqlite.Encryption{}).Encrypted
	}
	if policy.Enabled || sealed {
		policy.Keys, policy.NoKeys = KeySource(p.Settings).Load()
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

// MemoryOpen fails when memory can't be decrypted: what a command would write is lost when it ends, and what it would
// print is not there.
func (p *Parts) MemoryOpen() error {
	if p.locked == nil {
		return nil
	}
	return app.Failure("aurora mem encryption says where the key is looked for.", errors.New("memory can't be decrypted; nothing was done"))
}

// exportKeys are those that encrypt an export, whether memory is encrypted or not.
func (p *Parts) exportKeys() (*atrest.Keys, error) {
	if keys := p.Encryption().Keys; keys.Count() > 0 {
		return keys, nil
	}
	keys, err := KeySource(p.Settings).Load()
	if err != nil {
		return nil, app.Failure("aurora mem encryption says where the key is looked for; see also: aurora mem encryption --help", err)
	}
	return keys, nil
}

// ExportTo writes all of memory, encrypted when it is to be.
func (s *Session) ExportTo(ctx context.Context, out io.Writer, encrypted bool) (memory.Counts, error) {
	if !encrypted {
		return s.Parts.Memory.Export(ctx, out)
	}
	keys, err := s.Parts.exportKeys()
	if err != nil {
		return nil, err
	}
	sealed, err := keys.Writer(out)
	if err != nil {
		return nil, err
	}
	counts, err := s.Parts.Memory.Export(ctx, sealed)
	return counts, errors.Join(err, sealed.Close())
}

// ImportSealed reads what exportTo has encrypted.
func (s *Session) ImportSealed(ctx context.Context, in io.Reader) (memory.Counts, error) {
	keys, err := s.Parts.exportKeys()
	if err != nil {
		return nil, err
	}
	plain, err := keys.Reader(in)
	if err != nil {
		return nil, app.Failure("aurora mem encryption says which key is used.", fmt.Errorf("decrypt the export: %w", err))
	}
	return s.Parts.Memory.Import(ctx, plain)
}
