package memory

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/journal"
	"github.com/aurora-sidecar/aurora/internal/atrest"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/jsonfile"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/aurora-sidecar/aurora/memory/convlog"
	"github.com/aurora-sidecar/aurora/memory/sqlite"
)

// A sealer brings all that is kept into one form: encrypted with one key, or plain.
type sealer struct {
	cli      *app.App
	settings *config.Settings
	policy   atrest.Policy // that the settings say
	source   atrest.Source // of the key from now on
}

func (s *sealer) book() *convlog.Book {
	if s.settings.Logging.Conversations.Path == "" {
		return nil
	}
	book, err := workspace.NewBook(s.settings, s.policy, s.cli.Now)
	if err != nil { // the settings were checked
		return nil
	}
	return book
}

// questions takes over what an earlier version kept in files, and counts the questions in the journal.
func (s *sealer) questions(ctx context.Context) int {
	path := s.settings.Memory.DatabasePath
	if !sqlite.StateOf(path, sqlite.Encryption(s.policy)).Exists {
		return 0
	}
	store, err := sqlite.Open(ctx, path, sqlite.Options{Encryption: sqlite.Encryption(s.policy), Now: s.cli.Now, Version: app.ReadBuild().Version})
	if err != nil {
		return 0 // the caller says why
	}
	defer store.Close()
	past := journal.Open(store, journal.Options{Keep: s.settings.History.Keep})
	if err := past.TakeOver(ctx, workspace.Former(s.settings, s.policy)); err != nil {
		s.cli.Warn(workspace.NotTakenOver(err))
	}
	ids, _ := past.IDs(ctx)
	return len(ids)
}

// choose takes another place for the key than the settings name.
func (s *sealer) choose(kind, file string) error {
	if file != "" {
		path, err := workspace.Absolute(file)
		if err != nil {
			return err
		}
		if kind != "" && kind != atrest.FromFile {
			return app.UsageError("Leave one of them out.", "--key-file and --key-source %s contradict each other", kind)
		}
		kind, s.source.File = atrest.FromFile, path
	}
	switch kind {
	case "":
		kind = s.source.Kind
	case atrest.FromKeyring, atrest.FromFile, atrest.FromEnv:
	default:
		return app.UsageError("", "--key-source is keyring, file or env, not %q", kind)
	}
	s.source.Kind = kind
	if kind == atrest.FromFile && s.source.File == "" {
		return app.UsageError("Add --key-file ~/keys/aurora.key; it is made when there is none.", "which file?")
	}
	return nil
}

// key finds the keys that encrypt from now on, made again when there is none or rekey asks for it. Behind them
// stand those that open what is there.
func (s *sealer) key(rekey bool) (*atrest.Keys, error) {
	own := s.source.Kind != atrest.FromEnv // AURORA may write it
	keys, err := s.source.Load()
	absent := errors.Is(err, atrest.ErrNoKey) && !errors.Is(err, atrest.ErrUnusable)
	switch {
	case absent && !own:
		return nil, app.Failure(fmt.Sprintf("export %s=$(aurora mem encryption --new-key), where editors get it, too; keep a copy of it.", s.source.Env), err)
	case err != nil && !absent:
		return nil, app.Failure("aurora mem encryption --enable --key-source file --key-file FILE keeps the key in a file.", err)
	case absent && rekey:
		return nil, app.Failure("aurora mem encryption --enable makes one.", err)
	case absent, rekey && own:
		fresh, err := atrest.Generate()
		if err != nil {
			return nil, err
		}
		keys = fresh.With(keys)
	}
	return keys.With(s.policy.Keys).From(s.source), nil
}

// enable encrypts all that is kept with the key of the source or, with rekey, with a new one.
func (s *sealer) enable(ctx context.Context, rekey bool) error {
	if s.settings.Memory.DatabasePath == "" {
		return app.Failure("Set memory.database_path.", errors.New("memory is not kept on disk"))
	}
	if rekey && !s.policy.Enabled {
		return app.Failure("aurora mem encryption --enable switches it on.", errors.New("encryption is off"))
	}
	before := s.policy.Keys
	keys, err := s.key(rekey)
	if err != nil {
		return err
	}
	s.policy = atrest.Policy{Enabled: true, Keys: keys}
	if err := s.openable(); err != nil {
		return err
	}
	if rekey && s.source.Kind == atrest.FromEnv && keys.First().Fingerprint() == before.Fingerprint() && keys.Count() == 1 {
		return app.Failure(fmt.Sprintf("export %s=$(aurora mem encryption --new-key),$%[1]s and call this again.", s.source.Env), errors.New("there is no new key"))
	}
	// The key is safe before anything needs it.
	if s.source.Kind != atrest.FromEnv {
		if err := s.source.Keep(keys); err != nil {
			return app.Failure("Nothing was changed. aurora mem encryption --enable --key-source file --key-file FILE keeps the key in a file.", err)
		}
	}
	if err := s.setSource(); err != nil {
		return err
	}
	done, err := s.convert(ctx)
	if err != nil {
		return err
	}
	dropped := s.dropOld(keys)
	return s.report(ctx, done, dropped)
}

// openable fails before anything is changed when the keys at hand don't open what is there.
func (s *sealer) openable() error {
	if state := sqlite.StateOf(s.settings.Memory.DatabasePath, sqlite.Encryption(s.policy)); state.Err != nil {
		return app.Failure("Nothing was changed. Put the key that opens it behind the new one, or into the place that "+
			"`aurora mem encryption` names.", state.Err)
	}
	return nil
}

