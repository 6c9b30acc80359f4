#!/usr/bin/env bash
# Packs the npm package of MCP clients for a release: it has the checksums of the archives that it may fetch.
#   scripts/release/npm.sh VERSION bin/release/checksums.txt FOLDER      # FOLDER/aurora-sidecar-VERSION.tgz
set -euo pipefail
cd "$(dirname "$0")/../.."

version=${1:?a version} sums=$(realpath "${2:?checksums.txt}") folder=$(realpath "${3:?a folder}")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cp editors/npm/*.mjs editors/npm/package.json editors/npm/README.md LICENSE "$tmp"
SUMS=$sums VERSION=$version node --input-type=module - "$tmp" <<'NODE'
import { readFileSync, writeFileSync } from 'node:fs';
const [folder] = process.argv.slice(2);
const { SUMS, VERSION } = process.env;
const manifest = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
delete manifest.scripts;
writeFileSync(`${folder}/package.json`, JSON.stringify({ ...manifest, version: VERSION }, null, 2) + '\n');
const archives = readFileSync(SUMS, 'utf8').trim().split('\n').map((line) => line.split(/ +/)).filter(([, file]) => file.startsWith(`aurora_${VERSION}_`) && /_(amd64|arm64)\.(tar\.gz|zip)$/.test(file));
if (archives.length === 0) throw new Error(`${SUMS} has no archive of ${VERSION}`);
writeFileSync(`${folder}/checksums.json`, JSON.stringify(Object.fromEntries(archives.map(([sum, file]) => [file, sum])), null, 2) + '\n');
NODE
cd "$tmp"
npm pack --silent --ignore-scripts --pack-destination "$folder" >/dev/null
echo "npm package: $folder/aurora-sidecar-$version.tgz"
