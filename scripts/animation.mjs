// Makes the animation of README.md: types commands into a real terminal (tmux), as people do, and draws what it shows as an SVG
// that moves by CSS alone. Fails when a command does not show what it is there for.
//   node scripts/animation.mjs OUTPUT      # AURORA_BIN names the program; needs tmux and git
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { svg, Terminal } from './lib-animation.mjs';

const [output] = process.argv.slice(2);
const program = process.env.AURORA_BIN;
if (!output || !program) {
  console.error('usage: AURORA_BIN=bin/aurora node scripts/animation.mjs OUTPUT');
  process.exit(2);
}

const COLUMNS = 94;
const ROWS = 21;
const PROMPT = '$ ';

const FILES = {
  'go.mod': 'module example.org/shop\n\ngo 1.22\n',
  'net/retry.go': `package net

import "time"

const attempts = 5

// Retry calls f until it succeeds, and waits longer after every failure.
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
`,
  'net/retry_test.go': `package net

import "testing"

func TestRetry(t *testing.T) {
	if err := Retry(func() error { return nil }); err != nil {
		t.Fatal(err)
	}
}
`,
  'pay/pay.go': `package pay

import "example.org/shop/net"

// Pay sends one payment to the gateway.
func Pay(cents int) error {
	return net.Retry(func() error { return send(cents) })
}

func send(cents int) error { return nil }
`,
};

/** What is typed, what must be seen then, and how long it stays, in seconds. */
const SCENES = [
  { type: 'aurora search "wait longer after a failure" --limit 1', see: 'func Retry', stay: 3.5 },
  { type: 'aurora related Retry', see: 'Pay', stay: 3.5 },
  { type: 'aurora remember "Five attempts: the gateway locks an account after six" --source net/retry.go:8', see: 'Remembered', stay: 3 },
  { type: 'git mv net transport && sed -i s/Retry/Again/ transport/*.go', stay: 1.5 },
  { type: 'aurora search "why only five attempts" --limit 1', see: 'the gateway locks an account', stay: 5 },
];

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'aurora-'));
let terminal;
const frames = [];

function prepare() {
  const project = path.join(root, 'shop');
  for (const [name, text] of Object.entries(FILES)) {
    fs.mkdirSync(path.dirname(path.join(project, name)), { recursive: true });
    fs.writeFileSync(path.join(project, name), text);
  }
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  const git = (...args) => execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'init.defaultBranch=main', ...args], { cwd: project, env });
  git('init', '-q');
  git('add', '-A');
  git('commit', '-q', '-m', 'Retry payments');
  fs.mkdirSync(path.join(root, 'bin'));
  fs.symlinkSync(path.resolve(program), path.join(root, 'bin/aurora'));
  const variables = [`HOME=${root}/home`, `PATH=${root}/bin:${process.env.PATH}`, 'LANG=C.UTF-8', 'TERM=tmux-256color', `PS1=${PROMPT}`, 'GIT_CONFIG_GLOBAL=/dev/null'];
  fs.mkdirSync(path.join(root, 'home'));
  terminal = new Terminal({ socket: path.join(root, 's'), columns: COLUMNS, rows: ROWS, folder: project, env: variables, command: ['bash', '--norc', '--noprofile'] });
}

/** The last line that is not empty is a prompt that waits. */
const waits = (lines) => (lines.filter((line) => line.trim() !== '').pop() ?? '').trimEnd() === PROMPT.trim();

function play({ type, see, stay }) {
  terminal.keys('C-l');
  frames.push({ lines: terminal.until('an empty screen', (lines) => waits(lines) && lines.filter((line) => line.trim() !== '').length === 1), seconds: 0.4 });
  for (let typed = ''; typed !== type; ) {
    const next = type.slice(typed.length, typed.length + 3);
    typed += next;
    terminal.type(next);
    frames.push({ lines: terminal.until(typed, (lines) => lines.join('').replaceAll(' ', '').includes(typed.replaceAll(' ', ''))), seconds: 0.09 });
  }
  terminal.keys('Enter');
  const lines = terminal.until(see ?? 'the prompt', (shown) => waits(shown) && shown.filter((line) => line.startsWith(PROMPT.trim())).length > 1 && (!see || shown.slice(1).some((line) => line.includes(see))));
  frames.push({ lines, seconds: stay });
}

try {
  prepare();
  terminal.until('the prompt', waits);
  for (const scene of SCENES) play(scene);
  fs.writeFileSync(output, svg(frames, { columns: COLUMNS, rows: ROWS, label: 'aurora in a terminal: search by meaning, callers, a note, and the note again after its code was moved' }));
  console.log(`${output}: ${frames.length} frames, ${fs.statSync(output).size} bytes`);
} finally {
  terminal?.end();
  fs.rmSync(root, { recursive: true, force: true });
}
