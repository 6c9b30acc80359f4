package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	cdx "github.com/CycloneDX/cyclonedx-go"
	"github.com/google/uuid"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: aurora-sbom PROGRAM OUTPUT")
		os.Exit(2)
	}
	if err := write(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "aurora-sbom:", err)
		os.Exit(1)
	}
}

func write(program, output string) error {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return fmt.Errorf("read what %s was built from: %w", program, err)
	}
	data, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(data)
	var text bytes.Buffer
	encoder := cdx.NewBOMEncoder(&text, cdx.BOMFileFormatJSON).SetPretty(true).SetEscapeHTML(false)
	if err := encoder.EncodeVersion(bill(info, filepath.Base(program), sum[:]), cdx.SpecVersion1_6); err != nil {
		return fmt.Errorf("encode the bill of materials: %w", err)
	}
	return os.WriteFile(output, text.Bytes(), 0o644)
}

// bill lists the modules in a program, the standard library and, where there is C code, its compiler. It is the same for
// the same program: the serial number is made from the checksum.
func bill(info *debug.BuildInfo, name string, sum []byte) *cdx.BOM {
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	main := component(cdx.ComponentTypeApplication, info.Main.Path, cmp.Or(version(info), "devel"))
	main.Name = name
	main.Hashes = &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: hex.EncodeToString(sum)}}
	main.Licenses = &cdx.Licenses{{License: &cdx.License{ID: "Apache-2.0"}}}
	main.Properties = &[]cdx.Property{
		{Name: "aurora:goos", Value: settings["GOOS"]}, {Name: "aurora:goarch", Value: settings["GOARCH"]},
		{Name: "aurora:cgo", Value: settings["CGO_ENABLED"]},
	}
	components := []cdx.Component{component(cdx.ComponentTypeLibrary, "std", strings.TrimPrefix(info.GoVersion, "go"))}
	direct := []string{components[0].BOMRef}
	for _, dep := range info.Deps {
		if dep.Replace != nil {
			dep = dep.Replace
		}
		c := component(cdx.ComponentTypeLibrary, dep.Path, dep.Version)
		if dep.Sum != "" {
			c.Properties = &[]cdx.Property{{Name: "golang:h1", Value: dep.Sum}}
		}
		components = append(components, c)
		direct = append(direct, c.BOMRef)
	}
	bom := cdx.NewBOM()
	bom.SerialNumber = "urn:uuid:" + uuid.NewSHA1(uuid.NameSpaceURL, sum).String()
	bom.Metadata = &cdx.Metadata{Component: &main, Tools: &cdx.ToolsChoice{Components: &[]cdx.Component{
		{Type: cdx.ComponentTypeApplication, Name: "aurora-sbom", Version: version(info)},
	}}}
	bom.Components = &components
	bom.Dependencies = &[]cdx.Dependency{{Ref: main.BOMRef, Dependencies: &direct}}
	return bom
}

// component is a Go module; https://github.com/package-url/purl-spec has the form of its URL.
func component(sort cdx.ComponentType, path, version string) cdx.Component {
	url := "pkg:golang/" + strings.ToLower(path)
	if version != "" {
		url += "@" + strings.ReplaceAll(version, "+", "%2B")
	}
	return cdx.Component{Type: sort, BOMRef: url, Name: path, Version: version, PackageURL: url}
}

// version is what the linker was told, else the module's own.
func version(info *debug.BuildInfo) string {
	for _, s := range info.Settings {
		if _, after, ok := strings.Cut(s.Value, "internal/cli/app.version="); ok && s.Key == "-ldflags" {
			return strings.Fields(after)[0]
		}
	}
	return strings.TrimPrefix(info.Main.Version, "(devel)")
}
