// Finds aurora: the one that AURORA_BIN names, one on PATH, else the release of this package's version, which is fetched once.
import { createHash } from 'node:crypto';
import { accessSync, chmodSync, constants, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { unpack } from './unpack.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const windows = process.platform === 'win32';
const name = windows ? 'aurora.exe' : 'aurora';
const releases = 'https://github.com/aurora-sidecar/aurora/releases/download';

/** The path of the program to run. Rejects with what keeps it from being there. */
export async function program() {
  const named = process.env.AURORA_BIN;
  if (named) {
    if (!isProgram(named)) throw new Error(`AURORA_BIN names ${named}, which is no program`);
    return named;
  }
  return onPath() ?? fetched();
}

function onPath() {
  return (process.env.PATH ?? '')
    .split(path.delimiter)
    .filter((dir) => path.isAbsolute(dir))
    .map((dir) => path.join(dir, name))
    .find((file) => isProgram(file) && !realpathSync(file).startsWith(here + path.sep));
}

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** The archive of this version for this machine, and its checksum. */
function archive() {
  const { version } = JSON.parse(readFileSync(path.join(here, 'package.json'), 'utf8'));
  const os = windows ? 'windows' : process.platform;
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  const file = `aurora_${version}_${os}_${arch}.${windows ? 'zip' : 'tar.gz'}`;
  const sum = JSON.parse(readFileSync(path.join(here, 'checksums.json'), 'utf8'))[file];
  if (!sum) throw new Error(`this package has no checksum of ${file}: there is no program for ${process.platform} on ${process.arch}, or this is no release. Install aurora and put it on PATH.`);
  return { version, file, sum };
}

function cacheFolder() {
  if (process.env.XDG_CACHE_HOME && path.isAbsolute(process.env.XDG_CACHE_HOME)) return path.join(process.env.XDG_CACHE_HOME, 'aurora', 'npm');
  if (windows) return path.join(process.env.LOCALAPPDATA ?? path.join(homedir(), 'AppData', 'Local'), 'aurora', 'npm');
  return path.join(homedir(), process.platform === 'darwin' ? 'Library/Caches' : '.cache', 'aurora', 'npm');
}

/** The program of the release, fetched when it is not there. Several that fetch at once do not disturb each other. */
async function fetched() {
  const { version, file, sum } = archive();
  const folder = path.join(cacheFolder(), `${version}-${sum.slice(0, 16)}`);
  const target = path.join(folder, name);
  if (existsSync(target)) return target;
  const bytes = await download(`${process.env.AURORA_DOWNLOADS ?? releases}/v${version}/${file}`);
  const found = createHash('sha256').update(bytes).digest('hex');
  if (found !== sum) throw new Error(`${file} has the checksum ${found} and not ${sum}: it was not kept, and nothing of it ran`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const temporary = mkdtempSync(path.join(folder, 'new-'));
  try {
    const unpacked = path.join(temporary, name);
    writeFileSync(unpacked, unpack(bytes, name));
    chmodSync(unpacked, 0o755);
    renameSync(unpacked, target);
  } catch (error) {
    if (!existsSync(target)) throw error; // on Windows, another one that runs can't be replaced
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
  return target;
}

async function download(url) {
  process.stderr.write(`aurora-sidecar: fetching ${url}\n`);
  let answer;
  try {
    answer = await fetch(url);
  } catch (error) {
    throw new Error(`${url} can't be fetched: ${error.cause?.message ?? error.message}`);
  }
  if (!answer.ok) throw new Error(`${url} can't be fetched: ${answer.status} ${answer.statusText}`);
  return Buffer.from(await answer.arrayBuffer());
}
