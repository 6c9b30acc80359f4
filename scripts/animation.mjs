// Makes the animation of README.md: types commands into a real terminal (tmux), as people do, and draws what it shows as an SVG
// that moves by CSS alone. Fails when a command does not show what it is there for.
//   node scripts/animation.mjs OUTPUT      # AURORA_BIN names the program; needs tmux and git
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const [output] = process.argv.slice(2);
const program = process.env.AURORA_BIN;
if (!output || !program) {
  console.error('usage: AURORA_BIN=bin/aurora node scripts/animation.mjs OUTPUT');
  process.exit(2);
}

const COLUMNS = 94;
const ROWS = 21;
const PROMPT = '$ ';
const LIMIT_MS = 60_000;

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
const socket = path.join(root, 's');
const tmux = (...args) => execFileSync('tmux', ['-S', socket, ...args], { encoding: 'utf8' });
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
  tmux('-f', '/dev/null', 'new-session', '-d', '-x', String(COLUMNS), '-y', String(ROWS), '-c', project, 'env', '-i', ...variables, 'bash', '--norc', '--noprofile');
}

const screen = () => tmux('capture-pane', '-e', '-p').split('\n').slice(0, ROWS);
const plain = (line) => line.replace(/\x1b\[[\d;]*m/g, '');
const pause = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

function until(what, holds) {
  for (const deadline = Date.now() + LIMIT_MS; ; pause(20)) {
    const lines = screen();
    if (holds(lines.map(plain))) return lines;
    if (Date.now() > deadline) throw new Error(`never saw ${what}:\n${lines.join('\n')}`);
  }
}

/** The last line that is not empty is a prompt that waits. */
const waits = (lines) => (lines.filter((line) => line.trim() !== '').pop() ?? '').trimEnd() === PROMPT.trim();

function play({ type, see, stay }) {
  tmux('send-keys', 'C-l');
  frames.push({ lines: until('an empty screen', (lines) => waits(lines) && lines.filter((line) => line.trim() !== '').length === 1), seconds: 0.4 });
  for (let typed = ''; typed !== type; ) {
    const next = type.slice(typed.length, typed.length + 3);
    typed += next;
    tmux('send-keys', '-l', '--', next);
    frames.push({ lines: until(typed, (lines) => lines.join('').replaceAll(' ', '').includes(typed.replaceAll(' ', ''))), seconds: 0.09 });
  }
  tmux('send-keys', 'Enter');
  const lines = until(see ?? 'the prompt', (shown) => waits(shown) && shown.filter((line) => line.startsWith(PROMPT.trim())).length > 1 && (!see || shown.slice(1).some((line) => line.includes(see))));
  frames.push({ lines, seconds: stay });
}

const COLOURS = ['#6e7681', '#ff7b72', '#7ee787', '#e3b341', '#79c0ff', '#d2a8ff', '#56d4dd', '#e6edf3'];
const escape = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');

/** One line with its colours as spans of SVG. */
function drawn(line) {
  let style = {};
  let html = '';
  for (const part of line.split(/(\x1b\[[\d;]*m)/)) {
    const codes = /^\x1b\[([\d;]*)m$/.exec(part)?.[1];
    if (codes === undefined) {
      if (part === '') continue;
      const attributes = [style.colour && ` fill="${style.colour}"`, style.bold && ' font-weight="700"', style.dim && ' fill-opacity=".6"'].filter(Boolean).join('');
      html += attributes ? `<tspan${attributes}>${escape(part)}</tspan>` : escape(part);
      continue;
    }
    for (const code of (codes || '0').split(';').map(Number)) {
      if (code === 0) style = {};
      else if (code === 1) style.bold = true;
      else if (code === 2) style.dim = true;
      else if (code === 22) style.bold = style.dim = false;
      else if (code === 39) delete style.colour;
      else if (code >= 30 && code < 38) style.colour = COLOURS[code - 30];
      else if (code >= 90 && code < 98) style.colour = COLOURS[code - 90];
    }
  }
  return html.trimEnd();
}

function svg() {
  const [width, height, size, step] = [COLUMNS * 8.43 + 32, ROWS * 19 + 52, 14, 19];
  const total = frames.reduce((sum, { seconds }) => sum + seconds, 0);
  const known = new Map();
  const use = (line, row) => {
    const html = drawn(line);
    if (html === '') return '';
    if (!known.has(html)) known.set(html, `l${known.size}`);
    return `<use href="#${known.get(html)}" y="${row * step}"/>`;
  };
  let at = 0;
  const shown = frames.map(({ lines, seconds }, i) => {
    const [from, to] = [at, at + seconds].map((time) => ((100 * time) / total).toFixed(3));
    at += seconds;
    const steps = i === 0 ? `0%{opacity:1}${to}%,100%{opacity:0}` : i === frames.length - 1 ? `0%{opacity:0}${from}%,100%{opacity:1}` : `0%{opacity:0}${from}%{opacity:1}${to}%,100%{opacity:0}`;
    return { css: `@keyframes f${i}{${steps}}#f${i}{animation:f${i} ${total.toFixed(2)}s step-end infinite}`, group: `<g id="f${i}" class="f">${lines.map(use).join('')}</g>` };
  });
  const last = frames.length - 1;
  const defs = [...known].map(([html, id]) => `<text id="${id}" xml:space="preserve">${html}</text>`).join('\n');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width.toFixed(0)}" height="${height}" viewBox="0 0 ${width.toFixed(0)} ${height}" role="img" aria-label="aurora in a terminal: search by meaning, callers, a note, and the note again after its code was moved">
<style>
text{font:${size}px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#e6edf3;white-space:pre}
.f{opacity:0}#f${last}{opacity:1}
@media (prefers-reduced-motion:no-preference){${shown.map(({ css }) => css).join('')}}
</style>
<defs>
${defs}
</defs>
<rect width="100%" height="100%" rx="9" fill="#0d1117"/>
<circle cx="20" cy="18" r="5.500" fill="#ff5f56"/><circle cx="39" cy="18" r="5.500" fill="#ffbd2e"/><circle cx="58" cy="18" r="5.500" fill="#27c93f"/>
<g transform="translate(16 52)">
${shown.map(({ group }) => group).join('\n')}
</g>
</svg>
`;
}

try {
  prepare();
  until('the prompt', waits);
  for (const scene of SCENES) play(scene);
  fs.writeFileSync(output, svg());
  console.log(`${output}: ${frames.length} frames, ${fs.statSync(output).size} bytes`);
} finally {
  try {
    tmux('kill-server');
  } catch {
    // it never came up
  }
  fs.rmSync(root, { recursive: true, force: true });
}
