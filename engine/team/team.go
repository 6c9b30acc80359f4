package team

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/postgres"
)

// A Replica is the local store as the copy of a team's records.
type Replica interface {
	TeamChanges(ctx context.Context, repository string, limit int) ([]memory.TeamChange, error)
	TeamAnswered(ctx context.Context, repository string, answers []memory.TeamAnswer) error
	TeamCursor(ctx context.Context, repository string) (memory.TeamCursor, error)
	TeamRestart(ctx context.Context, repository, epoch, replica string) error
	TeamApply(ctx context.Context, repository, me string, rows []memory.TeamRow, from, to memory.TeamCursor) (memory.TeamApplied, error)
	TeamProperty(ctx context.Context, name string) (string, error)
	SetTeamProperty(ctx context.Context, name, value string) error
}

// The properties of a replica.
const (
	PropertyReplica = "replica" // what tells this replica from others; it is there from joining to leaving
	PropertyState   = "state"   // a State as JSON
)

// A Repository is one whose records are shared.
type Repository struct {
	Name   string // the same for all copies
	Folder string // absolute, of the copy that is open
}

// Options wire a Syncer.
type Options struct {
	Replica      Replica
	Address      func() (a postgres.Address, joined bool, err error) // of the team's server, as it is now
	Repositories func() []Repository
	Log          *slog.Logger
}

// A State is what came of the last attempts.
type State struct {
	Team    string    `json:"team,omitempty"`
	Member  string    `json:"member,omitempty"`
	Reached time.Time `json:"reached,omitzero"` // when all was last the same here and there
	Error   string    `json:"error,omitempty"`  // why it is not; "" when it is
	Since   time.Time `json:"since,omitzero"`   // the error was first seen
	Left    int       `json:"left,omitempty"`   // rows that were no records, since the process began
	Why     string    `json:"why,omitempty"`    // the latest of these
}

// A Syncer keeps a replica. Its methods are for one goroutine.
type Syncer struct {
	Options
	state State
	noted State        // what of it is kept
	open  []Repository // at the last round: finding out takes git

	greeted map[string]postgres.Welcome // of the last round, by repository, those that are allowed
}

func New(o Options) *Syncer { return &Syncer{Options: o} }

const (
	leastPause = time.Second
	mostPause  = time.Minute
	mostEmpty  = 10 * time.Second // while no repository is open

	tick       = 500 * time.Millisecond // between two looks for changes that were made here
	gather     = 200 * time.Millisecond // after the server announced a change: others come with it
	mostGather = time.Second            // of a team that writes all the time
	share      = 4                      // of the time at least so many parts are not spent on following the server
	pollEvery  = 15 * time.Second       // the server is asked though it announced nothing
	pullLimit  = 100                    // rows of one answer: each can have 256 KB
	pushLimit  = 100

	maxTurns = 10 // between conflicts and pulling, until the next round
)

// Run follows the server until ctx ends. It does nothing while the person is in no team.
func (s *Syncer) Run(ctx context.Context) {
	pause := leastPause
	for ctx.Err() == nil {
		address, joined, err := s.Address()
		if err == nil && !joined {
			s.state = State{}
			sleep(ctx, 2*tick)
			continue
		}
		if err == nil {
			var reached bool
			if s.open = s.Repositories(); len(s.open) > 0 {
				reached, err = s.follow(ctx, address)
			}
			if reached {
				pause = leastPause
			}
		}
		if err != nil && ctx.Err() == nil && !errors.Is(err, memory.ErrLeft) {
			s.fail(ctx, err)
		}
		sleep(ctx, pause/2+rand.N(pause)) // all of a team don't come back at one moment
		if pause = min(2*pause, mostPause); len(s.open) == 0 {
			pause = min(pause, mostEmpty)
		}
	}
}

func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// follow keeps one connection as long as it holds. reached tells whether all was the same once.
func (s *Syncer) follow(ctx context.Context, address postgres.Address) (reached bool, err error) {
	c, err := postgres.Dial(ctx, address)
	if err != nil {
		return false, err
	}
	defer c.Close()
	for {
		if err := s.round(ctx, c); err != nil {
			return reached, err
		}
		reached = true
		for asked, again := time.Now(), false; !again && time.Since(asked) < pollEvery; {
			news, err := c.Wait(ctx, tick)
			if err != nil {
				return reached, err
			}
			if now, joined, err := s.Address(); err != nil || !joined || now != address {
				return reached, err
			}
			began := time.Now()
			if again, err = s.step(ctx, c, news); err != nil {
				return reached, err
			}
			if news.Any {
				sleep(ctx, min(gather/2+rand.N(gather)+share*time.Since(began), mostGather))
			}
		}
	}
}

// step takes what was announced and sends what was changed here, of the repositories that it is about, and asks nothing else. again tells that a
// whole round has to follow.
func (s *Syncer) step(ctx context.Context, c *postgres.Client, news postgres.News) (again bool, err error) {
	if news.Greet() {
		return true, nil
	}
	for _, r := range s.open {
		changes, err := s.Replica.TeamChanges(ctx, r.Name, 1)
		if err != nil {
			return false, err
		}
		w, greeted := s.greeted[r.Name]
		if !news.Of(r.Name) && len(changes) == 0 || !greeted {
			continue
		}
		replica, err := s.Replica.TeamProperty(ctx, PropertyReplica)
		if err != nil || replica == "" {
			return true, err
		}
		if err := s.swap(ctx, c, r, w, replica); err != nil {
			return false, err
		}
	}
	return false, nil
}

