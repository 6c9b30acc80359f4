package memory

import (
	"context"
	"errors"

	"github.com/aurora-sidecar/aurora/memory/sqlite"
)

// EncryptionStatus is how all that is kept is kept.
type EncryptionStatus struct {
	Enabled       bool         `json:"enabled"`
	KeySource     string       `json:"keySource"`
	Fingerprint   string       `json:"fingerprint,omitempty"`
	KeyError      string       `json:"keyError,omitempty"`
	Files         []sealedFile `json:"files"` // the database, and what was copied of it
	Conversations FormCounts   `json:"conversations"`
	History       FormCounts   `json:"history"`
	Advice        string       `json:"advice,omitempty"`
}

type sealedFile struct {
	Kind      string `json:"kind"`
	Path      string `json:"path"`
	Encrypted bool   `json:"encrypted"`
	State     string `json:"state"`
}

type FormCounts struct {
	Plain     int `json:"plain"`
	Encrypted int `json:"encrypted"`
}

// Anything reports whether something is encrypted.
func (s *EncryptionStatus) Anything() bool {
	for _, f := range s.Files {
		if f.Encrypted {
			return true
		}
	}
	return s.Conversations.Encrypted+s.History.Encrypted > 0
}

func (s *sealer) status(ctx context.Context) (*EncryptionStatus, error) {
	out := &EncryptionStatus{Enabled: s.policy.Enabled, KeySource: s.source.String(), Files: []sealedFile{}}
	if s.policy.Keys.Count() > 0 {
		out.Fingerprint = s.policy.Keys.Fingerprint()
	} else if s.policy.NoKeys != nil {
		out.KeyError = s.policy.NoKeys.Error()
	}
	plain := 0
	for _, f := range s.files() {
		state := sqlite.StateOf(f.Path, sqlite.Encryption(s.policy))
		f.Encrypted, f.State = state.Encrypted, stateText(state)
		if state.Exists && !state.Encrypted {
			plain++
		}
		out.Files = append(out.Files, f)
	}
	var err error
	if book := s.book(); book != nil {
		if out.Conversations.Plain, out.Conversations.Encrypted, err = book.Forms(ctx); err != nil {
			return nil, err
		}
	}
	if n := s.questions(ctx); sqlite.StateOf(s.settings.Memory.DatabasePath, sqlite.Encryption(s.policy)).Encrypted {
		out.History.Encrypted = n
	} else {
		out.History.Plain = n
	}
	plain += out.Conversations.Plain
	switch {
	case s.policy.Enabled && s.policy.Keys.Count() == 0:
		out.Advice = "Without the key, memory is kept only while AURORA runs, and nothing is written down. Search of code goes on."
	case s.policy.Enabled && plain > 0:
		out.Advice = "Some of it is still plain. Encrypt it with: aurora mem encryption --enable"
	case !s.policy.Enabled && out.Anything():
		out.Advice = "What is new is written plainly. Encrypt it with: aurora mem encryption --enable; decrypt all with: aurora mem encryption --disable"
	}
	return out, nil
}

func stateText(s sqlite.State) string {
	switch {
	case s.Err != nil && s.Encrypted:
		err := s.Err
		var key *sqlite.KeyError
		if errors.As(err, &key) {
			err = key.Err
		}
		return "encrypted, can't be opened: " + err.Error()
	case s.Err != nil:
		return s.Err.Error()
	case !s.Exists:
		return "does not exist yet"
	case s.Encrypted && !s.Current:
		return "encrypted with an earlier key"
	case s.Encrypted:
		return "encrypted"
	}
	return "plain"
}

// files are the database and its copies.
func (s *sealer) files() []sealedFile {
	path := s.settings.Memory.DatabasePath
	if path == "" {
		return nil
	}
	out := []sealedFile{{Kind: "Memory", Path: path}}
	backups, others := sqlite.Copies(path)
	for _, backup := range backups {
		out = append(out, sealedFile{Kind: "Backup", Path: backup})
	}
	for _, other := range others {
		out = append(out, sealedFile{Kind: "Left aside", Path: other})
	}
	return out
}
