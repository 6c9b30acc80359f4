// How a memory record is shown. Pure.
import { hitIcon, recordTitle } from '../hits';
import type { Citation, Hit, MemoryRecord } from '../protocol';
import { time } from '../status';

export const PINNED = 'pinned';

/** A record that a search has found; what the search does not tell counts as "no". */
export function ofHit(hit: Hit): MemoryRecord {
  const pinned = (hit.tags ?? []).some((tag) => tag.toLowerCase() === PINNED);
  return { hit, content: hit.snippet, pinned, decision: false, pattern: hit.type === 'reasoning', editable: false, file: hit.path !== undefined, stale: changesOf(hit), uses: 0 };
}

/** What has become of the code that a record is about, "" when it is as it was. */
export function changesOf(hit: Hit): string {
  return (hit.citations ?? []).map(changeOf).filter(Boolean).join('; ');
}

function changeOf({ state, path, line, name, was }: Citation): string {
  const place = name ? `${name} (${path}:${line})` : `${path}:${line}`;
  if (state === 'changed') return `${place} has changed since`;
  if (state === 'gone') return `${was ?? place} is gone`;
  return '';
}

/** The place that a record is about: its note file, else the first code that is still there. */
export function placeOfRecord({ hit }: MemoryRecord): { uri: string; line: number; label: string } | undefined {
  if (hit.uri) return { uri: hit.uri, line: (hit.range?.start.line ?? 0) + 1, label: hit.path ?? '' };
  const cited = (hit.citations ?? []).find((citation) => citation.state !== 'gone');
  return cited && { uri: cited.uri, line: cited.line, label: `${cited.path}:${cited.line}` };
}

export function titleOf({ hit, content }: MemoryRecord): string {
  return recordTitle(content) || hit.name || hit.id;
}

export function iconOf(record: MemoryRecord): string {
  if (record.stale) return 'warning';
  if (record.pinned) return 'pinned';
  return record.decision ? 'law' : record.pattern ? 'lightbulb' : hitIcon(record.hit);
}

/** What stands beside the title: what changed, else the tags and the place. */
export function descriptionOf(record: MemoryRecord): string {
  if (record.review?.length) return record.review.join('; ');
  if (record.stale) return record.stale;
  const tags = (record.hit.tags ?? []).filter((tag) => tag.toLowerCase() !== PINNED);
  return [record.hit.weak ? 'weak' : '', tags.join(', '), placeOfRecord(record)?.label ?? ''].filter(Boolean).join(' · ');
}

/** All that is known of a record. */
export function tooltipOf(record: MemoryRecord): string {
  const { hit } = record;
  const kind = record.pattern ? 'pattern' : record.decision ? 'decision' : 'note';
  const facts = [
    record.pinned ? `pinned ${kind}` : kind,
    hit.weak ? 'weak: may be about something else' : '',
    hit.tags?.length ? `tags: ${hit.tags.join(', ')}` : '',
    hit.createdAt ? `made ${time(hit.createdAt)}` : '',
    record.uses > 1 ? `used ${record.uses} times` : '',
    record.expires ? `kept until ${time(record.expires)}` : '',
    placeOfRecord(record)?.label ?? '',
  ];
  const reasons = record.review ?? [...(record.stale ? [record.stale] : []), ...(hit.remarks ?? [])];
  const warnings = reasons.length > 0 ? `\n⚠ ${reasons.join('\n⚠ ')}\n` : '';
  return `${record.content.trim()}\n${warnings}\n${facts.filter(Boolean).join(' · ')}`;
}

/** What the context menu of a record may offer, as words. */
export function contextOf(record: MemoryRecord): string {
  const words = ['record', record.pinned ? 'pinned' : 'loose'];
  if (placeOfRecord(record)) words.push('placed');
  if (record.file) words.push('file');
  if (record.review?.length) words.push('review');
  return words.join(' ');
}
