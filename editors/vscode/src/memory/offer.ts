// What commits say of decisions, as rows to choose from.
import * as path from 'node:path';
import { t } from '../l10n';
import type { DecisionOffer } from '../protocol';
import { plain } from '../search/items';

export interface OfferRow {
  offer: DecisionOffer;
  label: string;
  description: string;
  detail: string;
}

/** Where an offer comes from: the begin of a commit's hash, or the place of a comment. */
const source = ({ commit }: DecisionOffer): string => (commit.includes(':') ? commit : commit.slice(0, 8));

/** An offer as a row: what is remembered, and the definitions that it would cite. */
export function offerRow(offer: DecisionOffer): OfferRow {
  const [title = '', ...reasons] = offer.text.split('\n').filter((line) => line !== '');
  const places = offer.places.map(({ name, path, line }) => `${name} (${path}:${line})`);
  const about = places.length > 0 ? [`about ${places.join(', ')}`] : [];
  return { offer, label: plain(title), description: source(offer), detail: plain([...reasons, ...about].join(' — ')) };
}

/** Most characters of an offer that a notification shows. */
const SPOKEN = 240;

/** An offer in a sentence. */
export function spoken(offer: DecisionOffer): string {
  const text = plain(offer.text.trim().replace(/\n\s*\n\s*/g, ' — ').replace(/\s+/g, ' ')).replaceAll('](', '] ('); // a notification has links
  const short = [...text].length > SPOKEN ? [...text].slice(0, SPOKEN).join('') + '…' : text;
  return t('Remember what commit {0} says? “{1}”', offer.commit.slice(0, 8), short);
}

/** The workspace folder in which a repository lies, or that lies in it. */
export function folderOf(root: string, folders: readonly string[], separator = path.sep): string | undefined {
  const below = (inner: string, outer: string): boolean => inner === outer || inner.startsWith(outer.endsWith(separator) ? outer : outer + separator);
  return folders.find((folder) => below(folder, root)) ?? folders.find((folder) => below(root, folder));
}
