package syntax

import "testing"

func nameOf(l *Language) string {
	if l == nil {
		return ""
	}
	return l.Name
}

// TestEveryLanguageIsFound looks up each language by a usual path and by what editors call it.
func TestEveryLanguageIsFound(t *testing.T) {
	tested := map[string]bool{}
	for _, tc := range []struct{ language, path, id string }{
		{"go", "a/b.go", "go"}, {"python", "b.py", "python"}, {"python", "x/BUILD.bazel", "python"},
		{"typescript", "a.mts", "typescript"}, {"tsx", "a.tsx", "typescriptreact"},
		{"javascript", "a.cjs", "javascriptreact"}, {"markdown", "README.md", "markdown"},
		{"restructuredtext", "docs/usage.rst", "rst"}, {"asciidoc", "README.adoc", "asciidoctor"},
		{"json", "tsconfig.json", "jsonc"}, {"notebook", "a.ipynb", "jupyter"}, {"rust", "a.rs", "rust"},
		{"java", "A.java", "java"}, {"kotlin", "build.gradle.kts", "kotlin"}, {"c", "a.h", "c"}, {"cpp", "a.hpp", "cpp"},
		{"csharp", "A.cs", "csharp"}, {"ruby", "Gemfile", "ruby"}, {"php", "a.php", "php"}, {"swift", "A.swift", "swift"},
		{"scala", "build.sbt", "scala"}, {"lua", "init.lua", "lua"}, {"bash", ".zshrc", "shellscript"},
		{"sql", "a.sql", "sql"}, {"yaml", "a.yml", "dockercompose"}, {"toml", "Cargo.lock", "toml"},
		{"hcl", "main.tf", "terraform"}, {"dockerfile", "Containerfile", "dockerfile"}, {"protobuf", "a.proto", "proto"},
		{"dockerfile", "api.dockerfile", "dockerfile"}, {"html", "a.htm", "html"}, {"css", "a.css", "css"},
		{"svelte", "A.svelte", "svelte"}, {"elixir", "mix.exs", "elixir"}, {"ocaml", "a.ml", "ocaml"},
		{"elm", "A.elm", "elm"}, {"groovy", "Jenkinsfile", "groovy"}, {"cue", "a.cue", "cue"},
		{"vue", "A.vue", "vue"}, {"haskell", "A.hs", "haskell"}, {"zig", "build.zig", "zig"}, {"dart", "a.dart", "dart"}, {"r", "a.R", "r"}, {"powershell", "a.psm1", "powershell"}, {"ocaml_interface", "a.mli", "ocaml_interface"},
	} {
		tested[tc.language] = true
		if got := nameOf(ByPath(tc.path)); got != tc.language {
			t.Errorf("ByPath(%q) = %q, want %q", tc.path, got, tc.language)
		}
		if got := nameOf(ByLanguageID(tc.id)); got != tc.language {
			t.Errorf("ByLanguageID(%q) = %q, want %q", tc.id, got, tc.language)
		}
	}
	for _, l := range Languages() {
		if !tested[l.Name] {
			t.Errorf("%s is not looked up here", l.Name)
		}
	}
}

func TestDetect(t *testing.T) {
	for _, tc := range []struct{ path, head, want string }{
		{"bin/run", "#!/bin/sh\n", "bash"},
		{"bin/run", "#!/usr/bin/env python3\nimport os\n", "python"},
		{"bin/run", "#!/usr/bin/env -S FOO=1 node --harmony\r\n", "javascript"},
		{"bin/run", "#! /usr/local/bin/ruby2.7 -w\n", "ruby"},
		{"bin/run", "#!/usr/bin/perl\n", ""},
		{"bin/run", "#!\n", ""},
		{"bin/run", "#!/usr/bin/env\n", ""},
		{"bin/run", "", ""},
		{"notes.txt", "#!/bin/sh\n", ""},
		{"run.py", "#!/bin/sh\n", "python"},
		{`dir.d\run`, "#!/bin/bash", "bash"},
		{"a.h", "#pragma once\nint f(void);\n", "c"},
		{"a.h", "#pragma once\nnamespace a {\n", "cpp"},
		{"a.h", "/* the class of all */\nstruct a { int class_; };\n", "c"},
		{"a.h", "template <class T>\nT f();\n", "cpp"},
	} {
		if got := nameOf(Detect(tc.path, []byte(tc.head))); got != tc.want {
			t.Errorf("Detect(%q, %q) = %q, want %q", tc.path, tc.head, got, tc.want)
		}
	}
}
