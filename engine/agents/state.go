package agents

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/aurora-sidecar/aurora/internal/atomicfile"
	"github.com/aurora-sidecar/aurora/internal/filelock"
)

// state is what outlives the process: ~/.aurora/agents_state.json. A damaged file is begun again: all in it can be found
// out again.
type state struct {
	path string // "" keeps it in memory

	mu   sync.Mutex
	kept stateFile
}

type stateFile struct {
	RefreshedAt time.Time        `json:"refreshed_at,omitzero"`
	LastPath    string           `json:"last_discovered_path,omitempty"` // AGT-010
	Added       []string         `json:"added_paths,omitempty"`          // that the person named when asked
	Asked       bool             `json:"asked_for_path,omitempty"`
	Tools       []Definition     `json:"mcp_tools,omitempty"` // that the last scan of MCP servers found
	Counts      map[string]count `json:"counts,omitempty"`    // by agent
}

// A count is how often an agent's work passed its checks.
type count struct {
	Passed int `json:"passed"`
	Failed int `json:"failed"`
}

const (
	// usualRate is the success rate of an agent that declares none.
	usualRate = 0.8
	// priorRuns is how many runs a declared success rate counts for: the effective rate is
	// (declared*priorRuns + passed) / (priorRuns + passed + failed), a mean under a Beta prior.
	priorRuns = 5
	// maxCounted bounds both counts, so that what an agent did lately counts more than what it once did.
	maxCounted = 100
)

// rate is the effective success rate and the number of runs behind it.
func (c count) rate(declared float64) (float64, int) {
	runs := c.Passed + c.Failed
	if runs == 0 {
		return declared, 0
	}
	return (declared*priorRuns + float64(c.Passed)) / float64(priorRuns+runs), runs
}

func (c count) add(pass bool) count {
	if c.Passed+c.Failed >= maxCounted {
		c.Passed, c.Failed = c.Passed/2, c.Failed/2
	}
	if pass {
		c.Passed++
	} else {
		c.Failed++
	}
	return c
}

// read returns the state as it is on disk, where other processes keep it, too.
func (s *state) read() stateFile {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.load()
}

func (s *state) load() stateFile {
	if s.path == "" {
		return s.kept.clone()
	}
	var f stateFile
	data, err := os.ReadFile(s.path)
	if err != nil || json.Unmarshal(data, &f) != nil {
		return stateFile{}
	}
	return f
}

func (f stateFile) clone() stateFile {
	f.Added, f.Tools, f.Counts = slices.Clone(f.Added), slices.Clone(f.Tools), maps.Clone(f.Counts)
	return f
}

// lockPatience bounds the wait for another process that writes.
const lockPatience = 5 * time.Second

// change edits the state, under the file's lock, and writes it whole or not at all.
func (s *state) change(edit func(*stateFile)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.path == "" {
		edit(&s.kept)
		return nil
	}
	if err := s.changeFile(edit); err != nil {
		return fmt.Errorf("keep what is known of agents: %w", err)
	}
	return nil
}

func (s *state) changeFile(edit func(*stateFile)) error {
	if err := os.MkdirAll(filepath.Dir(s.path), 0o700); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), lockPatience)
	defer cancel()
	unlock, err := filelock.Wait(ctx, s.path+".lock")
	if err != nil {
		return err
	}
	f := s.load()
	edit(&f)
	return errors.Join(s.write(f), unlock())
}

func (s *state) write(f stateFile) error {
	data, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return err
	}
	return atomicfile.Write(s.path, append(data, '\n'), atomicfile.Private)
}
