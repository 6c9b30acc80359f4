package answer

import (
	"slices"
	"testing"

	"github.com/aurora-sidecar/aurora/engine/answer/evidence"
)

func TestUseIn(t *testing.T) {
	tests := []struct {
		line, name, ending string
		use                use
		value              string
	}{
		{`const maxPool = 8`, "maxPool", ".go", declares, "8"},
		{`const abortIndex int8 = math.MaxInt8 >> 1`, "abortIndex", ".go", declares, "math.MaxInt8 >> 1"},
		{`export const RETRIES: number = 3;`, "RETRIES", ".ts", declares, "3"},
		{`DEFAULT_LIMITS = Limits(max=100)`, "DEFAULT_LIMITS", ".py", declares, "Limits(max=100)"},
		{"\tMaxMemory int64", "MaxMemory", ".go", declares, ""},
		{"\tMaxMemory int64 `json:\"max\"` // bytes", "MaxMemory", ".go", declares, ""},
		{`    timeout: float`, "timeout", ".py", declares, ""},
		{`    timeout: float = 5.0,`, "timeout", ".py", sets, "5.0"},
		{`		ForwardedByClientIP:    true,`, "ForwardedByClientIP", ".go", sets, "true"},
		{`	engine.MaxMemory = 8 << 20 // 8 MiB`, "MaxMemory", ".go", sets, "8 << 20"},
		{`client = Client(timeout=5.0)`, "timeout", ".py", sets, "5.0"},
		{`  "max_tokens": 4096,`, "max_tokens", ".json", sets, "4096"},
		{`max_tokens: 4096`, "max_tokens", ".yml", declares, "4096"},
		{`export GIN_MODE=release`, "GIN_MODE", ".sh", declares, "release"},
		{`ENV GIN_MODE=release`, "GIN_MODE", "", sets, "release"},
		{`os.environ["PORT"] = "1"`, "PORT", ".py", sets, `"1"`},
		{`os.Setenv("PORT", "1")`, "PORT", ".go", sets, `"1"`},
		{`if os.environ["PORT"] == "1":`, "PORT", ".py", reads, ""},
		{`port := os.Getenv("PORT")`, "PORT", ".go", reads, ""},
		{`const port = process.env.PORT ?? 8080`, "PORT", ".ts", reads, ""},
		{`let home = env::var("HOME")?;`, "HOME", ".rs", reads, ""},
		{`if "SSL_CERT_FILE" in os.environ:`, "SSL_CERT_FILE", ".py", reads, ""},
		{`if timeout == 5 {`, "timeout", ".go", mentions, ""},
		{`if timeout >= 5 {`, "timeout", ".go", mentions, ""},
		{`if timeout != 5 {`, "timeout", ".go", mentions, ""},
		{`wait(timeout)`, "timeout", ".go", mentions, ""},
		{`// timeout = 5 is the default`, "timeout", ".go", mentions, ""},
		{` - using env: export GIN_MODE=release`, "GIN_MODE", ".go", mentions, ""},
		{`my_timeout = 5`, "timeout", ".py", mentions, ""},
		{`  (level: string, message: any): Logger;`, "level", ".ts", mentions, ""},
		{`let level: string;`, "level", ".ts", declares, ""},
		{`let level: string = 'info';`, "level", ".ts", declares, "'info'"},
		{`log({level: string})`, "level", ".js", sets, "string"},
		{`open({ level: 3, name: "x" })`, "level", ".ts", sets, "3"},
	}
	for _, tt := range tests {
		if use, value := useIn(tt.line, tt.name, tt.ending); use != tt.use || value != tt.value {
			t.Errorf("%q has %s as %d %q, want %d %q", tt.line, tt.name, use, value, tt.use, tt.value)
		}
	}
}

func TestVariablesIn(t *testing.T) {
	tests := []struct {
		line                string
		literals, constants []string
	}{
		{`mode := os.Getenv(EnvMode)`, nil, []string{"EnvMode"}},
		{`a, b := os.Getenv("A"), os.Getenv("B")`, []string{"A", "B"}, nil},
		{`os.environ.get("HOME", "/")`, []string{"HOME"}, nil},
		{`System.getenv("PATH")`, []string{"PATH"}, nil},
		{`ENV.fetch('RAILS_ENV')`, []string{"RAILS_ENV"}, nil},
		{`ENV['RAILS_ENV']`, []string{"RAILS_ENV"}, nil},
		{`process.env["NODE_ENV"]`, []string{"NODE_ENV"}, nil},
		{`std::env::var_os("CC")`, []string{"CC"}, nil},
		{`getenv("TERM")`, []string{"TERM"}, nil},
		{`#[arg(long, env = "APP_CONFIG", value_name = "PATH")]`, []string{"APP_CONFIG"}, nil},
		{`@click.option("--port", envvar="APP_PORT")`, []string{"APP_PORT"}, nil},
		{"	Port int `env:\"APP_PORT\"`", []string{"APP_PORT"}, nil},
		{`const env = "PRODUCTION"`, nil, nil},
		{`environment := load("X")`, nil, nil},
	}
	for _, tt := range tests {
		literals, constants := variablesIn(tt.line)
		if !slices.Equal(literals, tt.literals) || !slices.Equal(constants, tt.constants) {
			t.Errorf("%s: %q, %q", tt.line, literals, constants)
		}
	}
}

func TestConstantFor(t *testing.T) {
	for line, want := range map[string]string{
		`const EnvMode = "APP_MODE"`:        "EnvMode",
		`const EnvMode string = "APP_MODE"`: "EnvMode",
		`ENV_MODE = 'APP_MODE'`:             "ENV_MODE",
		`mode := f("APP_MODE")`:             "",
	} {
		if got := constantFor("APP_MODE", []usedLine{{Line: evidence.Line{Text: line}}}); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}
