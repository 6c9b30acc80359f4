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

// encryptionCommands encrypt what is kept on disk, and look after the key.
func encryptionCommands(c *app.App) *cobra.Command {
	root := &cobra.Command{
		Use:   "encryption",
		Short: "Encrypt memory, conversations and history on disk; tell how they are kept",
		Long: `Encrypt what AURORA remembers on disk: memory.db with its log and backups, the conversations and the history of
questions. It is off unless you switch it on. The key is kept in the system's keyring, in a file, or in an environment
variable, and can be changed at any time. Anyone who loses it loses memory: keep a copy (save-key).

The index is not encrypted: it is made of your files, which are not, either.`,
		Args: app.NoSuchCommand,
		RunE: app.ShowHelp, Annotations: app.OnlyGroups,
	}
	root.AddCommand(encryptionStatusCommand(c), encryptionEnableCommand(c), encryptionDisableCommand(c), encryptionRekeyCommand(c),
		keygenCommand(c), saveKeyCommand(c))
	return root
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

func encryptionStatusCommand(c *app.App) *cobra.Command {
	return &cobra.Command{
		Use: "status", Short: "Tell what is encrypted, and where the key is", Args: app.UsageArgs(cobra.NoArgs),
		RunE: onSealer(c, func(cmd *cobra.Command, s *sealer, _ []string) error {
			status, err := s.status(cmd.Context())
			if err != nil {
				return err
			}
			if c.JSON {
				return c.PrintJSON(status)
			}
			printEncryption(c, status)
			return nil
		}),
	}
}

func encryptionEnableCommand(c *app.App) *cobra.Command {
	var kind, file string
	cmd := &cobra.Command{
		Use:   "enable",
		Short: "Encrypt what is kept, and all that will be",
		Long: `Encrypt memory, its backups, the conversations and the history of questions, and all that will be written of them.
A key is made when there is none; one in an environment variable is yours to make (keygen) and to set for editors, too.

Each file is written again beside the old one, read back, and then takes its place: whenever this is interrupted, nothing is
lost, and it can be called again. AURORA must not be running: close the editors, and stop the daemons.`,
		Example: `  aurora mem encryption enable
  aurora mem encryption enable --key-file ~/keys/aurora.key
  export AURORA_MEMORY_KEY=$(aurora mem encryption keygen); aurora mem encryption enable --key-source env`,
		Args: app.UsageArgs(cobra.NoArgs),
		RunE: onSealer(c, func(cmd *cobra.Command, s *sealer, _ []string) error {
			if err := s.choose(kind, file); err != nil {
				return err
			}
			return s.enable(cmd.Context(), false)
		}),
	}
	cmd.Flags().StringVar(&kind, "key-source", "", "where the key is kept: keyring, file or env; as set in memory.encryption.key_source without it")
	cmd.Flags().StringVar(&file, "key-file", "", "the file with the key; made when there is none")
	_ = cmd.RegisterFlagCompletionFunc("key-source", cobra.FixedCompletions([]string{atrest.FromKeyring, atrest.FromFile, atrest.FromEnv}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func encryptionDisableCommand(c *app.App) *cobra.Command {
	return &cobra.Command{
		Use: "disable", Short: "Make what is kept readable without a key", Args: app.UsageArgs(cobra.NoArgs),
		Long: `Decrypt all that is encrypted, and write plain files from now on. The key stays where it is.`,
		RunE: onSealer(c, func(cmd *cobra.Command, s *sealer, _ []string) error { return s.disable(cmd.Context()) }),
	}
}

func encryptionRekeyCommand(c *app.App) *cobra.Command {
	return &cobra.Command{
		Use: "rekey", Short: "Encrypt what is kept with a new key", Args: app.UsageArgs(cobra.NoArgs),
		Long: `Make a new key and encrypt all that is kept with it. The old key stays beside it until that is done, so it can be
interrupted. Of an environment variable set the value yourself, the new key before the old one, with a comma between
them; take the old one away afterwards.`,
		RunE: onSealer(c, func(cmd *cobra.Command, s *sealer, _ []string) error { return s.enable(cmd.Context(), true) }),
	}
}

func keygenCommand(c *app.App) *cobra.Command {
	return &cobra.Command{
		Use: "keygen", Short: "Print a new key, and change nothing", Args: app.UsageArgs(cobra.NoArgs),
		Long: `Print a new key, for an environment variable or a store of secrets. It is an identity of age (https://age-encryption.org),
as age-keygen makes it.`,
		RunE: func(*cobra.Command, []string) error {
			k, err := atrest.Generate()
			if err != nil {
				return err
			}
			if c.JSON {
				return c.PrintJSON(map[string]string{"key": strings.TrimSpace(k.Secret()), "fingerprint": k.Fingerprint()})
			}
			fmt.Fprint(c.Out, k.Secret())
			return nil
		},
	}
}

func saveKeyCommand(c *app.App) *cobra.Command {
	return &cobra.Command{
		Use: "save-key <file>", Short: "Write a copy of the key to a file, which is yours to keep safe", Args: app.UsageArgs(cobra.ExactArgs(1)),
		Example: "  aurora mem encryption save-key /media/usb/aurora.key",
		RunE: onSealer(c, func(_ *cobra.Command, s *sealer, args []string) error {
			keys, err := s.source.Load()
			if err != nil {
				return app.Failure("aurora mem encryption status says where it is looked for.", err)
			}
			path, err := workspace.Absolute(args[0])
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
				return c.PrintJSON(map[string]string{"file": path, "fingerprint": keys.Fingerprint()})
			}
			c.Wrapped("", fmt.Sprintf("Wrote key %s to %s. Anyone who has it can read what AURORA remembers.", keys.Fingerprint(), config.Tilde(path)))
			return nil
		}),
	}
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
