// What the search picker lists. Pure, but for the icons' names.
import { hitIcon, hitLabel, hitName, hitSummary, scoreExplanation } from '../hits';
import type { Hit, SearchResult, Scope } from '../protocol';

export interface HitItem {
  label: string;
  description: string;
  detail: string;
  hit: Hit;
}

/** @param explain puts the parts of the score into the detail, instead of the hit's first line */
export function hitItems(hits: readonly Hit[], explain: boolean): HitItem[] {
  return hits.map((hit) => ({
    label: `$(${hitIcon(hit)}) ${plain(hitName(hit))}`,
    description: hit.weak ? `${hitLabel(hit)} · weak` : hitLabel(hit),
    detail: plain(explain ? scoreExplanation(hit) : hitSummary(hit)),
    hit,
  }));
}

/** Text from a file, which must not become an icon. */
export function plain(text: string): string {
  return text.replaceAll('$(', '$\u200b(');
}

export interface Filters {
  types: readonly string[];
  languages: readonly string[];
}

export function scopeOf(filters: Filters): Scope | undefined {
  if (filters.types.length === 0 && filters.languages.length === 0) return undefined;
  return { types: [...filters.types], languages: [...filters.languages] };
}

/** One line on a result: how many of how many, how long, and what is missing. */
export function summary(result: SearchResult, filters: Filters): string {
  const narrowed = [...filters.types, ...filters.languages].join(', ');
  const parts = [`${result.hits.length} of ${result.total}`, `${result.elapsedMs.toFixed(1)} ms`];
  if (narrowed !== '') parts.push(`only ${narrowed}`);
  if (result.index.state === 'indexing' || result.index.state === 'starting') {
    parts.push(`still indexing, ${result.index.files} files so far`);
  }
  return parts.join(' · ');
}

/** Why there is nothing, as the server says it. */
export function emptyReason(result: SearchResult): string {
  return result.notes[0] ?? 'nothing matches';
}
