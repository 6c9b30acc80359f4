package app

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// RefuseUnknownShells has "completion klingon" fail, which prints help otherwise.
func RefuseUnknownShells(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	if cmd, _, err := root.Find([]string{"completion"}); err == nil && cmd != root {
		cmd.Args = NoSuchCommand
		cmd.RunE, cmd.Annotations = ShowHelp, OnlyGroups
		cmd.Short = "Print the script that completes command lines in a shell"
		cmd.Long = "Print the script that completes commands, flags and their values when you press Tab."
		cmd.Example = `  source <(aurora completion bash)           # in ~/.bashrc
  source <(aurora completion zsh)            # in ~/.zshrc
  aurora completion fish > ~/.config/fish/completions/aurora.fish`
		completeInPlainBash(Subcommand(cmd, "bash"))
	}
}

// plainBash defines what the script for bash takes from the package bash-completion, which not every machine has.
const plainBash = `# What the package bash-completion brings, where it is not loaded.
if ! declare -F _get_comp_words_by_ref >/dev/null; then
    _get_comp_words_by_ref() {
        read -ra words <<<"${COMP_LINE:0:$COMP_POINT}"
        if [[ ${COMP_LINE:0:$COMP_POINT} == *[[:space:]] ]]; then words+=(""); fi
        cword=$((${#words[@]} - 1))
        cur=${words[cword]}
        prev=${words[cword - 1]:-}
    }
fi
if ! declare -F __ltrim_colon_completions >/dev/null; then
    __ltrim_colon_completions() {
        local i colon=${1%"${1##*:}"}
        for i in "${!COMPREPLY[@]}"; do COMPREPLY[i]=${COMPREPLY[i]#"$colon"}; done
    }
fi
if ! declare -F _filedir >/dev/null; then
    _filedir() {
        local kind=-f
        if [[ ${1:-} == -d ]]; then kind=-d; fi
        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen $kind -- "$cur")
    }
fi

`

// completeInPlainBash has the script for bash need no package.
func completeInPlainBash(cmd *cobra.Command) {
	if cmd == nil {
		return
	}
	script := cmd.RunE
	cmd.Long = strings.Replace(cmd.Long, "This script depends on the 'bash-completion' package.\nIf it is not installed already, you can install it via your OS's package manager.\n\n", "", 1)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if _, err := io.WriteString(cmd.OutOrStdout(), plainBash); err != nil {
			return err
		}
		return script(cmd, args)
	}
}

// LogLevels are the values of --log-level.
var LogLevels = []string{"debug", "info", "warn", "error"}

// CompleteFlag completes one of the values.
func CompleteFlag(cmd *cobra.Command, flag string, values ...string) {
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

// CompleteList completes values of a flag that takes several, separated by commas.
func CompleteList(cmd *cobra.Command, flag string, values ...string) {
	_ = cmd.RegisterFlagCompletionFunc(flag, func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		before := typed[:strings.LastIndexByte(typed, ',')+1]
		given := strings.Split(before, ",")
		var list []string
		for _, value := range values {
			if !slices.Contains(given, value) {
				list = append(list, before+value)
			}
		}
		return list, cobra.ShellCompDirectiveNoFileComp
	})
}

// CompleteFirst completes the first word behind a command.
func CompleteFirst(values ...string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return values, cobra.ShellCompDirectiveNoFileComp
	}
}

// CompleteNoFiles keeps shells from offering files where no file is meant: behind every command whose usage names none.
func CompleteNoFiles(cmd *cobra.Command) {
	if cmd.ValidArgsFunction == nil && len(cmd.ValidArgs) == 0 && !takesFile(cmd) {
		cmd.ValidArgsFunction = cobra.NoFileCompletions
	}
	for _, sub := range cmd.Commands() {
		CompleteNoFiles(sub)
	}
}

// takesFile reports whether the usage of a command names a file or a folder.
func takesFile(cmd *cobra.Command) bool {
	for _, word := range []string{"file", "folder", "path"} {
		if strings.Contains(cmd.Use, word) {
			return true
		}
	}
	return false
}
