package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

const scripts = "../../../scripts/release/"

var platforms = []string{"darwin_amd64", "darwin_arm64", "linux_amd64", "linux_arm64", "windows_amd64", "windows_arm64"}

// The release is for all platforms, and each part that the checks look for is in the configuration.
func TestReleaseConfiguration(t *testing.T) {
	var config struct {
		Version int
		Dist    string
		Builds  []struct {
			Targets []string
			Env     []string
		}
		Archives []struct{ Files []any }
		Nfpms    []struct{ Formats []string }
		Sboms    []struct{ Artifacts string }
	}
	text := read(t, "../../../.goreleaser.yaml")
	if err := yaml.Unmarshal([]byte(text), &config); err != nil {
		t.Fatal(err)
	}
	if config.Version != 2 || config.Dist != "bin/release" || len(config.Builds) != 1 || len(config.Nfpms) != 1 || len(config.Sboms) != 1 {
		t.Fatalf("%+v", config)
	}
	slices.Sort(config.Builds[0].Targets)
	if !slices.Equal(config.Builds[0].Targets, platforms) {
		t.Errorf("platforms: %q", config.Builds[0].Targets)
	}
	// Every file that is named exists, but for those that the build makes.
	for _, file := range config.Archives[0].Files {
		if name, ok := file.(string); ok {
			if _, err := os.Stat(filepath.Join("../../..", name)); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestFormula(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip(err)
	}
	var sums strings.Builder
	for i, platform := range platforms {
		sums.WriteString(strings.Repeat(string(rune('a'+i)), 64) + "  aurora_1.2.3_" + platform + ".tar.gz\n")
	}
	file := filepath.Join(t.TempDir(), "checksums.txt")
	if err := os.WriteFile(file, []byte(sums.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("bash", scripts+"formula.sh", "1.2.3", file).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	arm := "    on_arm do\n      url \"https://github.com/aurora-sidecar/aurora/releases/download/v1.2.3/aurora_1.2.3_darwin_arm64.tar.gz\"\n      sha256 \"" + strings.Repeat("b", 64) + "\"\n"
	if !strings.Contains(string(out), arm) || strings.Contains(string(out), "windows") {
		t.Errorf("%s", out)
	}
	if program, err := exec.LookPath("ruby"); err == nil {
		check := exec.Command(program, "-c")
		check.Stdin = strings.NewReader(string(out))
		if said, err := check.CombinedOutput(); err != nil {
			t.Errorf("ruby: %v: %s", err, said)
		}
	}
	if err := os.WriteFile(file, []byte("aa  aurora_1.2.3_linux_amd64.tar.gz\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err = exec.Command("bash", scripts+"formula.sh", "1.2.3", file).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "has no aurora_1.2.3_darwin_arm64.tar.gz") {
		t.Errorf("archives are missing: %v: %s", err, out)
	}
}

// The stubs name the functions that Go's verification of certificates calls, for the Go that is here.
func TestMacStubs(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil || runtime.GOOS == "windows" {
		t.Skip("no bash")
	}
	dir := t.TempDir()
	if out, err := exec.Command("bash", scripts+"macos-stubs.sh", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for file, symbol := range map[string]string{
		"CoreFoundation.framework/CoreFoundation.tbd": "_CFRelease", "Security.framework/Security.tbd": "_SecTrustEvaluateWithError",
		"libresolv.tbd": "_res_9_nsearch",
	} {
		if text := read(t, filepath.Join(dir, file)); !strings.Contains(text, symbol) || !strings.Contains(text, "arm64-macos") {
			t.Errorf("%s: %s", file, text)
		}
	}
}

// A machine without GoReleaser builds it from its module; GORELEASER and PATH come first.
func TestWhichGoReleaserRuns(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip(err)
	}
	bare, equipped := t.TempDir(), t.TempDir()
	dirname, err := exec.LookPath("dirname")
	if err != nil {
		t.Skip(err)
	}
	say := func(file, word string) {
		t.Helper()
		text := "#!" + bash + "\necho " + word + " \"$@\"\n"
		if err := os.WriteFile(file, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{bare, equipped} {
		say(filepath.Join(dir, "go"), "go")
		if err := os.Symlink(dirname, filepath.Join(dir, "dirname")); err != nil {
			t.Fatal(err)
		}
	}
	say(filepath.Join(equipped, "goreleaser"), "from-path")
	own := filepath.Join(t.TempDir(), "own")
	say(own, "from-variable")
	for _, test := range []struct{ path, variable, want string }{
		{bare, "", "go run github.com/goreleaser/goreleaser/v2@"},
		{equipped, "", "from-path --version"},
		{equipped, own, "from-variable --version"},
	} {
		cmd := exec.Command(bash, scripts+"run.sh", "--version")
		cmd.Env = []string{"PATH=" + test.path, "GORELEASER=" + test.variable}
		out, err := cmd.Output()
		if err != nil || !strings.HasPrefix(string(out), test.want) {
			t.Errorf("PATH %s, GORELEASER %q: %q, %v, want %q", test.path, test.variable, out, err, test.want)
		}
	}
}
