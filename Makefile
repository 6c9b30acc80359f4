# AURORA. `make help` lists what there is to do.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

GO ?= go
PREFIX ?= $(HOME)/.local
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS := -s -w -funcalign=16 -X github.com/aurora-sidecar/aurora/internal/cli/app.version=$(VERSION)
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
export AURORA_BIN ?= $(CURDIR)/bin/aurora

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## build bin/aurora and its short name bin/aur (the C grammars compile once, about two minutes)
	@mkdir -p bin
	$(GO) build -ldflags '$(LDFLAGS)' -o bin/aurora ./cmd/aurora
	@ln -sf aurora bin/aur

demo: build ## index this repository, search it, and open headless Neovim on it
	@bash scripts/demo.sh

test: deps lint site test-go test-race test-soak test-editors test-vscode ## everything: lint, all Go tests, the race detector, a soak test, Neovim and VS Code for real, the protocol checker
	@bash scripts/summary.sh

# Twice as many packages at a time as there are processors, since some tests wait for other programs.
test-fast: ## the Go tests without the race detector and without the slow ones; a minute and a half on two cores, and less with cached results
	$(GO) test -short -vet=off -ldflags='-s -w' -p $$((2 * $$(getconf _NPROCESSORS_ONLN))) ./...
	cd tools && $(GO) test -short -vet=off -ldflags='-s -w' ./...

test-go: build ## all Go tests, the slow ones, too
	@mkdir -p bin
	($(GO) test -vet=off -timeout 15m ./... && cd tools && $(GO) test -vet=off -timeout 15m ./...) 2>&1 | tee bin/test-go.log

test-race: ## Go tests with the race detector, without those that only repeat what the others do, or test the built program
	@mkdir -p bin
	$(GO) test -race -short -vet=off -timeout 10m ./... 2>&1 | tee bin/test-race.log

test-soak: build ## a minute of edits, then three of two editors and an agent, after which nothing may have grown
	@mkdir -p bin
	$(GO) test ./index -count=1 -timeout 10m -v -run "TestSoak|TestManyTinyFiles|TestBranchSwitch" -soak 1m -large 2>&1 | tee bin/test-soak.log
	cd tools && $(GO) test ./soak -count=1 -timeout 10m -v -soak 3m 2>&1 | tee -a ../bin/test-soak.log

test-locks: ## tests of concurrent editors with locks that watch the order in which they are taken
	@bash scripts/test-locks.sh ./lsp ./lsp/server ./lsp/daemon -short

replay: build ## replay what an audit of robustness once broke, and faults of the machine, against bin/aurora; one line for each
	@bash scripts/replay-findings.sh

test-editors: build ## Neovim 0.7, 0.10, 0.11 and a current one, Helix, Emacs, Vim, two clients of others, through the protocol checker
	@mkdir -p bin
	@bash scripts/test-editors.sh 2>&1 | tee bin/test-editors.log

test-vscode: build ## the VS Code extension: its code, and the package in an old and a current VS Code
	@mkdir -p bin
	@bash scripts/install-test-deps.sh
	@bash scripts/test-vscode.sh 2>&1 | tee bin/test-vscode.log

vsix: ## package the VS Code extension as bin/aurora.vsix; with TARGET=linux-x64 (or another platform), bin/aurora inside
	@bash scripts/install-vscode-packages.sh
	@node editors/vscode/scripts/package.mjs bin/aurora$(if $(TARGET),-$(TARGET)).vsix $(if $(TARGET),$(AURORA_BIN) $(TARGET))

screenshots: build ## the pictures of docs/editors.md, taken by the tests
	@bash scripts/screenshots.sh

site: ## the documentation as a site with search, in bin/site; fails on links that lead nowhere
	@bash scripts/site.sh

bench: build ## the table of docs/performance.md: lines/s, p50/p95, resident memory
	@bash scripts/bench.sh

ROUNDS ?= 100
test-equal: ## ROUNDS=100 rounds of random work on a project; after each the index must equal a fresh one
	@mkdir -p bin
	$(GO) test ./index -count=1 -timeout 0 -v -run TestFollowedEqualsFresh -equal-rounds $(ROUNDS) 2>&1 | tee bin/test-equal.log

fuzz: ## all fuzz targets by turns, for FOR=10m in all
	@bash scripts/fuzz.sh

PACKAGE ?= engine/search/rank
mutants: ## change PACKAGE=engine/search/rank in 40 places, one at a time, and list the changes that its tests don't notice
	@mkdir -p bin
	cd tools && $(GO) build -o ../bin/aurora-mutants ./cmd/aurora-mutants
	bin/aurora-mutants $(PACKAGE)

NAMES ?= $(EVAL_REPOS)
eval-names: ## search for names that Universal Ctags draws from the checkouts in NAMES
	@mkdir -p bin
	cd tools && $(GO) build -o ../bin/aurora-eval ./cmd/aurora-eval
	bin/aurora-eval names --repos '$(NAMES)'

