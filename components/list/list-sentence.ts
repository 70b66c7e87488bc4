import { verdicts, type Verdict } from '#lib/domain/verdict/verdict.ts';
import { countsObserved } from '#lib/domain/verdict/only-declared.ts';
import { countOf, formatCount } from '#lib/format/number.ts';
import { verdictsOf, type ListFilter, type SetPart } from './list-filter.ts';

type Counts = Readonly<Partial<Record<Verdict, number>>>;

/** Objects of a list: in all, and by verdict over all that match but for the verdict; `declared` of the unobserved are only declared. */
interface Found {
  readonly total: number;
  readonly counts: Counts;
  readonly declared: number;
}

const away: readonly Verdict[] = ['diverged', 'drifted', 'unhealthy', 'behind', 'waiting', 'progressing'];
const unproven: readonly Verdict[] = ['stale', 'unobserved', 'unconfirmed'];

function named(counts: Counts, of: readonly Verdict[]): string {
  return of
    .flatMap((verdict) => ((counts[verdict] ?? 0) > 0 ? `${formatCount(counts[verdict] ?? 0)} ${verdict}` : []))
    .join(', ');
}

/** List in one sentence: "Kind Bucket: 317 objects, none away". */
export function listSentence(found: Found, filter: ListFilter, parts: readonly SetPart[]): string {
  const { total, declared } = found;
  const counts = countsObserved(found.counts, declared);
  const what = parts.map(({ text }) => text).join(', ');
  const { verdict, silent, guarantee, alarm, link, reach, cause, drift } = filter;
  if ([verdict, silent, guarantee, alarm, link, reach, cause, drift].some((text) => text !== ''))
    return `${countOf(total, 'object')}: ${what}.`;
  if (total === 0) return what === '' ? 'No object.' : `No object with ${what}.`;
  const of = what === '' ? '' : `${what.charAt(0).toUpperCase()}${what.slice(1)}: `;
  const [lost, unknown] = [named(counts, away), named(counts, unproven)];
  const rest = unknown === '' ? '' : `; not confirmed: ${unknown}`;
  const never = `; ${countOf(declared, 'declared stack')} ${declared === 1 ? 'is' : 'are'} never observed`;
  return `${of}${countOf(total, 'object')}, ${lost === '' ? 'none away' : `away: ${lost}`}${rest}${declared === 0 ? '' : never}.`;
}

/** Title of the list's tab, the worst first: "3 diverged: objects". */
export function listTitle(found: Omit<Found, 'total'>, filter: ListFilter): string {
  const counts = countsObserved(found.counts, found.declared);
  const listed = filter.verdict === '' ? verdicts : verdictsOf(filter.verdict);
  const worst = listed.find((verdict) => verdict !== 'converged' && (counts[verdict] ?? 0) > 0);
  return worst === undefined ? 'Objects' : `${formatCount(counts[worst] ?? 0)} ${worst}: objects`;
}
