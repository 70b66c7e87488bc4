import type { Verdict } from '#lib/domain/verdict.ts';
import { countOf, formatCount } from '#lib/format/number.ts';
import type { ListFilter, SetPart } from './list-filter.ts';

const away: readonly Verdict[] = ['diverged', 'drifted', 'unhealthy', 'stale', 'behind', 'waiting', 'progressing'];

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
  const unknown = (counts.unobserved ?? 0) + (counts.unconfirmed ?? 0);
  const rest = unknown === 0 ? '' : `; for ${formatCount(unknown)} that cannot be said`;
  const where = what === '' ? '' : ` with ${what}`;
  if (total === 0) return `No object${where}.`;
  const said = lost === 0 ? 'None' : formatCount(lost);
  return `${said} of ${countOf(total, 'object')}${where} ${lost < 2 ? 'is' : 'are'} away from git${rest}.`;
}
