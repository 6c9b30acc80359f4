// How a hit is shown. Pure.
import type { Hit, Range } from './protocol';

/** What a person would call the hit. */
export function hitName(hit: Hit): string {
  if (hit.name !== '') return hit.container && hit.type === 'method' ? `${hit.container}.${hit.name}` : hit.name;
  return hit.path?.split('/').pop() ?? firstLine(hit.snippet);
}

/** The name's place, or where the hit starts. */
export function hitStart(hit: Hit): Range | undefined {
  return hit.nameRange ?? hit.range;
}

/** The hit's place as people write it: internal/text/lines.go:12. */
export function hitLabel(hit: Hit): string {
  if (!hit.path) return hit.source;
  const path = hit.repository ? `${hit.repository}:${hit.path}` : hit.path;
  const at = hitStart(hit);
  return at ? `${path}:${at.start.line + 1}` : path;
}

export function isRecord(hit: Hit): boolean {
  return hit.source === 'memory';
}

export function firstLine(text: string): string {
  const line = text.split('\n').find((candidate) => candidate.trim() !== '') ?? '';
  return line.trim();
}

/** The first line of a record, without the marks of a heading. */
export function recordTitle(text: string): string {
  return firstLine(text).replace(/^#+\s*/, '');
}

const ICONS: Record<string, string> = {
  function: 'symbol-function',
  method: 'symbol-method',
  class: 'symbol-class',
  code: 'code',
  knowledge: 'note',
  reasoning: 'lightbulb',
};

/** The name of the icon of a type. */
export function hitIcon(hit: Hit): string {
  return ICONS[hit.type] ?? 'file';
}

/** What made the score: "0.84 = words 2.63, activation 0.10; strong term overlap". */
export function scoreExplanation(hit: Hit): string {
  const names = { bm25: 'words', semantic: 'meaning', activation: 'activation', graph: 'neighbours' } as const;
  const parts = Object.entries(names)
    .filter(([key]) => hit.scores[key as keyof typeof names] !== undefined)
    .map(([key, name]) => `${name} ${(hit.scores[key as keyof typeof names] ?? 0).toFixed(2)}`);
  const sum = parts.length > 0 ? ` = ${parts.join(', ')}` : '';
  return `${hit.score.toFixed(2)}${sum}${hit.explanation ? `; ${hit.explanation}` : ''}`;
}

/** The text of a hit on one line. */
export function hitSummary(hit: Hit): string {
  const line = hit.signature ?? (hit.doc ? firstLine(hit.doc) : firstLine(hit.snippet));
  return line.replace(/\s+/g, ' ');
}
