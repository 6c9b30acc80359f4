package answer

import (
	"context"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/answer/evidence"
	"github.com/aurora-sidecar/aurora/engine/answer/question"
	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
	"github.com/aurora-sidecar/aurora/internal/text"
)

// facts answers what is asked of the project as a whole, from the files that say it: its license, its version, the
// versions of languages that it needs, what it depends on, and how it is built, installed, tested and run.
type facts struct{ *asked }

func (w facts) answer(ctx context.Context) (*Answer, error) {
	d := &builder{}
	shown := false
	var err error
	switch topic := w.q.Fact; topic {
	case question.License:
		shown, err = w.license(ctx, d)
	case question.Version:
		shown, err = w.lines(ctx, d, "The version stands in %s:", versionLines, 4)
	case question.Needs:
		shown, err = w.lines(ctx, d, "What it needs stands in %s:", needsLines, 8)
	case question.Dependencies:
		shown, err = w.dependencies(ctx, d)
	default:
		shown, err = w.howTo(ctx, d, w.q.Subject)
	}
	if err != nil {
		return nil, err
	}
	if !shown {
		return bySearch(ctx, w.asked)
	}
	return d.answer(w.q.Intent, 0.85), nil
}

// atRoot are the files of the root folder, those of folders below it when there are none.
func (w facts) atRoot(fits func(base string) bool) []*index.File {
	var out []*index.File
	for f := range w.Library.Snap.Listed() {
		if !strings.Contains(f.Path, "/") && fits(f.Path) {
			out = append(out, f)
		}
	}
	slices.SortFunc(out, func(a, b *index.File) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// licenses are known by words of their first lines, the most special first.
var licenses = []struct{ words, name string }{
	{"GNU AFFERO GENERAL PUBLIC LICENSE", "GNU Affero General Public License"}, {"GNU LESSER GENERAL PUBLIC LICENSE", "GNU Lesser General Public License"},
	{"GNU LIBRARY GENERAL PUBLIC LICENSE", "GNU Library General Public License"}, {"GNU GENERAL PUBLIC LICENSE", "GNU General Public License"},
	{"Mozilla Public License", "Mozilla Public License"}, {"Eclipse Public License", "Eclipse Public License"}, {"Apache License", "Apache License"},
	{"ISC License", "ISC License"}, {"Boost Software License", "Boost Software License"}, {"This is free and unencumbered software", "Unlicense (public domain)"},
	{"The MIT License", "MIT License"}, {"MIT License", "MIT License"}, {"Permission is hereby granted, free of charge", "MIT License"},
	{"Permission to use, copy, modify, and/or distribute", "ISC License"}, {"Neither the name", "BSD 3-Clause License"},
	{"Redistribution and use in source and binary forms", "BSD 2-Clause License"}, {"zlib", "zlib License"}, {"Python Software Foundation License", "Python Software Foundation License"},
}

var (
	licenseVersion = lazyregexp.New(`(?i)version\s+(\d[\d.]*)`)
	licenseLine    = lazyregexp.New(`(?i)^\s*"?licen[cs]e"?\s*[:=]\s*.*\w`)
)

func (w facts) license(ctx context.Context, d *builder) (bool, error) {
	files := w.atRoot(func(base string) bool {
		base = strings.ToUpper(base)
		return slices.ContainsFunc([]string{"LICENSE", "LICENCE", "COPYING", "UNLICENSE"}, func(name string) bool { return strings.HasPrefix(base, name) })
	})
	for _, f := range files {
		words := strings.Join(strings.Fields(evidence.FullText(w.Library, f)), " ")
		p, ok := w.Library.File(ctx, f.Path)
		if !ok {
			continue
		}
		known := false
		for _, l := range licenses {
			if at := strings.Index(strings.ToUpper(words), strings.ToUpper(l.words)); at >= 0 && (at < 600 || l.words == "Neither the name") {
				name := l.name
				if m := licenseVersion.FindStringSubmatch(words[at:min(len(words), at+len(l.words)+40)]); m != nil && !strings.HasPrefix(name, "MIT") && !strings.HasPrefix(name, "BSD") {
					name += ", version " + strings.TrimSuffix(m[1], ".")
				}
				d.say("%s has the text of the %s %s.", code(f.Path), name, d.cite(p))
				known = true
				break
			}
		}
		if !known {
			d.say("%s begins: %s %s.", code(f.Path), quote(words), d.cite(p))
		}
	}
	shown := len(d.blocks) > 0
	more, err := w.linesOf(ctx, d, licenseLine, 3)
	if len(more) > 0 {
		d.say("The description of the package says:")
		d.list(more)
	}
	return shown || len(more) > 0, err
}

// manifests describe packages of some languages.
func isManifest(base string) bool {
	return slices.Contains([]string{
		"go.mod", "package.json", "pyproject.toml", "setup.py", "setup.cfg", "cargo.toml", "gemfile", "pom.xml", "build.gradle", "build.gradle.kts",
		"composer.json", "cmakelists.txt", "configure.ac", "mix.exs", "pubspec.yaml", "meson.build", "dune-project", "build.zig.zon", "description", "tox.ini", ".nvmrc", "version", "version.txt",
	}, strings.ToLower(base)) || strings.HasSuffix(base, ".gemspec") || strings.HasSuffix(base, ".cabal") || strings.HasSuffix(base, ".csproj")
}

var (
	versionLines = lazyregexp.New(`(?i)^\s*(?:"?version"?\s*[:=]\s*["']?v?\d|(?:__)?version(?:__)?\s*=\s*["']|AC_INIT\(|project\s*\(.*VERSION\s+\d|<version>\d)`)
	needsLines   = lazyregexp.New(`(?i)^\s*(?:go\s+1\.\d+|toolchain\s+go|"?(?:requires-python|python_requires|rust-version|edition|"?node|npm)"?\s*[:=]|(?:python_requires|requires_python)\s*=|["']Programming Language :: Python :: 3?\.?\d|cmake_minimum_required|AC_PREREQ|required_ruby_version|\S*\.required_ruby_version|<java\.version>|"php"\s*:|sdk:)`)
)

// lines tells the lines of manifests that fit; false when none does.
func (w facts) lines(ctx context.Context, d *builder, format string, fits *lazyregexp.Regexp, limit int) (bool, error) {
	rows, err := w.linesOf(ctx, d, fits, limit)
	if err != nil || len(rows) == 0 {
		return false, err
	}
	var files []string
	for _, p := range d.cited {
		if name := code(p.Path); !slices.Contains(files, name) {
			files = append(files, name)
		}
	}
	d.say(format, and(files))
	d.list(rows)
	return true, nil
}

func (w facts) linesOf(ctx context.Context, d *builder, fits *lazyregexp.Regexp, limit int) ([]string, error) {
	var rows []string
	files := w.atRoot(isManifest)
	if fits == versionLines {
		files = append(files, w.versionFiles()...)
	}
	for _, f := range files {
		for i, line := range strings.Split(evidence.FullText(w.Library, f), "\n") {
			if len(rows) == limit {
				return rows, ctx.Err()
			}
			if !fits.MatchString(line) {
				continue
			}
			l, ok, err := w.Library.LineAt(ctx, f, i)
			if err != nil {
				return nil, err
			}
			if ok {
				rows = append(rows, d.line(l))
			}
		}
	}
	return rows, ctx.Err()
}

// versionFiles are those of code that are named after the version, or begin a package of Python.
func (w facts) versionFiles() []*index.File {
	var out []*index.File
	for f := range w.Library.Snap.Listed() {
		base := path.Base(f.Path)
		stem := strings.Trim(strings.TrimSuffix(base, path.Ext(base)), "_")
		if codebase.IsCodePath(f.Path) && strings.Count(f.Path, "/") <= 2 && (stem == "version" || base == "__init__.py") {
			out = append(out, f)
		}
	}
	slices.SortFunc(out, func(a, b *index.File) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// lists are where manifests begin to list dependencies, and where such a list ends.
var lists = []struct{ begins, ends *lazyregexp.Regexp }{
	{lazyregexp.New(`^require\s*\(`), lazyregexp.New(`^\)`)},
	{lazyregexp.New(`^\s*"(?:peerD|d)ependencies"\s*:`), lazyregexp.New(`^\s*\}`)},
	{lazyregexp.New(`^\[(?:workspace\.|project\.|tool\.poetry\.)?dependencies\]`), lazyregexp.New(`^\[`)},
	{lazyregexp.New(`^\s*(?:dependencies|install_requires)\s*=`), lazyregexp.New(`^\s*\]|^\S`)},
}

func (w facts) dependencies(ctx context.Context, d *builder) (bool, error) {
	files := w.atRoot(func(base string) bool { return isManifest(base) || base == "requirements.txt" })
	for _, f := range files {
		var rows []string
		var end *lazyregexp.Regexp
		first := 0
		for i, line := range strings.Split(evidence.FullText(w.Library, f), "\n") {
			trimmed := strings.TrimSpace(line)
			switch {
			case f.Path == "requirements.txt":
				if trimmed != "" && !strings.HasPrefix(trimmed, "#") && !strings.HasPrefix(trimmed, "-") {
					rows = append(rows, code(trimmed))
				}
			case end != nil && end.MatchString(line):
				end = nil
			case end != nil && trimmed != "" && !isComment(line) && !strings.HasPrefix(trimmed, "#") && !strings.Contains(line, "// indirect"):
				rows = append(rows, code(strings.Trim(trimmed, `",'`)))
			case end == nil:
				for _, l := range lists {
					if l.begins.MatchString(line) {
						end, first = l.ends, i
						break
					}
				}
			}
		}
		if len(rows) == 0 {
			continue
		}
		l, ok, err := w.Library.LineAt(ctx, f, first)
		if err != nil {
			return false, err
		}
		if ok {
			d.say("%s lists what it depends on %s:", code(f.Path), d.cite(l.Citation))
			d.list(withRest(rows[:min(maxOutline, len(rows))], len(rows)))
		}
	}
	if len(d.blocks) > 0 {
		return true, ctx.Err()
	}
	return w.howTo(ctx, d, "dependencies")
}

// startsTests are commands that run tests.
var startsTests = lazyregexp.New(`\b(?:py\.?test|tox|nox|unittest|go\s+test|cargo\s+(?:test|nextest|t)|(?:npm|yarn|pnpm|bun)\s+(?:run\s+)?test|(?:make|just|task|ninja|meson|bazel|dotnet|mix|swift|sbt|zig\s+build|composer|hatch|invoke|rake)\s+\S*(?:test|check)|ctest|mvnw?|gradlew?|rspec|phpunit|prove|jest|vitest|mocha|bats|busted)\b`)

// aboutRunning are the sections that say how tests are run, those that say so in their headings first: others tell users of a
// library how to test their own programs.
func aboutRunning(found []evidence.Section) []evidence.Section {
	found = slices.DeleteFunc(found, func(s evidence.Section) bool { return !startsTests.MatchString(s.Text) })
	rank := func(s evidence.Section) int {
		if title := evidence.Stems(s.Title); title[text.Stem("run")] {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(found, func(a, b evidence.Section) int { return rank(a) - rank(b) })
	return found
}

// howTo tells how something is done with the project: by the section of its documents about it, and by the targets and
// scripts of that name.
func (w facts) howTo(ctx context.Context, d *builder, deed string) (bool, error) {
	words := question.Chores[deed]
	if len(words) == 0 {
		return false, nil
	}
	var stems []string
	for _, word := range words {
		stems = append(stems, text.Stem(word))
	}
	shown := false
	found := evidence.About(w.Library, stems...)
	if deed == "test" {
		found = aboutRunning(found)
	}
	if len(found) > 0 {
		shown = w.showSection(ctx, d, found[0])
		var more []string
		for _, s := range found[1:] {
			if s.File == found[0].File && s.Title == found[0].Title {
				continue
			}
			if at := code(s.File.Path) + ": " + quote(s.Title); !slices.Contains(more, at) && len(more) < 4 {
				more = append(more, at)
			}
		}
		if shown && len(more) > 0 {
			d.say("Other sections:")
			d.list(more)
		}
	}
	target := regexp.MustCompile(`^(?:\s*"` + regexp.QuoteMeta(deed) + `[\w:-]*"\s*:\s*"|` + regexp.QuoteMeta(deed) + `[\w-]*\s*:(?:[^=]|$))`)
	var rows []string
	for _, f := range w.atRoot(func(base string) bool {
		return slices.Contains([]string{"Makefile", "package.json", "justfile", "Taskfile.yml"}, path.Base(base))
	}) {
		for i, line := range strings.Split(evidence.FullText(w.Library, f), "\n") {
			if len(rows) == 6 || !target.MatchString(line) {
				continue
			}
			l, ok, err := w.Library.LineAt(ctx, f, i)
			if err != nil {
				return false, err
			}
			if ok {
				rows = append(rows, d.line(l))
			}
		}
	}
	if len(rows) > 0 {
		d.say("Targets and scripts of this name:")
		d.list(rows)
	}
	return shown || len(rows) > 0, ctx.Err()
}
