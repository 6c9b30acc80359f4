// A real terminal (tmux) that scripts type into, and what it shows drawn as an SVG that moves by CSS alone.
import { execFileSync } from 'node:child_process';

const LIMIT_MS = 60_000;

export const plain = (line) => line.replace(/\x1b\[[\d;]*m/g, '');

const pause = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

export class Terminal {
  /**
   * @param {{socket: string, columns: number, rows: number, folder: string, env: string[], command: string[]}} setup socket is the path of
   *   tmux's; env is the whole environment
   */
  constructor({ socket, columns, rows, folder, env, command }) {
    Object.assign(this, { socket, rows });
    this.tmux('-f', '/dev/null', 'new-session', '-d', '-x', String(columns), '-y', String(rows), '-c', folder, 'env', '-i', ...env, ...command);
  }

  tmux(...args) {
    return execFileSync('tmux', ['-S', this.socket, ...args], { encoding: 'utf8' });
  }

  /** What is on the screen, with its colours. */
  screen() {
    return this.tmux('capture-pane', '-e', '-p').split('\n').slice(0, this.rows);
  }

  keys(...names) {
    this.tmux('send-keys', ...names);
  }

  type(text) {
    this.tmux('send-keys', '-l', '--', text);
  }

  /**
   * Waits until the screen is as it should be, and returns it.
   * @param {string} what what is missing when it never is
   * @param {(lines: string[]) => boolean} holds of the lines without colours
   * @param {() => void} [again] done every three seconds meanwhile
   */
  until(what, holds, again) {
    let next = Date.now() + 3000;
    for (const deadline = Date.now() + LIMIT_MS; ; pause(20)) {
      const lines = this.screen();
      if (holds(lines.map(plain))) return lines;
      if (Date.now() > deadline) throw new Error(`never saw ${what}:\n${lines.join('\n')}`);
      if (again && Date.now() > next) {
        again();
        next = Date.now() + 3000;
      }
    }
  }

  end() {
    try {
      this.tmux('kill-server');
    } catch {
      // it never came up
    }
  }
}

const COLOURS = ['#6e7681', '#ff7b72', '#7ee787', '#e3b341', '#79c0ff', '#d2a8ff', '#56d4dd', '#e6edf3'];
/** One of the 256 colours of terminals. */
function paletteColour(n) {
  if (n === 0) return COLOURS[7]; // black is written on a colour that is not drawn
  if (n < 16) return COLOURS[n % 8];
  if (n >= 232) return `rgb(${Array(3).fill(8 + 10 * (n - 232)).join()})`;
  const level = (i) => (i === 0 ? 0 : 55 + 40 * i);
  return `rgb(${[Math.floor((n - 16) / 36), Math.floor((n - 16) / 6) % 6, (n - 16) % 6].map(level).join()})`;
}

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
    const list = (codes || '0').split(';').map(Number);
    for (let code; (code = list.shift()) !== undefined; ) {
      if (code === 38 || code === 48) { // a colour of 256, or of all; what is behind text is not drawn
        const colour = list.shift() === 5 ? paletteColour(list.shift()) : `rgb(${list.splice(0, 3).join()})`;
        if (code === 38) style.colour = colour;
      } else if (code === 0) style = {};
      else if (code === 1) style.bold = true;
      else if (code === 2) style.dim = true;
      else if (code === 22) style.bold = style.dim = false;
      else if (code === 39) delete style.colour;
      else if (code >= 30 && code < 38) style.colour = paletteColour(code - 30);
      else if (code >= 90 && code < 98) style.colour = COLOURS[code - 90];
    }
  }
  return html.trimEnd();
}

/**
 * Draws frames as an SVG that moves by CSS alone.
 * @param {{lines: string[], seconds: number}[]} frames what a terminal shows, with its colours, and for how long
 * @param {{columns: number, rows: number, label: string}} size
 * @returns {string}
 */
export function svg(frames, { columns, rows, label }) {
  const [width, height, size, step] = [columns * 8.43 + 32, rows * 19 + 52, 14, 19];
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
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width.toFixed(0)}" height="${height}" viewBox="0 0 ${width.toFixed(0)} ${height}" role="img" aria-label="${label}">
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
