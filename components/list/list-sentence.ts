import { awayWords } from '#lib/domain/guarantee-sentence.ts';
import { verdicts, type Verdict } from '#lib/domain/verdict.ts';
import { countOf, formatCount } from '#lib/format/number.ts';
import type { ListFilter, SetPart } from './list-filter.ts';

const away: readonly Verdict[] = ['diverged', 'drifted', 'unhealthy', 'behind', 'waiting', 'progressing'];

/** What the list shows, in one sentence. `counts` are over everything that matches but the verdict filter. */
export function listSentence(
  total: number,
  counts: Readonly<Partial<Record<Verdict, number>>>,
  filter: ListFilter,
  parts: readonly SetPart[],
): string {
  const what = parts.map(({ text }) => text).join(', ');
  if (filter.verdict !== '' || filter.silent !== '') return `${countOf(total, 'object')}: ${what}.`;
  const lost = away.reduce((sum, verdict) => sum + (counts[verdict] ?? 0), 0);
  const stale = counts.stale ?? 0;
  const unknown = (counts.unobserved ?? 0) + (counts.unconfirmed ?? 0);
  const rest = unknown === 0 ? '' : `; for ${formatCount(unknown)} that cannot be said`;
  if (total === 0) return what === '' ? 'No object.' : `No object with ${what}.`;
  const of = what === '' ? '' : `${what.charAt(0).toUpperCase()}${what.slice(1)}: `;
  const said =
    lost + stale === 0 ? `none of ${countOf(total, 'object')} is away from git` : awayWords(lost, stale, total);
  return `${of}${of === '' ? said.charAt(0).toUpperCase() + said.slice(1) : said}${rest}.`;
}

/** What the tab of the list says, the worst first: "3 diverged: objects". */
export function listTitle(counts: Readonly<Partial<Record<Verdict, number>>>): string {
  const worst = verdicts.find((verdict) => verdict !== 'converged' && (counts[verdict] ?? 0) > 0);
  return worst === undefined ? 'Objects' : `${formatCount(counts[worst] ?? 0)} ${worst}: objects`;
}
