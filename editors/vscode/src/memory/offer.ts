// What commits say of decisions, as rows to choose from.
import type { DecisionOffer } from '../protocol';
import { plain } from '../search/items';

export interface OfferRow {
  offer: DecisionOffer;
  label: string;
  description: string;
  detail: string;
}

/** An offer as a row: what is remembered, and the definitions that it would cite. */
export function offerRow(offer: DecisionOffer): OfferRow {
  const [title = '', ...reasons] = offer.text.split('\n').filter((line) => line !== '');
  const places = offer.places.map(({ name, path, line }) => `${name} (${path}:${line})`);
  const about = places.length > 0 ? [`about ${places.join(', ')}`] : [];
  return { offer, label: plain(title), description: offer.commit.slice(0, 8), detail: plain([...reasons, ...about].join(' — ')) };
}
