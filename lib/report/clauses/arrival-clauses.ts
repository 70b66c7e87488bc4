import type { WireArrivals } from '../../api/report.ts';
import { countOf, formatCount } from '../../format/number.ts';

/** Clusters that a sentence names. */
const named = 6;

/** "not known in your view on eu-west-3"; null where arrivals of every cluster are known. */
export function notKnownWords({ notKnownOn }: Pick<WireArrivals, 'notKnownOn'>): string | null {
  return notKnownOn.length === 0 ? null : `not known in your view on ${listed(notKnownOn)}`;
}

/** Why arrivals are not known, as a sentence; null where they are. */
export function notKnownSentence(arrivals: Pick<WireArrivals, 'notKnownOn'>): string | null {
  const words = notKnownWords(arrivals);
  if (words === null) return null;
  const each = arrivals.notKnownOn.length === 1 ? 'it' : 'each';
  return `Commits that arrived are ${words}: of ${each} you see some namespaces, and arrivals are kept for whole clusters.`;
}

/** Of how many clusters beside those of a figure it is not known; '' for none. */
export function besideWords({ notKnownOn }: Pick<WireArrivals, 'notKnownOn'>): string {
  return notKnownOn.length === 0 ? '' : `, ${countOf(notKnownOn.length, 'cluster')} not known`;
}

function listed(names: readonly string[]): string {
  if (names.length > named) return `${names.slice(0, named).join(', ')} and ${formatCount(names.length - named)} more`;
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}
