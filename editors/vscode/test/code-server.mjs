// Starts the real VS Code (code-server) for a test: a free port of 127.0.0.1, a home, settings and extensions of its own.
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';

const USER_SETTINGS = {
  'workbench.startupEditor': 'none', 'telemetry.telemetryLevel': 'off', 'security.workspace.trust.enabled': false,
  'extensions.autoUpdate': false, 'extensions.autoCheckUpdates': false, 'extensions.ignoreRecommendations': true,
  'workbench.enableExperiments': false, 'workbench.tips.enabled': false, 'update.showReleaseNotes': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden', 'chat.disableAIFeatures': true, 'files.autoSave': 'off',
  'git.enabled': false, 'editor.minimap.enabled': false, 'window.autoDetectColorScheme': true,
  'workbench.preferredDarkColorTheme': 'Default Dark Modern', 'workbench.preferredLightColorTheme': 'Default Light Modern',
  'editor.hover.delay': 100, 'window.commandCenter': false, 'workbench.layoutControl.enabled': false,
  'editor.fontFamily': 'DejaVu Sans Mono, monospace',
};
const START_MS = 60_000;
const STOP_MS = 5000;

/** Environment variables of a test: nothing of the machine's own AURORA or VS Code gets in. */
function environment(state, extra) {
  const own = Object.entries(process.env).filter(([name]) => !/^(AURORA_HOME|AURORA_INDEX_|VSCODE_|XDG_)/.test(name));
  return {
    ...Object.fromEntries(own), HOME: path.join(state, 'home'), TMPDIR: path.join(state, 'tmp'),
    EXTENSIONS_GALLERY: '{"serviceUrl":"","itemUrl":"","resourceUrlTemplate":""}', ...extra,
  };
}

function writeSettings(state, machine) {
  for (const folder of ['home', 'tmp', 'data/User', 'data/Machine']) fs.mkdirSync(path.join(state, folder), { recursive: true });
  fs.writeFileSync(path.join(state, 'config.yaml'), 'auth: none\n');
  fs.writeFileSync(path.join(state, 'data/User/settings.json'), JSON.stringify(USER_SETTINGS));
  fs.writeFileSync(path.join(state, 'data/Machine/settings.json'), JSON.stringify(machine));
}

/** Rejects when the time is over. */
export function within(ms, what, promise) {
  let timer;
  const late = new Promise((_, reject) => { timer = setTimeout(() => reject(new Error(`${what}: not within ${ms / 1000} s`)), ms); });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** The address that the server writes when it listens. */
function address(server, log) {
  return new Promise((resolve, reject) => {
    for (const stream of [server.stdout, server.stderr]) {
      readline.createInterface({ input: stream }).on('line', (line) => {
        fs.appendFileSync(log, `${line}\n`);
        const url = /listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(line)?.[1];
        if (url) resolve(url);
      });
    }
    server.once('error', reject);
    server.once('close', (code) => reject(new Error(`the server ended with status ${code}, see ${log}`)));
  });
}

/**
 * @param {{program: string, state: string, packages: string[], machine: object, env?: object}} setup state is a new folder with
 *   a short path (it holds a socket); machine are the machine's settings
 * @returns {Promise<{url: string, stop: () => Promise<void>}>}
 */
export async function startCodeServer({ program, state, packages, machine, env }) {
  writeSettings(state, machine);
  const common = [
    '--config', path.join(state, 'config.yaml'), '--user-data-dir', path.join(state, 'data'), '--extensions-dir', path.join(state, 'extensions'),
    '--disable-telemetry', '--disable-update-check',
  ];
  const options = { env: environment(state, env) };
  execFileSync(program, [...common, '--force', ...packages.flatMap((vsix) => ['--install-extension', vsix])], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const server = spawn(program, [...common, '--auth', 'none', '--bind-addr', '127.0.0.1:0', '--disable-workspace-trust', '--disable-getting-started-override'],
    { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = new Promise((resolve) => server.once('close', resolve));
  const stop = async () => {
    server.kill();
    const timer = setTimeout(() => server.kill('SIGKILL'), STOP_MS);
    await closed;
    clearTimeout(timer);
  };
  try {
    return { url: await within(START_MS, 'the start of VS Code', address(server, path.join(state, 'server.log'))), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
