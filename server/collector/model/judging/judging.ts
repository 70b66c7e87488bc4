import { moveClocks, startClocks } from '#lib/domain/time/clocks.ts';
import type { Policy } from '#lib/domain/guarantee/guarantee.ts';
import type { Onset } from '#lib/domain/record/current.ts';
import { moveCommits } from '#lib/domain/record/commit-range.ts';
import { judge } from '#lib/domain/verdict/judge.ts';
import { judgedAs, type JudgedAs, type Judgement } from '#lib/domain/verdict/judgement.ts';
import { refKey, type RefKey } from '#lib/domain/observation/ref.ts';
import type { Subject } from '#lib/domain/verdict/subject.ts';
import { seenFromBirth } from '#lib/domain/observation/track.ts';
import { minute } from '#lib/domain/time/length.ts';
import type { ChangeDetector } from '../changes/change-detector.ts';
import type { Entry } from '../objects/entry.ts';
import type { Journal } from '../publishing/journal.ts';
import { effectiveObservation } from './knowledge.ts';
import type { ObjectGraph } from '../objects/object-graph.ts';
import { firstOnset, neverGoodSince } from './onset.ts';
import { busyWorthShowing, recordOf } from './record.ts';
import { surroundingsOf, type Provisional } from './surroundings.ts';
import type { TimeQueue } from './time-queue.ts';

const flappingWatch = 2 * minute;

/** Parts that judging reads, and those that it tells. */
export interface JudgingDeps {
  readonly graph: ObjectGraph;
  readonly journal: Journal;
  readonly changes: ChangeDetector;
  readonly policy: Policy;
  readonly reviews: TimeQueue;
  /** True if what is found may have begun while nobody looked. */
  readonly foundLate: boolean;
  /** Called with the key of each object whose judgement is kept. */
  readonly judged: (key: RefKey) => void;
}

/** The part of a judgement that others are judged by. */
function effectOf({ verdict, was, offered, running, rootCause, withoutParts }: JudgedAs): string {
  return JSON.stringify([verdict, was, offered, running.revision, rootCause, withoutParts]);
}

/** True if what is judged by it must be judged anew. */
export function matters(before: JudgedAs | null, after: JudgedAs): boolean {
  return !before || effectOf(before) !== effectOf(after);
}

/** When a verdict began that may have begun while nobody looked: it was seen otherwise until it was observed last. */
function beganLate(
  entry: Entry,
  judgement: Judgement,
  policy: Policy,
  now: number,
): Pick<Onset, 'bound'> & { at: number } {
  const { at, bound } = firstOnset(entry.state.track, judgement, policy, now);
  return { at: Math.max(at, Math.min(entry.state.published?.observedAt ?? 0, now)), bound };
}

function moveEntryClocks(entry: Entry, judgement: Judgement, { policy, foundLate }: JudgingDeps, now: number): void {
  const shownAt = entry.state.track.settled?.shownAt ?? null;
  const ownSummary = shownAt !== null && shownAt !== entry.state.judgedShownAt;
  entry.change({ judgedShownAt: shownAt });
  const { seenBy } = effectiveObservation(entry).passes;
  const passes = seenBy === 'none' ? null : entry.state.track.passesSeen;
  if (entry.state.clocks) {
    const began =
      foundLate || (ownSummary && entry.state.receivedInList)
        ? beganLate(entry, judgement, policy, now)
        : // A verdict that follows from its own word is dated by that word, one that follows from time or others by the clock.
          { at: Math.min(judgement.since ?? (ownSummary ? shownAt : now), now), bound: 'exact' as const };
    entry.change({ clocks: moveClocks(entry.state.clocks, { verdict: judgement.verdict, ...began, now, passes }) });
    return;
  }
  const first =
    entry.state.initial || foundLate
      ? firstOnset(entry.state.track, judgement, policy, now)
      : { at: shownAt ?? entry.state.track.firstSeenAt, bound: 'exact' as const };
  const born =
    entry.state.initial || foundLate
      ? neverGoodSince(entry.state.track)
      : seenFromBirth(entry.state.track)
        ? first.at
        : null;
  entry.change({ clocks: startClocks({ verdict: judgement.verdict, ...first, now, passes, neverGoodSince: born }) });
}

/** Only what applies revisions can be broken by one. */
function moveEntryCommits(entry: Entry, { offered }: Judgement, { foundLate, graph }: JudgingDeps, now: number): void {
  const { settled, pending, busySince } = entry.state.track;
  if (settled === null || settled.observation.role !== 'applier') return;
  const isSettled = pending === null && busySince === null;
  const watched = !foundLate && !entry.state.receivedInList;
  const { source } = settled.observation;
  const offeredSince = (source && graph.entries.get(refKey(source))?.state.track.artifactSince) ?? now;
  entry.change({
    commits: moveCommits(entry.state.commits, {
      settled: settled.observation,
      isSettled,
      watched,
      offered,
      offeredSince,
    }),
  });
}

/** The first settled write of a stream waits for quiet: until then there is nothing to judge, however old the object is. */
export function waitsForQuiet(entry: Entry): boolean {
  return entry.state.track.settled === null && entry.state.track.pending !== null;
}

/** Subject that is judged. What was newer than what ran before says nothing of what runs now. */
function subjectOf({ state: { commits, track } }: Entry): Subject {
  const applied = track.settled?.observation.revisions.applied ?? null;
  const newerSince = commits?.newerSince ?? null;
  return newerSince === null || commits?.lastGood !== applied ? { track } : { track, newerSince };
}

/** Judges one object at `now` (ms), and keeps nothing of it; `provisional` stands in for the judgements of its circle. */
export function judgeEntry(
  { graph, policy }: JudgingDeps,
  entry: Entry,
  now: number,
  provisional: Provisional | null,
): Judgement {
  return judge(subjectOf(entry), surroundingsOf(graph, entry, now, provisional), policy, now);
}

/** Keeps the judgement of an object, made at `now` (ms), for the record; true if it matters to what is judged by it. */
export function keepJudgement(deps: JudgingDeps, entry: Entry, judgement: Judgement, now: number): boolean {
  const { graph, journal, changes, reviews } = deps;
  deps.judged(entry.key);
  const before = entry.state.judgement;
  entry.change({ judgement: judgedAs(judgement) });
  moveEntryClocks(entry, judgement, deps, now);
  moveEntryCommits(entry, judgement, deps, now);
  const { busySince } = entry.state.track;
  const homeSince = entry.state.clocks?.away ? entry.state.clocks.home?.since : undefined;
  const dueTimes = [
    judgement.reviewAt,
    busySince === null ? null : busySince + busyWorthShowing,
    homeSince === undefined ? null : homeSince + flappingWatch,
  ];
  for (const at of dueTimes) if (at !== null && at > now) reviews.add(entry.key, at);
  const record = recordOf(graph, entry, judgement, now);
  // What was noted is remembered with the record that it was read from, in one transaction: so it is noted once.
  if (changes.compare(entry, now)) entry.change({ shape: '' });
  if (record) journal.publish(entry, judgement, record, now);
  return matters(before, judgement);
}