// convert brings everything into the form of the policy: first memory, which others may have open.
func (s *sealer) convert(ctx context.Context) (converted FormCounts, err error) {
	e := sqlite.Encryption(s.policy)
	path := s.settings.Memory.DatabasePath
	converted.Plain = s.questions(ctx)
	if _, err := sqlite.Convert(ctx, path, e); err != nil {
		if errors.Is(err, sqlite.ErrInUse) {
			return converted, app.Failure("Close the editors and run: aurora daemon stop --all. Nothing was changed; then call this again.", err)
		}
		return converted, app.Failure("The database is what it was. Call this again.", err)
	}
	if err := s.set("memory.encryption.enabled", s.policy.Enabled); err != nil {
		return converted, err
	}
	backups, _ := sqlite.Copies(path)
	var errs []error
	for _, backup := range backups {
		_, err := sqlite.Convert(ctx, backup, e)
		errs = append(errs, err, removeLock(backup))
	}
	if book := s.book(); book != nil {
		n, err := book.Convert(ctx)
		converted.Encrypted, errs = n, append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return converted, app.Failure("Memory was converted; the rest goes on when you call this again.", err)
	}
	return converted, nil
}

// removeLock removes the file that a conversion of a backup locks.
func removeLock(path string) error {
	if err := os.Remove(path + ".lock"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// dropOld forgets the keys that nothing needs any more, and reports whether there were any left to forget.
func (s *sealer) dropOld(keys *atrest.Keys) (kept bool) {
	if keys.Count() == 1 {
		return false
	}
	for _, f := range s.files() {
		if state := sqlite.StateOf(f.Path, sqlite.Encryption(s.policy)); state.Encrypted && !state.Current {
			return true
		}
	}
	if s.source.Kind == atrest.FromEnv {
		return true
	}
	if err := s.source.Keep(keys.First()); err != nil {
		s.cli.Warn(fmt.Sprintf("the old key stays in %s: %v", s.source, err))
		return true
	}
	return false
}

// disable makes all that is kept plain.
func (s *sealer) disable(ctx context.Context) error {
	status, err := s.status(ctx)
	if err != nil {
		return err
	}
	if !status.Enabled && !status.Anything() {
		if s.cli.JSON {
			return s.cli.PrintJSON(status)
		}
		s.cli.Wrapped("", "Nothing is encrypted.")
		return nil
	}
	if s.policy.Keys.Count() == 0 { // of conversations alone nobody looked for it
		if s.policy.Keys, s.policy.NoKeys = s.source.Load(); s.policy.NoKeys != nil && status.Anything() {
			return app.Failure("aurora mem encryption says where it is looked for.", s.policy.NoKeys)
		}
	}
	s.policy.Enabled = false
	if err := s.openable(); err != nil {
		return err
	}
	done, err := s.convert(ctx)
	if err != nil {
		return err
	}
	return s.report(ctx, done, false)
}

// setSource notes where the key is.
func (s *sealer) setSource() error {
	e := &s.settings.Memory.Encryption
	if s.source.Kind != e.KeySource {
		if err := s.set("memory.encryption.key_source", s.source.Kind); err != nil {
			return err
		}
	}
	if s.source.Kind == atrest.FromFile && s.source.File != e.KeyFile {
		return s.set("memory.encryption.key_file", s.source.File)
	}
	return nil
}

// set writes a value into the user's configuration.
func (s *sealer) set(name string, value any) error {
	file, _, err := workspace.ConfigFile(s.cli, false)
	if err != nil {
		return err
	}
	err = jsonfile.Update(file, config.MaxFile, func(before []byte) ([]byte, error) {
		return jsonfile.Set(before, strings.Split(name, "."), value)
	})
	if err != nil {
		return app.Failure(fmt.Sprintf("Set %s to %v yourself, and call this again.", name, value), fmt.Errorf("change %s: %w", config.Tilde(file), err))
	}
	return nil
}

// report says what was done, and what is left to do.
func (s *sealer) report(ctx context.Context, done FormCounts, oldKey bool) error {
	c := s.cli
	status, err := s.status(ctx)
	if err != nil {
		return err
	}
	status.Enabled = s.policy.Enabled
	if c.JSON {
		return c.PrintJSON(status)
	}
	c.Wrapped("", fmt.Sprintf("%s: memory, %s and %s of the history.", map[bool]string{true: "Encrypted", false: "Decrypted"}[s.policy.Enabled],
		display.Count(done.Encrypted, "conversation"), display.Count(done.Plain, "question")))
	if s.policy.Enabled {
		c.Wrapped("", fmt.Sprintf("The key %s is in %s. Without it nobody can read them. Keep a copy: aurora mem encryption --save-key FILE",
			s.policy.Keys.Fingerprint(), s.source))
	}
	inPlace, _ := s.source.Load() // what is left there
	if s.source.Kind == atrest.FromEnv && inPlace.Count() > 1 {
		c.Wrapped("", fmt.Sprintf("Leave only the first key in %s.", s.source.Env))
	} else if oldKey && s.source.Kind != atrest.FromEnv {
		c.Wrapped("", "The old key is kept, too: files that were left aside need it.")
	}
	for _, f := range status.Files {
		if s.policy.Enabled && !f.Encrypted && f.State == stateText(sqlite.State{Exists: true}) {
			c.Warn(fmt.Sprintf("%s can still be read. If you don't need it: rm %[1]s", f.Path))
		}
	}
	return nil
}
