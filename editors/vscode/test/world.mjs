// The world of a test: a project under git, the program behind the protocol checker, programs that misbehave.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export const extension = path.resolve(import.meta.dirname, '..');
export const repository = path.resolve(extension, '../..');
const aurora = path.resolve(process.env.AURORA_BIN || path.join(repository, 'bin/aurora'));
const checker = path.join(repository, 'testdata/editors/lsp-check/lsp-check.mjs');

function script(file, text, mode = 0o755) {
  fs.writeFileSync(file, text, { mode });
  return file;
}

/** Runs git in a project. */
function runGit(project, ...args) {
  execFileSync('git', ['-c', 'commit.gpgsign=false', ...args], { cwd: project, env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' } });
}

function makeProject(project) {
  fs.cpSync(path.join(repository, 'testdata/project'), project, { recursive: true });
  const git = (...args) => runGit(project, ...args);
  git('init', '-q');
  git('config', 'user.name', 'A. Tester');
  git('config', 'user.email', 'tester@example.com');
  git('add', '-A');
  git('commit', '-qm', 'Open the shop');
}

/** A model that answers by rule, and first by the steps of a file, and where. */
function startModel(script) {
  const model = spawn(aurora, ['dev', 'llm', '--listen', '127.0.0.1:0', ...(script ? ['--script', script] : [])], { stdio: ['ignore', 'pipe', 'pipe'] });
  const stop = () => model.kill();
  return new Promise((resolve, reject) => {
    let said = '';
    const listen = (text) => {
      said += text;
      const url = /http:\/\/127\.0\.0\.1:\d+\/v1/.exec(said)?.[0];
      if (url) resolve({ url, stop });
    };
    model.stdout.setEncoding('utf8').on('data', listen);
    model.stderr.setEncoding('utf8').on('data', listen);
    model.once('error', reject);
    model.once('close', (code) => reject(new Error(`the scripted model ended with status ${code}: ${said}`)));
  });
}

/**
 * @param lends whether the editor may have a model of its own, of the extension in test/lender
 * @returns a world in a new folder; remove() ends what runs in it and deletes it.
 */
export function makeWorld(lends = false) {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'aur-'));
  const project = path.join(root, 'orchard');
  makeProject(project);
  const programs = path.join(root, 'bin');
  fs.mkdirSync(programs);
  const findings = path.join(root, 'findings.jsonl');
  const node = process.execPath;
  const server = script(path.join(programs, 'aurora'), `#!/bin/sh
[ "$1" = serve ] || exec '${aurora}' "$@"
exec '${node}' '${checker}' --log '${findings}' -- '${aurora}' "$@"
`);
  const scripted = path.join(extension, 'test/servers/scripted.mjs');
  for (const mode of ['crash', 'hang', 'stranger', 'newer', 'hostile']) {
    script(path.join(programs, `aurora-${mode}`), `#!/bin/sh\nexec '${node}' '${scripted}' ${mode}\n`);
  }
  script(path.join(programs, 'aurora-plain'), '#!/bin/sh\n', 0o644);
  script(path.join(programs, 'aurora-garbage'), Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 3]));
  const chat = path.join(root, 'model.json');
  const env = { AURORA_TEST_SERVER: server, AURORA_TEST_MODEL: chat, AURORA_TEST_SCRIPTED: path.join(programs, 'scripted'), AURORA_TEST_COUNTS: path.join(root, 'counts.json') };
  const sidecars = () => fs.readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(findings);
    } catch {
      return false; // it has just ended
    }
  }).map(Number);
  return {
    root, project, programs, server, env, lends,
    /** Where it stands what model the editor has, when it may have one. */
    chat,
    state: path.join(root, 'state'),
    /** What the checker found about the server, as lines of JSON. */
    findings: () => (fs.existsSync(findings) ? fs.readFileSync(findings, 'utf8').split('\n').filter((line) => /"who":"(server|checker)"/.test(line)) : []),
    /** The processes that the extension has started and that run. */
    sidecars,
    /** A variable of the environment that the extension gave to the process it started last. */
    given: (name) => {
      const pid = sidecars().pop();
      const all = pid ? fs.readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0') : [];
      return all.find((entry) => entry.startsWith(`${name}=`))?.slice(name.length + 1);
    },
    /** How many processes serve the windows on the project. */
    daemons: () => {
      const list = spawnSync(aurora, ['daemon', 'list', '--json'], { encoding: 'utf8', env: { ...process.env, HOME: path.join(root, 'state/home') } });
      return JSON.parse(list.stdout).filter((daemon) => daemon.root === project).length;
    },
    git: (...args) => runGit(project, ...args),
    /** Remembers something by the command line, about a place such as basket.go:26. */
    remember: (text, source) => execFileSync(aurora, ['remember', text, '--source', source], { cwd: project, env: { ...process.env, HOME: path.join(root, 'state/home') } }),
    /** What the extension has logged in the window opened last. */
    log: () => {
      const folder = path.join(root, 'state/data/logs');
      const all = fs.existsSync(folder) ? fs.readdirSync(folder, { recursive: true }) : [];
      const logs = all.filter((file) => path.basename(file) === 'AURORA.log').map((file) => path.join(folder, file));
      const latest = logs.sort((a, b) => fs.statSync(a).mtimeMs - fs.statSync(b).mtimeMs).pop();
      return latest ? fs.readFileSync(latest, 'utf8').trimEnd().split('\n') : ['the extension has logged nothing'];
    },
    /** Writes the machine's settings, which VS Code takes over by itself. */
    configure: (machine) => fs.writeFileSync(path.join(root, 'state/data/Machine/settings.json'), JSON.stringify(machine)),
    /** Writes the user's settings of the sidecar, which count from its next start on. */
    userSettings: (settings) => {
      const file = path.join(root, 'state/home/.aurora/config.json');
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, JSON.stringify(settings));
    },
    /** Starts a scripted model on this machine, which replies by the steps before it does by rule. */
    model: (steps) => {
      if (!steps) return startModel();
      const script = path.join(root, 'steps.json');
      fs.writeFileSync(script, JSON.stringify(steps));
      return startModel(script);
    },
    counts: () => JSON.parse(fs.readFileSync(env.AURORA_TEST_COUNTS, 'utf8')),
    remove: () => {
      spawnSync(aurora, ['daemon', 'stop', '--all'], { env: { ...process.env, HOME: path.join(root, 'state/home') } });
      fs.rmSync(root, { recursive: true, force: true });
    },
  };
}
