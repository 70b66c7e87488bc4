import { verdicts, type Verdict } from '#lib/domain/verdict.ts';
import { countOf, formatCount } from '#lib/format/number.ts';
import type { ListFilter, SetPart } from './list-filter.ts';

type Counts = Readonly<Partial<Record<Verdict, number>>>;

const away: readonly Verdict[] = ['diverged', 'drifted', 'unhealthy', 'behind', 'waiting', 'progressing'];
const unproven: readonly Verdict[] = ['stale', 'unobserved', 'unconfirmed'];

function named(counts: Counts, of: readonly Verdict[]): string {
  return of
    .flatMap((verdict) => ((counts[verdict] ?? 0) > 0 ? `${formatCount(counts[verdict] ?? 0)} ${verdict}` : []))
    .join(', ');
}

/** What the list shows, in one sentence: "Kind Bucket: 317 objects, none away". `counts` are over all that matches but the verdict filter. */
export function listSentence(total: number, counts: Counts, filter: ListFilter, parts: readonly SetPart[]): string {
  const what = parts.map(({ text }) => text).join(', ');
  if ([filter.verdict, filter.silent, filter.guarantee, filter.drift].some((text) => text !== ''))
    return `${countOf(total, 'object')}: ${what}.`;
  if (total === 0) return what === '' ? 'No object.' : `No object with ${what}.`;
  const of = what === '' ? '' : `${what.charAt(0).toUpperCase()}${what.slice(1)}: `;
  const [lost, unknown] = [named(counts, away), named(counts, unproven)];
  const rest = unknown === '' ? '' : `; not confirmed: ${unknown}`;
  return `${of}${countOf(total, 'object')}, ${lost === '' ? 'none away' : `away: ${lost}`}${rest}.`;
}

/** What the tab of the list says, the worst first: "3 diverged: objects". */
export function listTitle(counts: Counts): string {
  const worst = verdicts.find((verdict) => verdict !== 'converged' && (counts[verdict] ?? 0) > 0);
  return worst === undefined ? 'Objects' : `${formatCount(counts[worst] ?? 0)} ${worst}: objects`;
}
