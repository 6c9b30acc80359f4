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
