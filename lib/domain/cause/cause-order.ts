import { compareText } from '../observation/compare-text.ts';
import type { CauseGroup } from './cause-group.ts';
import { brokenOf } from './broken-link.ts';
import { worseAlarm } from './cause-gathering.ts';
import { verdictRank, worse } from '../verdict/verdict.ts';

/** Lines that began so recently (ms) are held together: whatever takes many objects down shows itself within this. */
export const heldFor = 15_000;
/** Fewer lines than this are read faster than they fold. */
const heldFrom = 3;

/** Objects whose cause is still being determined: one line, as bad as the worst of them. */
export interface HeldCauses extends Omit<CauseGroup, 'cause'> {
  readonly cause: null;
}

/** A line under the sentence. */
export type CauseLine = CauseGroup | HeldCauses;

/**
 * Weight of a cause, lower is worse: the rank of its verdict (diverged 0, stale 3, unobserved 4, waiting 7), one less
 * with each doubling of the objects that it takes down. Eight stale objects weigh as much as one that is diverged, 64 as
 * much as eight that are. A cluster of which nothing was ever seen has a reach that nobody knows, and weighs as much as one diverged object.
 */
export function stakeOf({ verdict, objects }: Pick<CauseGroup, 'verdict' | 'objects'>): number {
  return objects === 0 ? 0 : verdictRank(verdict) - Math.floor(Math.log2(objects));
}

/** Silent before called, then by what is at stake, then by verdict and reach, then the longest. */
export function compareCauses(a: CauseLine, b: CauseLine): number {
  return (
    Number(b.alarm === 'silent') - Number(a.alarm === 'silent') ||
    stakeOf(a) - stakeOf(b) ||
    verdictRank(a.verdict) - verdictRank(b.verdict) ||
    b.objects - a.objects ||
    a.since.time - b.since.time ||
    compareText(a.key, b.key)
  );
}

/** The causes in their order; `until`: when (ms) time alone makes other lines of them, Infinity for never. */
export interface OrderedCauses {
  readonly lines: readonly CauseLine[];
  readonly until: number;
}

/** A line of one object alone that Plumbline noticed just now: what it belongs to may not be known yet. */
function isForming({ cause, objects, since }: CauseGroup, now: number): boolean {
  return cause.type === 'object' && objects === 1 && since.noticedAt <= now && now < since.noticedAt + heldFor;
}

function held(lines: readonly CauseGroup[], first: CauseGroup): HeldCauses {
  const longest = lines.reduce((a, b) => (b.since.time < a.since.time ? b : a), first);
  const clusters = new Set(lines.flatMap(({ cause }) => (cause.type === 'object' ? cause.ref.cluster : [])));
  return {
    key: 'forming',
    cause: null,
    title: `${lines.length} objects`,
    verdict: lines.map(({ verdict }) => verdict).reduce(worse),
    text: 'cause being determined',
    commits: [],
    objects: lines.length,
    clusters: clusters.size,
    since: longest.since,
    alarm: lines.map(({ alarm }) => alarm).reduce(worseAlarm),
    broken: brokenOf(lines.flatMap(({ broken }) => broken?.link ?? [])),
  };
}

/**
 * The causes in the order of `compareCauses`, as known at `now` (ms). Three or more lines of one object each that began within the
 * last 15 s are held as one, and each leaves it when its 15 s are over. Nothing is hidden: they count, with the worst verdict
 * among them, and `causes` themselves still name each.
 */
export function orderCauses(causes: readonly CauseGroup[], now: number): OrderedCauses {
  const young = causes.filter((cause) => isForming(cause, now));
  const [first] = young;
  if (first === undefined || young.length < heldFrom) return { lines: causes.toSorted(compareCauses), until: Infinity };
  const rest = causes.filter((cause) => !isForming(cause, now));
  return {
    lines: [...rest, held(young, first)].toSorted(compareCauses),
    until: young.reduce((least, { since }) => Math.min(least, since.noticedAt + heldFor), Infinity),
  };
}
