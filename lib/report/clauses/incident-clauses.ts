import type { WireCauseFigures, WireReport } from '../../api/report.ts';
import { largeFrom } from '../../domain/incident/cause-figures.ts';
import { countOf, formatCount } from '../../format/number.ts';
import { shortTime } from '../../format/time.ts';
import { accountClauses, type AccountClause, type AccountCounts } from './account-clauses.ts';

const otherwise = ' ended because what failed was removed, is not watched any more, or was part of another';

/** Opened, closed, ended otherwise and still open: of incidents. */
export function incidentClauses(counts: AccountCounts): readonly AccountClause[] {
  return accountClauses(counts, {
    nothing: 'No incident was seen',
    noMore: 'No more incidents opened',
    openedOne: { count: '1', words: ' incident opened' },
    opened: ' incidents opened',
    closed: 'closed',
    notClosed: 'did not close',
    before: 'from before the period',
    gone: [otherwise, otherwise],
    open: [' was still open at the end', ' were still open at the end'],
  });
}

/** Number of incidents of a period: those that opened in it, and those that were open as it began. */
export function incidentTotal({ opened, openAtStart }: Pick<AccountCounts, 'opened' | 'openAtStart'>): number {
  return opened + openAtStart;
}

const tookDown = `took down ${largeFrom} objects or more at once`;

/** Part of a sentence; `leads`: to which list of incidents its number does. */
interface HeadlinePiece {
  readonly text: string;
  readonly leads?: 'large' | 'all';
}

type SizeCounts = Pick<WireCauseFigures, 'opened' | 'openAtStart' | 'large'>;

/** "50 incidents, of 663 of any size, took down 5 objects or more at once." */
export function incidentHeadline(counts: SizeCounts): readonly HeadlinePiece[] {
  const { large } = counts;
  const total = incidentTotal(counts);
  if (total === 0) return [{ text: 'No incident was seen.' }];
  const all: HeadlinePiece = { text: formatCount(total), leads: 'all' };
  if (large === 0 && total === 1)
    return [
      { text: 'The ' },
      { text: 'only incident', leads: 'all' },
      { text: ` took down fewer than ${largeFrom} objects at once.` },
    ];
  if (large === 0) return [{ text: 'None of ' }, all, { text: ` incidents ${tookDown}.` }];
  const many: HeadlinePiece = { text: formatCount(large), leads: 'large' };
  if (large === total) return [many, { text: ` ${noun(large)} ${tookDown}; there was none smaller.` }];
  return [many, { text: ` ${noun(large)}, of ` }, all, { text: ` of any size, ${tookDown}.` }];
}

/** The same after the number of large ones, or after "None". */
export function largeWords(counts: SizeCounts): string {
  const { large } = counts;
  const total = incidentTotal(counts);
  if (total === 0) return 'was seen.';
  if (large === 0) return `of ${countOf(total, 'incident')} ${tookDown}.`;
  const words = incidentHeadline(counts).slice(1);
  return words
    .map(({ text }) => text)
    .join('')
    .trimStart();
}

function noun(count: number): string {
  return count === 1 ? 'incident' : 'incidents';
}

/** Members beside the number of incidents: what went before the number, the number, and what follows it; null where there are none. */
export function memberWords({
  opened,
  openAtStart,
  members,
}: Pick<WireCauseFigures, 'opened' | 'openAtStart' | 'members'>): readonly [string, string, string] | null {
  if (members === 0) return null;
  const these = openAtStart > 0 ? 'Those that opened in the period' : opened === 1 ? 'It' : 'Together they';
  const times = members === 1 ? 'once' : `${formatCount(members)} times`;
  return [` ${these} took an object away from git `, times, ' (a lost cluster counts as one).'];
}

/** Why no number of incidents is told, and how far it has come: a whole sentence. */
export function notMadeText(report: Pick<WireReport, 'made'>): string {
  return `How many incidents there were cannot be said ${notMadeYet(report)}`;
}

/** The same after "cannot be said". */
export function notMadeYet({ made }: Pick<WireReport, 'made'>): string {
  const upTo = made?.upTo ?? null;
  const far = upTo === null ? 'that has only begun' : `so far up to ${shortTime(Date.parse(upTo), 'year')} UTC`;
  return `yet: stored history is still being made into incidents, ${far}.`;
}

/** "40 objects on 2 clusters", "7 objects" on one: the most at one time. */
export function reachText({ objects, clusters }: { readonly objects: number; readonly clusters: number }): string {
  return clusters === 1
    ? countOf(objects, 'object')
    : `${countOf(objects, 'object')} on ${countOf(clusters, 'cluster')}`;
}
