// The script of the answer view. It runs in the webview; all it knows comes by message.
import type { FromView, ToView } from './messages';
import { NO_MODEL, type PartRow, type PhaseRow, type SourceRow, type TurnView } from './model';
import { speak, t } from '../l10n';

declare function acquireVsCodeApi(): { postMessage(message: FromView): void };

const host = acquireVsCodeApi();
speak(JSON.parse(document.querySelector<HTMLMetaElement>('meta[name="words"]')?.content ?? '{}') as Record<string, string>);

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
  const track = element('span', 'track');
  const bar = element('span', 'bar');
  bar.style.marginLeft = `${row.offset}%`;
  bar.style.width = `${row.percentage}%`;
  track.append(bar);
  const share = row.percentage >= 0.5 ? `${Math.round(row.percentage)}%` : '';
  const status = row.status === 'ok' || row.status === 'complete' ? '' : row.status.replace('_', ' ');
  const detail = element('span', 'detail', [status, row.detail].filter(Boolean).join(': '));
  detail.title = row.detail;
  line.append(element('span', 'name', row.name), element('span', 'time', row.time), element('span', 'percentage', share), track, detail);
  return line;
}

function part(row: PartRow): HTMLElement {
  const line = element('li', `part ${row.status}`);
  line.append(element('span', 'name', row.text), element('span', 'detail', `${row.status} · ${row.detail}`));
  return line;
}

function phases(turn: TurnView): HTMLElement {
  const details = element('details', 'phases');
  details.open = turn.state === 'asking';
  const list = element('ol', 'timeline');
  list.append(...turn.phases.map(phase));
  const label = turn.total === '' ? t('How') : t('How: {0} phases in {1}', turn.phases.length, turn.total);
  details.append(element('summary', '', label), list);
  if (turn.parts.length > 0) {
    const parts = element('ol', 'parts');
    parts.append(...turn.parts.map(part));
    details.append(element('h3', '', t('Parts')), parts);
  }
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
  section.append(element('h3', '', t('Sources')), list);
  return section;
}

function actions(turn: TurnView, index: number): HTMLElement {
  const bar = element('div', 'actions');
  if (turn.state === 'asking') {
    bar.append(button(t('Cancel'), t('Cancel (Escape)'), () => host.postMessage({ type: 'cancel' })));
    return bar;
  }
  const answered = turn.state === 'answered';
  if (answered) {
    bar.append(button(t('Copy'), t('Copy the answer with its sources'), () => host.postMessage({ type: 'copy', turn: index })));
    bar.append(button(t('Remember'), t('Keep this answer in memory'), () => host.postMessage({ type: 'remember', turn: index })));
  }
  bar.append(button(t('Ask Again'), t('Ask the same once more'), () => host.postMessage({ type: 'retry', turn: index, deeper: false })));
  if (turn.changes > 0) {
    bar.append(button(t('Review and Apply…'), t('Choose which of the proposed changes are made'), () => host.postMessage({ type: 'apply', turn: index })));
  } else if (turn.canReason) {
    bar.append(button(t('Propose a Change'), t('Ask the same again, for a change of the code'), () => host.postMessage({ type: 'propose', turn: index })));
  }
  if (turn.canReason) bar.append(button(t('Reason Deeper'), t('Go through all phases'), () => host.postMessage({ type: 'retry', turn: index, deeper: true })));
  if (answered) bar.append(...ratings(index));
  return bar;
}

const THUMB = 'M5 7v7H2V7h3zm1 0 3-6c1.2 0 1.8.8 1.6 2L10.2 6H14c.9 0 1.4.7 1.2 1.5l-1.3 5.3c-.2.7-.8 1.2-1.5 1.2H6V7z';

/** A thumb up, or down. */
function thumb(up: boolean): SVGSVGElement {
  const icon = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  icon.setAttribute('viewBox', '0 0 16 16');
  icon.setAttribute('aria-hidden', 'true');
  icon.classList.add('thumb', up ? 'up' : 'down');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', THUMB);
  icon.append(path);
  return icon;
}

