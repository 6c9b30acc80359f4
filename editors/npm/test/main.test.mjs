// The package as npm packs it, with a program of a release that a server on this machine has.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { unpack } from '../unpack.mjs';

const source = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const arch = process.arch === 'x64' ? 'amd64' : process.arch;
const file = `aurora_1.2.3_${process.platform}_${arch}.tar.gz`;
const script = '#!/bin/sh\necho "$@"\ncat\nexit 7\n';
let root, server, downloads, requests, archive;

before(async () => {
  root = mkdtempSync(path.join(tmpdir(), 'aurora-npm-'));
  const folder = path.join(root, 'aurora_1.2.3');
  mkdirSync(path.join(folder, 'a', 'completions'), { recursive: true });
  writeFileSync(path.join(folder, 'a', 'completions', 'aurora'), 'no program\n');
  writeFileSync(path.join(folder, 'README.md'), 'not this aurora\n'.repeat(100));
  writeFileSync(path.join(folder, 'aurora'), script, { mode: 0o755 });
  execFileSync('tar', ['-C', root, '-czf', path.join(root, file), 'aurora_1.2.3']);
  archive = readFileSync(path.join(root, file));
  server = createServer((request, response) => {
    requests.push(request.url);
    if (request.url !== `/v1.2.3/${file}`) response.statusCode = 404;
    response.end(response.statusCode === 404 ? '' : archive);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  downloads = `http://127.0.0.1:${server.address().port}`;
});

after(() => {
  server.close();
  rmSync(root, { recursive: true, force: true });
});

/** A package of version 1.2.3 in a folder of its own, with a cache of its own. */
function install(sums = { [file]: createHash('sha256').update(archive).digest('hex') }) {
  requests = [];
  const at = mkdtempSync(path.join(root, 'package-'));
  for (const name of ['main.mjs', 'program.mjs', 'unpack.mjs']) cpSync(path.join(source, name), path.join(at, name));
  writeFileSync(path.join(at, 'package.json'), '{"version": "1.2.3", "type": "module"}');
  writeFileSync(path.join(at, 'checksums.json'), JSON.stringify(sums));
  return { at, cache: path.join(at, 'cache') };
}

/** Runs the package as npx does. */
function run({ at, cache }, args, env = {}, input = '') {
  const child = spawn(process.execPath, [path.join(at, 'main.mjs'), ...args], { env: { PATH: '/usr/bin:/bin', XDG_CACHE_HOME: cache, AURORA_DOWNLOADS: downloads, ...env } });
  child.stdin.end(input);
  let out = '', err = '';
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (err += chunk));
  return new Promise((resolve) => child.on('close', (code) => resolve({ out, err, code })));
}

test('fetches the program once, and is the MCP server without arguments', async () => {
  const installed = install();
  assert.deepEqual(await run(installed, [], {}, 'hello\n'), { out: 'mcp\nhello\n', err: `aurora-sidecar: fetching ${downloads}/v1.2.3/${file}\n`, code: 7 });
  assert.deepEqual(await run(installed, ['setup', '--client', 'zed']), { out: 'setup --client zed\n', err: '', code: 7 });
  assert.equal(requests.length, 1);
});

test('several that start at the same moment all run', async () => {
  const installed = install();
  for (const { out, code } of await Promise.all([1, 2, 3, 4].map(() => run(installed, ['x'])))) assert.deepEqual([out, code], ['x\n', 7]);
  const [kept] = readdirSync(path.join(installed.cache, 'aurora', 'npm'));
  assert.deepEqual(readdirSync(path.join(installed.cache, 'aurora', 'npm', kept)), ['aurora']);
});

test('nothing runs, and nothing is kept, when the checksum is another one', async () => {
  const installed = install({ [file]: '0'.repeat(64) });
  const { out, err, code } = await run(installed, []);
  assert.equal(out, '');
  assert.match(err, /has the checksum [0-9a-f]{64} and not 0{64}: it was not kept/);
  assert.equal(code, 1);
  assert.equal(existsSync(installed.cache), false);
});

test('says what is missing', async () => {
  assert.match((await run(install({}), [])).err, /no checksum of aurora_1\.2\.3_/);
  assert.match((await run(install(), [], { AURORA_DOWNLOADS: `${downloads}/elsewhere` })).err, /can't be fetched: 404/);
  assert.match((await run(install(), [], { AURORA_DOWNLOADS: 'http://127.0.0.1:1' })).err, /can't be fetched: /);
  assert.match((await run(install(), [], { AURORA_BIN: '/nowhere/aurora' })).err, /AURORA_BIN names \/nowhere\/aurora, which is no program/);
});

test('a program that is installed goes first, the package itself does not', async () => {
  const installed = install();
  const bin = path.join(installed.at, 'elsewhere');
  mkdirSync(bin);
  const own = path.join(installed.at, 'own');
  mkdirSync(own);
  chmodSync(path.join(installed.at, 'main.mjs'), 0o755);
  symlinkSync(path.join(installed.at, 'main.mjs'), path.join(own, 'aurora'));
  assert.equal((await run(installed, ['x'], { PATH: `${own}:/usr/bin:/bin` })).out, 'x\n');
  assert.equal(requests.length, 1);
  const other = mkdtempSync(path.join(root, 'bin-'));
  writeFileSync(path.join(other, 'aurora'), '#!/bin/sh\necho installed "$@"\n', { mode: 0o755 });
  assert.equal((await run(installed, ['x'], { PATH: `${own}:${other}:/usr/bin:/bin` })).out, 'installed x\n');
  assert.equal((await run(installed, ['x'], { AURORA_BIN: path.join(other, 'aurora') })).out, 'installed x\n');
});

test('archives of Windows are read, too', () => {
  const python = 'import sys,zipfile\nwith zipfile.ZipFile(sys.argv[1],"w",zipfile.ZIP_DEFLATED) as z:\n z.writestr("a/README.md","no"*99)\n z.writestr("a/b/aurora.exe","no"*99)\n z.writestr("a/aurora.exe","yes"*99)\n';
  execFileSync('python3', ['-c', python, path.join(root, 'x.zip')]);
  const zip = readFileSync(path.join(root, 'x.zip'));
  assert.equal(unpack(zip, 'aurora.exe').toString(), 'yes'.repeat(99));
  assert.throws(() => unpack(zip, 'aurora'), /has no aurora/);
  assert.throws(() => unpack(archive, 'nobody'), /has no nobody/);
});
