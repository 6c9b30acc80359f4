package admin

import (
	"fmt"
	"os"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/llm/llmtest"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/spf13/cobra"
)

// DevCommand groups commands for people who measure, try or develop AURORA.
func DevCommand(c *app.App, more ...*cobra.Command) *cobra.Command {
	root := &cobra.Command{
		Use: "dev", Short: "Run single steps of an answer, and tools for development", Args: app.NoSuchCommand,
		RunE: app.ShowHelp, Annotations: app.OnlyGroups,
	}
	root.AddCommand(devLLMCommand(c))
	root.AddCommand(more...)
	return root
}

type devLLM struct {
	listen, script string
	faults         []string
}

func devLLMCommand(c *app.App) *cobra.Command {
	f := &devLLM{}
	cmd := &cobra.Command{
		Use:   "llm",
		Short: "Serve a scripted model on this machine",
		Long: `Serve a model that answers by rule and speaks OpenAI's protocol, on loopback only. It knows AURORA's prompts: with
it every phase of a query can be seen at work without a key. It can be made to fail, too. It ends with Ctrl-C.

Faults: ` + faultNames() + `.`,
		Example: `  aurora dev llm
  aurora dev llm --fault solve=500 --fault decompose=wrong-ids
  AURORA_LLM_MODEL=scripted AURORA_LLM_BASE_URL=http://127.0.0.1:11999/v1 aurora ask "design a cache" -v`,
		Args: app.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return serveScripted(c, cmd, f) },
	}
	cmd.Flags().StringVar(&f.listen, "listen", "127.0.0.1:11999", "loopback address; port 0 takes a free one")
	cmd.Flags().StringVar(&f.script, "script", "", "file with a JSON list of steps: {task, contains, reply, fault, times, ...}")
	cmd.Flags().StringArrayVar(&f.faults, "fault", nil, "make a task fail: task=fault, or fault for all")
	return cmd
}

func faultNames() string {
	var names []string
	for _, f := range llmtest.Faults {
		names = append(names, string(f))
	}
	return strings.Join(names, ", ")
}

func serveScripted(c *app.App, cmd *cobra.Command, f *devLLM) error {
	steps, err := f.steps()
	if err != nil {
		return err
	}
	server, err := llmtest.Start(f.listen, steps...)
	if err != nil {
		return app.Failure("Choose another address: --listen 127.0.0.1:0", err)
	}
	defer server.Close()
	server.SpeakAnthropic()
	server.Log(func(call llmtest.Call, how string) {
		fmt.Fprintf(c.Err, "%s: %s\n", display.Clean(call.Task), how)
	})
	if c.JSON {
		if err := c.PrintJSON(map[string]string{"url": server.URL}); err != nil {
			return err
		}
		<-cmd.Context().Done()
		return cmd.Context().Err()
	}
	fmt.Fprintf(c.Out, "A scripted model listens. Use it with:\n  export AURORA_LLM_MODEL=scripted AURORA_LLM_BASE_URL=%s\n", server.URL)
	<-cmd.Context().Done()
	return cmd.Context().Err()
}

// steps are those of the flags, then those of the script.
func (f *devLLM) steps() ([]llmtest.Step, error) {
	var steps []llmtest.Step
	for _, flag := range f.faults {
		task, fault, found := strings.Cut(flag, "=")
		if !found {
			task, fault = "", flag
		}
		steps = append(steps, llmtest.Step{Task: task, Fault: llmtest.Fault(fault)})
		if !strings.Contains(", "+faultNames()+",", ", "+fault+",") {
			return nil, app.UsageError("Supported faults: "+faultNames(), "unknown fault %q", fault)
		}
	}
	if f.script == "" {
		return steps, nil
	}
	data, err := os.ReadFile(f.script)
	if err != nil {
		return nil, app.Failure("", fmt.Errorf("read the script: %w", err))
	}
	scripted, err := llmtest.ParseScript(data)
	if err != nil {
		return nil, app.UsageError("See: aurora dev llm --help", "--script: %v", err)
	}
	return append(steps, scripted...), nil
}
