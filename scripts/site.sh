#!/usr/bin/env bash
# Builds the documentation as a site, bin/site, and fails on a page or a link that is not there. mkdocs comes from PyPI into
# .editors/mkdocs; where that can't be had, it says so and does nothing.
set -euo pipefail
cd "$(dirname "$0")/.."

venv=.editors/mkdocs
if [ ! -x "$venv/bin/mkdocs" ]; then
  mkdir -p .editors
  echo '*' >.editors/.gitignore
  if ! { python3 -m venv "$venv" && "$venv/bin/pip" -q --disable-pip-version-check install mkdocs==1.6.1 mkdocs-material==9.6.23; } >.editors/mkdocs.log 2>&1; then
    rm -rf "$venv"
    echo 'skip  mkdocs can not be installed (see .editors/mkdocs.log): the site is not built'
    exit 0
  fi
fi
# --quiet would keep warnings from counting.
if ! "$venv/bin/mkdocs" build --strict >.editors/mkdocs.log 2>&1; then
  grep -E 'WARNING|ERROR|Aborted' .editors/mkdocs.log >&2
  exit 1
fi
echo "ok    bin/site: $(find bin/site -name '*.html' | wc -l) pages"