eval-outline: ## compare what is found in the files of the checkouts in NAMES with what Universal Ctags lists, worst language first
	@mkdir -p bin
	cd tools && $(GO) build -o ../bin/aurora-eval ./cmd/aurora-eval
	bin/aurora-eval outline --repos '$(NAMES)'

EVAL_DATA ?= ../shared/eval
EVAL_REPOS ?= $(HOME)/.cache/aurora-eval
eval: ## score search beside SQLite's FTS5, and contexts: the committed query sets, and the public ones of EVAL_DATA over the checkouts in EVAL_REPOS
	@mkdir -p bin
	cd tools && $(GO) build -o ../bin/aurora-eval ./cmd/aurora-eval
	@bash scripts/eval.sh '$(EVAL_DATA)' '$(EVAL_REPOS)'

HOVER_PROJECT ?= .
HOVER_LANGUAGE ?= go
HOVER_SERVER ?= gopls
eval-hover: ## compare the definitions that hovers show in HOVER_PROJECT with those of the language server HOVER_SERVER
	cd tools && $(GO) build -o ../bin/aurora-eval ./cmd/aurora-eval
	bin/aurora-eval hover --project '$(HOVER_PROJECT)' --language $(HOVER_LANGUAGE) --server '$(HOVER_SERVER)'

EVAL_TOOLS ?= $(HOME)/.cache/aurora-eval-tools
EVAL_GRAPH ?= go:. javascript:editors/vscode
eval-graph: ## compare callers with tools that know the types; EVAL_GRAPH="go:DIR javascript:DIR python:DIR c:DIR php:DIR jvm:DIR rust:DIR" says where
	@mkdir -p bin
	cd tools && $(GO) build -o ../bin/aurora-eval ./cmd/aurora-eval
	@for of in $(EVAL_GRAPH); do bin/aurora-eval graph --tools '$(EVAL_TOOLS)' --family "$${of%%:*}" "$${of#*:}" || [ $$? = 3 ] || exit 1; done

lint: ## gofmt, the words and imports of the house, go vet, staticcheck; luacheck where it is installed
	@out=$$(gofmt -l $$(git ls-files '*.go' ':!testdata')); [ -z "$$out" ] || { echo "gofmt would change:"; echo "$$out"; exit 1; }
	$(GO) test -vet=off ./internal/arch
	$(GO) vet ./...
	cd tools && $(GO) vet ./...
	$(GO) run $(STATICCHECK) ./...
	cd tools && $(GO) run $(STATICCHECK) ./...
	@bash scripts/lint-editors.sh

generate: ## what is generated: the secret rules of gitleaks, the documentation of the protocol and the settings, the VS Code extension's part, Neovim's help
	cd tools && $(GO) run ./cmd/aurora-secretrules ../internal/scrub/gitleaks.json
	$(GO) generate ./...
	@node editors/vscode/scripts/generate.mjs
	@if command -v nvim >/dev/null; then nvim --clean --headless -u NONE -c 'luafile editors/nvim/scripts/doc.lua'; else echo "no nvim: editors/nvim/doc/aurora.txt is left as it is"; fi

man: build ## the manual pages of all commands, in bin/man
	@bin/aurora man --dir bin/man

install: build ## install aurora, aur, manual pages and completions below $(PREFIX), under $(DESTDIR) when it is set
	@bash scripts/install.sh bin/aurora '$(DESTDIR)$(PREFIX)'
	@echo "installed $(PREFIX)/bin/aurora; to remove it: aurora uninstall"

audit: ## known vulnerabilities of what the program and the extension are built from (asks vuln.go.dev and the npm registry)
	@bash scripts/audit.sh

test-reproducible: ## two builds in two folders with two caches give the same bytes (takes minutes)
	@bash scripts/release/reproducible.sh

test-install: ## go install of the last commit, as a module proxy would serve it
	@bash scripts/test-go-install.sh

release-dry: ## build a release into bin/release without publishing it, and check it; ONLY="linux_amd64 windows_amd64" for some
	@bash scripts/release/run.sh --dry $(ONLY)

release: ## in CI, on a tag: build a release and make a draft of it on GitHub
	@bash scripts/release/run.sh --publish

deps: ## install what the tests need (as root through apt, else say what to install)
	@bash scripts/install-test-deps.sh

clean: ## remove what make made
	rm -rf bin .editors .release testdata/editors/lsp-check/node_modules editors/vscode/node_modules editors/vscode/dist

.PHONY: help build demo test test-fast test-go test-race test-soak test-locks replay test-equal test-editors test-vscode vsix screenshots site bench fuzz eval eval-names eval-outline eval-graph eval-hover \
	lint generate man install test-install release-dry release deps clean
