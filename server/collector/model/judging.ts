import { moveClocks, startClocks } from '#lib/domain/clocks.ts';
import type { Policy } from '#lib/domain/guarantee.ts';
import { judge } from '#lib/domain/judge.ts';
import type { Judgement } from '#lib/domain/judgement.ts';
import type { RefKey } from '#lib/domain/ref.ts';
import type { Entry } from './entry.ts';
import type { Journal } from './journal.ts';
import type { ObjectGraph } from './object-graph.ts';
import { firstOnset } from './onset.ts';
import { busyWorthShowing, recordOf } from './record.ts';
import { restingObservation, surroundingsOf } from './surroundings.ts';
import type { TimeQueue } from './time-queue.ts';

/** More judgements of one object in one breath mean that objects stand on each other in a circle. */
const roundLimit = 8;
const flappingWatch = 2 * 60_000;

interface JudgingDeps {
  readonly graph: ObjectGraph;
  readonly journal: Journal;
  readonly policy: Policy;
  readonly reviews: TimeQueue;
}

function matters(before: Judgement | null, after: Judgement): boolean {
  return (
    !before ||
    before.verdict !== after.verdict ||
    before.was !== after.was ||
    before.running.revision !== after.running.revision ||
    JSON.stringify(before.rootCause) !== JSON.stringify(after.rootCause)
  );
}

function moveEntryClocks(entry: Entry, judgement: Judgement, now: number): void {
  const shownAt = entry.track.settled?.shownAt ?? null;
  const ownWord = shownAt !== null && shownAt !== entry.judgedShownAt;
  entry.judgedShownAt = shownAt;
  const resting = restingObservation(entry);
  const passes = resting.passes.seenBy === 'none' ? null : entry.track.passesSeen;
  if (entry.clocks) {
    // A verdict that follows from its own word is dated by that word, one that follows from time or others by the clock.
    const at = ownWord ? Math.min(shownAt, now) : now;
    entry.clocks = moveClocks(entry.clocks, { verdict: judgement.verdict, at, bound: 'exact', now, passes });
    return;
  }
  const first = entry.initial
    ? firstOnset(resting, judgement.verdict, now)
    : { at: shownAt ?? entry.track.firstSeenAt, bound: 'exact' as const };
  entry.clocks = startClocks({ verdict: judgement.verdict, ...first, now, passes });
}

function judgeOne({ graph, journal, policy, reviews }: JudgingDeps, entry: Entry, now: number): boolean {
  // A first rest within a stream waits for its quiet: until then there is nothing to judge, however old the object is.
  if (entry.track.settled === null && entry.track.pending !== null) return false;
  const before = entry.judgement;
  const judgement = judge(
    { track: entry.track, last: entry.published?.verdict ?? null },
    surroundingsOf(graph, entry, now),
    policy,
    now,
  );
  entry.judgement = judgement;
  moveEntryClocks(entry, judgement, now);
  const { busySince } = entry.track;
  const homeSince = entry.clocks?.away ? entry.clocks.home?.since : undefined;
  const looks = [judgement.reviewAt, busySince === null ? null : busySince + busyWorthShowing, homeSince === undefined ? null : homeSince + flappingWatch];
  for (const at of looks) if (at !== null && at > now) reviews.add(entry.key, at);
  const record = recordOf(graph, entry, judgement, now);
  if (record) journal.publish(entry, judgement, record, now);
  return matters(before, judgement);
}

/** Judges the given objects at `now` (ms), and whatever stands on those whose judgement changed, until nothing moves any more. */
export function judgeAll(deps: JudgingDeps, keys: ReadonlySet<RefKey>, now: number): void {
  const rounds = new Map<RefKey, number>();
  let dirty = keys;
  while (dirty.size > 0) {
    const next = new Set<RefKey>();
    for (const key of deps.graph.inOrder(dirty)) {
      const entry = deps.graph.entries.get(key);
      const round = (rounds.get(key) ?? 0) + 1;
      rounds.set(key, round);
      if (!entry || round > roundLimit) continue;
      next.delete(key);
      if (judgeOne(deps, entry, now)) for (const dependent of deps.graph.dependentsOf(key)) next.add(dependent);
    }
    dirty = next;
  }
}