// Once makes all the same once, and notes how that went.
func (s *Syncer) Once(ctx context.Context) (State, error) {
	address, joined, err := s.Address()
	if err == nil && !joined {
		return State{}, memory.ErrLeft
	}
	var c *postgres.Client
	if err == nil {
		c, err = postgres.Dial(ctx, address)
	}
	if err == nil {
		err = s.round(ctx, c)
		c.Close()
	}
	if err != nil {
		s.fail(ctx, err)
	}
	return s.state, err
}

// round makes the records of each repository the same.
func (s *Syncer) round(ctx context.Context, c *postgres.Client) error {
	replica, err := s.Replica.TeamProperty(ctx, PropertyReplica)
	if err != nil {
		return err
	}
	if replica == "" {
		return memory.ErrLeft
	}
	var refused error
	s.open, s.greeted = s.Repositories(), map[string]postgres.Welcome{}
	for _, r := range s.open {
		w, err := c.Hello(ctx, r.Name)
		if err != nil {
			return err
		}
		s.state.Team, s.state.Member = w.Team, w.Member
		if !w.Allowed {
			refused = fmt.Errorf("%s is not for %s: who runs the server can allow it", r.Name, w.Member)
			continue
		}
		if err := s.exchange(ctx, c, r, w, replica); err != nil {
			return err
		}
		s.greeted[r.Name] = w
	}
	if refused != nil {
		return refused
	}
	s.state.Reached, s.state.Error, s.state.Since = time.Now().UTC(), "", time.Time{}
	s.note(ctx)
	return nil
}

// exchange takes what is new there, sends what is new here, and takes again what was in the way of that.
func (s *Syncer) exchange(ctx context.Context, c *postgres.Client, r Repository, w postgres.Welcome, replica string) error {
	cursor, err := s.Replica.TeamCursor(ctx, r.Name)
	if err != nil {
		return err
	}
	if cursor.Epoch != w.Epoch || cursor.Seq > w.LastSeq {
		if err := s.Replica.TeamRestart(ctx, r.Name, w.Epoch, replica); err != nil {
			return err
		}
	}
	return s.swap(ctx, c, r, w, replica)
}

func (s *Syncer) swap(ctx context.Context, c *postgres.Client, r Repository, w postgres.Welcome, replica string) error {
	for range maxTurns {
		if err := s.pull(ctx, c, r, w); err != nil {
			return err
		}
		again, err := s.push(ctx, c, r, replica)
		if err != nil || !again {
			return err
		}
	}
	return nil
}

func (s *Syncer) pull(ctx context.Context, c *postgres.Client, r Repository, w postgres.Welcome) error {
	for {
		from, err := s.Replica.TeamCursor(ctx, r.Name)
		if err != nil {
			return err
		}
		if from.Epoch != w.Epoch {
			return errors.New("the server's records were restored meanwhile")
		}
		rows, next, bad, err := c.Pull(ctx, r.Name, from.Seq, pullLimit)
		if err != nil || next == from.Seq {
			return err
		}
		for _, err := range bad {
			s.state.Left++
			s.state.Why = postgres.Explain(err)
			s.Log.Warn("left out what the team's server sent", "repository", r.Name, "why", err)
		}
		for i := range rows {
			for k := range rows[i].Record.Citations {
				rows[i].Record.Citations[k].Folder = r.Folder
			}
		}
		done, err := s.Replica.TeamApply(ctx, r.Name, w.Member, rows, from, memory.TeamCursor{Epoch: from.Epoch, Seq: next})
		if err != nil {
			return err
		}
		if done.Conflicts > 0 {
			s.Log.Info("kept both texts of records that a teammate changed as well", "records", done.Conflicts)
		}
		if len(rows)+len(bad) < pullLimit {
			return nil // that was all
		}
	}
}

// push sends what is new here. again tells that there was a conflict, or more than one answer takes.
func (s *Syncer) push(ctx context.Context, c *postgres.Client, r Repository, replica string) (again bool, err error) {
	for range maxTurns {
		changes, err := s.Replica.TeamChanges(ctx, r.Name, pushLimit)
		if err != nil || len(changes) == 0 {
			return false, err
		}
		answers, err := c.Push(ctx, r.Name, replica, changes)
		if err != nil {
			return false, err
		}
		if err := s.Replica.TeamAnswered(ctx, r.Name, answers); err != nil {
			return false, err
		}
		for _, a := range answers {
			if a.Seq > 0 {
				return true, nil
			}
		}
	}
	return true, nil
}

// fail notes why the server can't be reached, or what it said.
func (s *Syncer) fail(ctx context.Context, err error) {
	why := postgres.Explain(err)
	if s.state.Error != why {
		s.state.Since = time.Now().UTC()
		s.Log.Warn("the team's records are as they were", "why", why)
	}
	s.state.Error = why
	s.note(context.WithoutCancel(ctx))
}

// noteEvery is how often the time of success is written.
const noteEvery = time.Minute

// note keeps the state for those who ask in another process, when it says something new.
func (s *Syncer) note(ctx context.Context) {
	same := s.state
	same.Reached = s.noted.Reached
	if same == s.noted && s.state.Reached.Sub(s.noted.Reached) < noteEvery {
		return
	}
	text, err := json.Marshal(s.state)
	if err == nil {
		err = s.Replica.SetTeamProperty(ctx, PropertyState, string(text))
	}
	if err != nil {
		s.Log.Warn("note the state of the team", "err", err)
		return
	}
	s.noted = s.state
}

// ReadState returns what the latest process that followed the server noted.
func ReadState(ctx context.Context, r Replica) (State, error) {
	var state State
	text, err := r.TeamProperty(ctx, PropertyState)
	if err == nil && text != "" {
		err = json.Unmarshal([]byte(text), &state)
	}
	return state, err
}
