// Makes the animation of docs/team.md: two people, each with Neovim on a clone of one repository, and the team's server between them;
// one remembers something, the other one's hover shows it. Fails when it does not.
//   node scripts/animation-team.mjs OUTPUT      # AURORA_BIN names the program; needs tmux, git, Neovim (NVIM names it) and PostgreSQL
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { svg, Terminal } from './lib-animation.mjs';

const [output] = process.argv.slice(2);
const program = process.env.AURORA_BIN && path.resolve(process.env.AURORA_BIN);
if (!output || !program) {
  console.error('usage: AURORA_BIN=bin/aurora node scripts/animation-team.mjs OUTPUT');
  process.exit(2);
}

const COLUMNS = 64; // of each editor
const ROWS = 23;
const LINE = 8; // of the function, one-based
const NOTE = 'Five attempts: the gateway locks an account after six';
const SOURCE = `package net

import "time"

const attempts = 5

// Retry calls f until it succeeds.
func Retry(f func() error) error {
	var err error
	for i := range attempts {
		if err = f(); err == nil {
			return nil
		}
		time.Sleep(time.Second << i)
	}
	return err
}
`;

const repo = path.resolve(import.meta.dirname, '..');
const root = fs.mkdtempSync(path.join(os.tmpdir(), 'aurora-'));
fs.chmodSync(root, 0o755); // PostgreSQL runs as another user when this runs as root
const people = {};
const frames = [];

/** A port that was free a moment ago. */
function freePort() {
  return new Promise((resolve) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Starts what examples/team has; returns the process, the address without its role, and the passwords. */
async function startServer() {
  const port = await freePort();
  const folder = path.join(root, 'team');
  const server = spawn('bash', [path.join(repo, 'examples/team/start.sh'), folder], {
    env: { ...process.env, AURORA: program, PORT: String(port), SEARCH_PORT: String(await freePort()) }, stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve, reject) => {
    let said = '';
    server.stdout.on('data', (text) => { if ((said += text).includes('Ctrl-C ends it.')) resolve(); });
    server.once('close', (code) => reject(new Error(`start.sh ended with status ${code}: ${said}`)));
  });
  const password = (name) => fs.readFileSync(path.join(folder, `${name}.password`), 'utf8').trim();
  return { server, at: `127.0.0.1:${port}/team`, password };
}

/** A clone of the project, and Neovim in it, of one person of the team. */
function makePerson(name, { at, password }, origin) {
  const home = path.join(root, name);
  const project = path.join(home, 'shop');
  fs.mkdirSync(home);
  const env = { HOME: home, PATH: process.env.PATH, LANG: 'C.UTF-8', TERM: 'tmux-256color', GIT_CONFIG_GLOBAL: '/dev/null', AURORA_TEAM_PASSWORD: password(name) };
  execFileSync('git', ['clone', '-q', origin, project], { env });
  execFileSync('git', ['remote', 'set-url', 'origin', 'https://git.example.org/shop.git'], { cwd: project, env });
  execFileSync(program, ['team', 'join', `postgres://${name}@${at}`], { cwd: project, env, stdio: 'pipe' });
  const init = path.join(home, 'init.lua');
  fs.writeFileSync(init, `vim.opt.rtp:prepend(${JSON.stringify(path.join(repo, 'editors/nvim'))})
vim.o.laststatus, vim.o.ruler, vim.o.showcmd, vim.o.wrap, vim.o.tabstop, vim.o.cmdheight, vim.o.linebreak = 0, false, false, false, 4, 2, true
pcall(vim.api.nvim_set_option_value, 'winborder', 'rounded', {})
require('aurora').setup({ cmd = { ${JSON.stringify(program)}, 'serve' } })
vim.cmd('runtime plugin/aurora.lua')
`);
  const terminal = new Terminal({
    socket: path.join(home, 's'), columns: COLUMNS, rows: ROWS, folder: project, env: Object.entries(env).map(([key, value]) => `${key}=${value}`),
    command: [process.env.NVIM || 'nvim', '--clean', '-n', '-u', init, `+${LINE}`, 'net/retry.go'],
  });
  people[name] = terminal;
  terminal.until(`the file of ${name}`, (lines) => lines.some((line) => line.includes('func Retry')));
  terminal.keys('w'); // onto the name
}

const width = (line) => line.replace(/\x1b\[[\d;]*m/g, '').length;

/** What both see now, side by side. */
function show(seconds) {
  const [left, right] = Object.values(people).map((terminal) => terminal.screen());
  const heading = (name) => `\x1b[1m${name}\x1b[0m`;
  const beside = (a, b) => `${a}\x1b[0m${' '.repeat(Math.max(0, COLUMNS - width(a)))} \x1b[2m│\x1b[0m ${b}`;
  const [one, other] = Object.keys(people);
  frames.push({ lines: [beside(heading(one), heading(other)), beside('', ''), ...left.map((line, i) => beside(line, right[i] ?? ''))], seconds });
}

let team;
try {
  team = await startServer();
  const origin = path.join(root, 'origin');
  fs.mkdirSync(path.join(origin, 'net'), { recursive: true });
  fs.writeFileSync(path.join(origin, 'net/retry.go'), SOURCE);
  fs.writeFileSync(path.join(origin, 'go.mod'), 'module example.org/shop\n\ngo 1.22\n');
  const git = (...args) => execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'init.defaultBranch=main', ...args], { cwd: origin });
  git('init', '-q');
  git('add', '-A');
  git('commit', '-q', '-m', 'Retry payments');
  for (const name of ['alice', 'bob']) makePerson(name, team, origin);
  const { alice, bob } = people;

  show(1.5);
  const command = `:Aurora remember ${NOTE}`;
  for (let typed = ''; typed !== command; ) {
    const next = command.slice(typed.length, typed.length + 3);
    typed += next;
    alice.type(next);
    alice.until(typed, (lines) => lines.join('').replaceAll(' ', '').includes(typed.replaceAll(' ', '')));
    show(0.09);
  }
  alice.keys('Enter');
  alice.until('whom the note is for', (lines) => lines.some((line) => line.includes('2: For the team')));
  show(1.2);
  alice.type('2');
  show(0.6);
  alice.keys('Enter');
  alice.until('the note', (lines) => lines.some((line) => line.includes('remembered know')));
  show(2);
  bob.type('K');
  bob.until("bob's hover", (lines) => lines.some((line) => line.includes('by alice')), () => bob.keys('Escape', 'j', 'k', 'K')); // the feed may come a moment later
  show(6);
  fs.writeFileSync(output, svg(frames, { columns: 2 * COLUMNS + 3, rows: ROWS + 2, label: "two people's editors: one remembers a note for the team at a function, the hover of the other one there shows it, by alice" }));
  console.log(`${output}: ${frames.length} frames, ${fs.statSync(output).size} bytes`);
} finally {
  for (const [name, terminal] of Object.entries(people)) {
    terminal.end();
    execFileSync(program, ['daemon', 'stop', '--all'], { env: { ...process.env, HOME: path.join(root, name) }, stdio: 'ignore' });
  }
  team?.server.kill('SIGINT');
  if (team && team.server.exitCode === null) await new Promise((resolve) => team.server.once('close', resolve));
  fs.rmSync(root, { recursive: true, force: true });
}
