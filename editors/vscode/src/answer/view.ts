// The script of the answer view. It runs in the webview; all it knows comes by message.
import type { FromView, ToView } from './messages';
import type { PhaseRow, SourceRow, TurnView } from './model';

declare function acquireVsCodeApi(): { postMessage(message: FromView): void };

const host = acquireVsCodeApi();

function element<K extends keyof HTMLElementTagNameMap>(tag: K, className: string, text = ''): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

function button(label: string, title: string, act: () => void): HTMLButtonElement {
  const made = element('button', 'action', label);
  made.title = title;
  made.addEventListener('click', act);
  return made;
}

function phase(row: PhaseRow): HTMLElement {
  const line = element('li', `phase ${row.status}`);
  const bar = element('meter', 'share');
  bar.max = 100;
  bar.value = row.percentage;
  const share = row.percentage >= 0.5 ? `${Math.round(row.percentage)}%` : '';
  const status = row.status === 'ok' || row.status === 'complete' ? '' : row.status.replace('_', ' ');
  const detail = element('span', 'detail', [status, row.detail].filter(Boolean).join(': '));
  detail.title = row.detail;
  line.append(element('span', 'name', row.name), element('span', 'time', row.time), bar, element('span', 'percentage', share), detail);
  return line;
}

function phases(turn: TurnView): HTMLElement {
  const details = element('details', 'phases');
  details.open = turn.state === 'asking';
  const list = element('ol', '');
  list.append(...turn.phases.map(phase));
  details.append(element('summary', '', 'How'), list);
  return details;
}

function source(row: SourceRow, turn: number, citation: number): HTMLElement {
  const line = element('li', 'source');
  const open = element('button', 'link', `${row.name}`);
  open.dataset['citation'] = String(citation);
  open.dataset['turn'] = String(turn);
  line.title = `${row.place}\n${row.text}`;
  line.append(element('span', 'number', `${citation + 1}.`), open, element('span', 'place', row.place), element('span', 'text', row.text));
  return line;
}

function sources(turn: TurnView, index: number): HTMLElement {
  const section = element('section', 'sources');
  const list = element('ol', '');
  list.append(...turn.sources.map((row, citation) => source(row, index, citation)));
  section.append(element('h3', '', 'Sources'), list);
  return section;
}

function actions(turn: TurnView, index: number): HTMLElement {
  const bar = element('div', 'actions');
  if (turn.state === 'asking') {
    bar.append(button('Cancel', 'Cancel (Escape)', () => host.postMessage({ type: 'cancel' })));
    return bar;
  }
  const answered = turn.state === 'answered';
  if (answered) {
    bar.append(button('Copy', 'Copy the answer with its sources', () => host.postMessage({ type: 'copy', turn: index })));
    bar.append(button('Remember', 'Keep this answer in memory', () => host.postMessage({ type: 'remember', turn: index })));
  }
  bar.append(button('Ask Again', 'Ask the same once more', () => host.postMessage({ type: 'retry', turn: index, deeper: false })));
  if (turn.canReason) bar.append(button('Reason Deeper', 'Go through all phases', () => host.postMessage({ type: 'retry', turn: index, deeper: true })));
  if (answered && turn.sources.length > 0) bar.append(...ratings(index));
  return bar;
}

function ratings(turn: number): HTMLElement[] {
  return [true, false].map((good) => {
    const rate = button(good ? 'Helpful' : 'Not Helpful', good ? 'These sources helped' : 'These sources did not help', () => {
      host.postMessage({ type: 'rate', turn, good });
      rate.parentElement?.querySelectorAll('.rate').forEach((other) => other.classList.toggle('chosen', other === rate));
    });
    rate.classList.add('rate');
    return rate;
  });
}

function render(turn: TurnView, index: number): HTMLElement {
  const section = element('article', `turn ${turn.state}`);
  section.append(element('h2', 'question', turn.question));
  if (turn.about) section.append(element('p', 'about', `About ${turn.about}`));
  for (const warning of turn.warnings) section.append(element('p', 'warning', warning));
  if (turn.headline) section.append(element('p', 'headline', turn.headline));
  if (turn.html) {
    const answer = element('div', 'answer');
    answer.innerHTML = turn.html; // by renderMarkdown, which lets no markup of the answer through
    answer.querySelectorAll<HTMLElement>('[data-citation]').forEach((citation) => (citation.dataset['turn'] = String(index)));
    section.append(answer);
  }
  if (turn.facts.length > 0) section.append(element('p', 'facts', turn.facts.join(' · ')));
  section.append(actions(turn, index));
  if (turn.sources.length > 0) section.append(sources(turn, index));
  if (turn.phases.length > 0) section.append(phases(turn));
  return section;
}

const turnsElement = document.getElementById('turns') as HTMLElement;
const question = document.getElementById('question') as HTMLTextAreaElement;
const form = document.getElementById('ask') as HTMLFormElement;
let shown: string[] = [];

function show(turns: TurnView[]): void {
  const added = turns.length > shown.length;
  turns.forEach((turn, index) => {
    const now = JSON.stringify(turn);
    if (shown[index] === now) return;
    const made = render(turn, index);
    const old = turnsElement.children[index];
    if (old) old.replaceWith(made);
    else turnsElement.append(made);
    shown[index] = now;
  });
  shown = shown.slice(0, turns.length);
  if (added) turnsElement.lastElementChild?.scrollIntoView({ block: 'start' });
}

window.addEventListener('message', (event: MessageEvent<ToView>) => show(event.data.turns));

document.addEventListener('click', (event) => {
  const target = (event.target as HTMLElement).closest<HTMLElement>('[data-citation], [data-file]');
  if (!target) return;
  event.preventDefault();
  const { citation, turn, file } = target.dataset;
  if (file !== undefined) host.postMessage({ type: 'openFile', address: file });
  else host.postMessage({ type: 'open', turn: Number(turn), citation: Number(citation), aside: event.ctrlKey || event.metaKey });
});

document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') host.postMessage({ type: 'cancel' });
});

question.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  form.requestSubmit();
});

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const text = question.value.trim();
  if (text === '') return;
  question.value = '';
  host.postMessage({ type: 'ask', question: text });
});

host.postMessage({ type: 'ready' });
