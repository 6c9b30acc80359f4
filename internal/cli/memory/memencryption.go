package memory

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/atrest"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/spf13/cobra"
)

// encryptionFlags choose what is done about encryption.
type encryptionFlags struct {
	enable, disable, rekey, newKey bool
	saveKey, keySource, keyFile    string
}

// encryptionCommand encrypts what is kept on disk, and looks after the key.
func encryptionCommand(c *app.App) *cobra.Command {
	f := &encryptionFlags{}
	cmd := &cobra.Command{
		Use:   "encryption",
		Short: "Show or change the encryption of memory, conversations and history",
		Long: `Show what is encrypted on disk and where the key is, or change it: memory.db with its log and backups, the conversations
and the history of questions. It is off unless you switch it on. The key is kept in the system's keyring, in a file, or in an
environment variable, and can be changed at any time. Without the key memory is lost: keep a copy (--save-key).

--enable makes a key when there is none; one in an environment variable is yours to make (--new-key) and to set for editors,
too. Each file is written again beside the old one, read back, and then takes its place: after an interruption nothing is lost,
and the command can be repeated. AURORA must not be running: close the editors, and stop the daemons.

--rekey encrypts with a new key; the old one stays beside it until that is done. With an environment variable set the value
yourself: the new key before the old one, with a comma between them; take the old one away afterwards.

The index is not encrypted: it is made of your files, which are not, either.`,
		Example: `  aurora mem encryption
  aurora mem encryption --enable --key-file ~/keys/aurora.key
  export AURORA_MEMORY_KEY=$(aurora mem encryption --new-key); aurora mem encryption --enable --key-source env
  aurora mem encryption --save-key /media/usb/aurora.key`,
		Args: app.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.newKey {
				return printNewKey(c)
			}
			return onSealer(c, func(cmd *cobra.Command, s *sealer, _ []string) error { return f.run(cmd, c, s) })(cmd, args)
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.enable, "enable", false, "encrypt what is kept, and all that will be")
	flags.BoolVar(&f.disable, "disable", false, "decrypt what is kept; the key stays where it is")
	flags.BoolVar(&f.rekey, "rekey", false, "encrypt what is kept with a new key")
	flags.BoolVar(&f.newKey, "new-key", false, "print a new key (an identity of age, https://age-encryption.org) and change nothing")
	flags.StringVar(&f.saveKey, "save-key", "", "write a copy of the key to a new `file`")
	flags.StringVar(&f.keySource, "key-source", "", "with --enable: where the key is kept: keyring, file or env (default: memory.encryption.key_source)")
	flags.StringVar(&f.keyFile, "key-file", "", "with --enable: the `file` with the key; made when there is none")
	app.CompleteFlag(cmd, "key-source", atrest.FromKeyring, atrest.FromFile, atrest.FromEnv)
	cmd.MarkFlagsMutuallyExclusive("enable", "disable", "rekey", "new-key", "save-key")
	return cmd
}

func (f *encryptionFlags) run(cmd *cobra.Command, c *app.App, s *sealer) error {
	if !f.enable && (f.keySource != "" || f.keyFile != "") {
		return app.UsageError("", "--key-source and --key-file go with --enable")
	}
	switch {
	case f.enable:
		if err := s.choose(f.keySource, f.keyFile); err != nil {
			return err
		}
		return s.enable(cmd.Context(), false)
	case f.disable:
		return s.disable(cmd.Context())
	case f.rekey:
		return s.enable(cmd.Context(), true)
	case f.saveKey != "":
		return saveKey(c, s, f.saveKey)
	}
	status, err := s.status(cmd.Context())
	if err != nil {
		return err
	}
	if c.JSON {
		return c.PrintJSON(status)
	}
	printEncryption(c, status)
	return nil
}

// onSealer adapts a command that works on all that is kept, under the user's own settings.
func onSealer(c *app.App, run func(cmd *cobra.Command, s *sealer, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		p := &workspace.Parts{}
		if err := workspace.LoadSettings(c, p, workspace.Wiring{}); err != nil {
			return err
		}
		return run(cmd, &sealer{cli: c, settings: p.Settings, policy: p.Encryption(), source: workspace.KeySource(p.Settings)}, args)
	}
}

// A newKey is the result of mem encryption --new-key.
type newKey struct {
	Key         string `json:"key"`
	Fingerprint string `json:"fingerprint"`
}

// A savedKey is the result of mem encryption --save-key.
type savedKey struct {
	File        string `json:"file"`
	Fingerprint string `json:"fingerprint"`
}

func printNewKey(c *app.App) error {
	k, err := atrest.Generate()
	if err != nil {
		return err
	}
	if c.JSON {
		return c.PrintJSON(newKey{Key: strings.TrimSpace(k.Secret()), Fingerprint: k.Fingerprint()})
	}
	fmt.Fprint(c.Out, k.Secret())
	return nil
}

func saveKey(c *app.App, s *sealer, file string) error {
	keys, err := s.source.Load()
	if err != nil {
		return app.Failure("See where it is looked for: aurora mem encryption", err)
	}
	path, err := workspace.Absolute(file)
	if err != nil {
		return err
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return app.UsageError("", "%s is there already", path)
	}
	if err := atrest.WriteKeyFile(path, keys); err != nil {
		return app.Failure("Name a file in a folder that you may write to.", err)
	}
	if c.JSON {
		return c.PrintJSON(savedKey{File: path, Fingerprint: keys.Fingerprint()})
	}
	c.Wrapped("", fmt.Sprintf("Wrote key %s to %s. Anyone who has it can read what AURORA remembers.", keys.Fingerprint(), config.Tilde(path)))
	return nil
}

func printEncryption(c *app.App, s *EncryptionStatus) {
	row := func(label, text string) { c.Wrapped(fmt.Sprintf("%-15s", label+":"), text) }
	row("Encryption", map[bool]string{true: "on", false: "off"}[s.Enabled])
	switch {
	case s.KeyError != "" && (s.Enabled || s.Anything()):
		row("Key", "none: "+strings.TrimPrefix(s.KeyError, atrest.ErrNoKey.Error()+": "))
	case s.Fingerprint != "":
		row("Key", s.Fingerprint+" in "+s.KeySource)
	}
	for _, f := range s.Files {
		row(f.Kind, config.Tilde(f.Path)+": "+f.State)
	}
	row("Conversations", forms(s.Conversations))
	row("History", forms(s.History))
	if s.Advice != "" {
		fmt.Fprintln(c.Out)
		c.Wrapped("", s.Advice)
	}
}

func forms(n FormCounts) string {
	switch {
	case n.Plain == 0 && n.Encrypted == 0:
		return "none"
	case n.Plain == 0:
		return display.Count(n.Encrypted, "file") + ", encrypted"
	case n.Encrypted == 0:
		return display.Count(n.Plain, "file") + ", plain"
	}
	return fmt.Sprintf("%d encrypted, %d plain", n.Encrypted, n.Plain)
}