function ratings(turn: number): HTMLElement[] {
  return [true, false].map((good) => {
    const label = good ? t('Helpful: its sources come earlier') : t('Not helpful: its sources come later');
    const rate = button('', label, () => {
      host.postMessage({ type: 'rate', turn, good });
      rate.parentElement?.querySelectorAll('.rate').forEach((other) => {
        other.classList.toggle('chosen', other === rate);
        other.setAttribute('aria-pressed', String(other === rate));
      });
    });
    rate.setAttribute('aria-label', label);
    rate.setAttribute('aria-pressed', 'false');
    rate.classList.add('rate');
    rate.append(thumb(good));
    return rate;
  });
}

/** The answer, or what there is of it. */
function fillAnswer(answer: HTMLElement, turn: TurnView, index: number): void {
  answer.innerHTML = turn.html; // by renderMarkdown, which lets no markup of the answer through
  answer.querySelectorAll<HTMLElement>('[data-citation]').forEach((citation) => (citation.dataset['turn'] = String(index)));
}

function warningLine(text: string): HTMLElement {
  const line = element('p', 'warning', text);
  if (text.startsWith(NO_MODEL)) line.append(' ', button(t('Choose a Model…'), t('On this machine, or with a key'), () => host.postMessage({ type: 'chooseModel' })));
  return line;
}

function render(turn: TurnView, index: number): HTMLElement {
  const section = element('article', `turn ${turn.state}`);
  section.append(element('h2', 'question', turn.question));
  if (turn.about) section.append(element('p', 'about', t('About {0}', turn.about)));
  section.append(...turn.warnings.map(warningLine));
  if (turn.headline) section.append(element('p', 'headline', turn.headline));
  if (turn.html || turn.state === 'asking') {
    const answer = element('div', 'answer');
    fillAnswer(answer, turn, index);
    section.append(answer);
  }
  if (turn.meaning) section.append(element('p', 'meaning', turn.meaning));
  if (turn.facts.length > 0) section.append(element('p', 'facts', turn.facts.join(' · ')));
  section.append(actions(turn, index));
  if (turn.sources.length > 0) section.append(sources(turn, index));
  if (turn.phases.length > 0) section.append(phases(turn));
  return section;
}

const turnsElement = document.getElementById('turns') as HTMLElement;
const question = document.getElementById('question') as HTMLTextAreaElement;
const form = document.getElementById('ask') as HTMLFormElement;
let shown: { json: string; turn: TurnView }[] = [];

/** Brings a turn that is still asked up to date, without taking the focus from what is in it. */
function update(section: HTMLElement, turn: TurnView, index: number): void {
  const answer = section.querySelector<HTMLElement>('.answer');
  if (answer) fillAnswer(answer, turn, index);
  const old = section.querySelector<HTMLDetailsElement>('.phases');
  const now = turn.phases.length > 0 ? phases(turn) : undefined;
  if (old && now) old.querySelector('ol.timeline')?.replaceWith(now.querySelector('ol.timeline') as HTMLElement);
  else if (now) section.append(now);
}

/** Puts a turn in the place of what was shown of it; the focus stays in the turn. */
function replace(old: Element, turn: TurnView, index: number): void {
  const made = render(turn, index);
  const focused = old.contains(document.activeElement);
  old.replaceWith(made);
  if (focused) made.querySelector<HTMLElement>('.actions button')?.focus();
}

function show(first: number, turns: TurnView[]): void {
  const added = first + turns.length > shown.length;
  turns.forEach((turn, i) => {
    const index = first + i;
    const json = JSON.stringify(turn);
    const before = shown[index];
    if (before?.json === json) return;
    const old = turnsElement.children[index] as HTMLElement | undefined;
    if (old && before?.turn.state === 'asking' && turn.state === 'asking') update(old, turn, index);
    else if (old) replace(old, turn, index);
    else turnsElement.append(render(turn, index));
    shown[index] = { json, turn };
  });
  shown = shown.slice(0, first + turns.length);
  if (added) turnsElement.lastElementChild?.scrollIntoView({ block: 'start' });
}

window.addEventListener('message', (event: MessageEvent<ToView>) => show(event.data.first, event.data.turns));

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
