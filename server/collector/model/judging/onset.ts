import type { Onset } from '#lib/domain/record/current.ts';
import type { Policy } from '#lib/domain/guarantee/guarantee.ts';
import { passLiveness } from '#lib/domain/heartbeat/heartbeat.ts';
import type { Judgement } from '#lib/domain/verdict/judgement.ts';
import type { HistoryEntry, Observation } from '#lib/domain/observation/observation.ts';
import type { Track } from '#lib/domain/observation/track.ts';
import { earliest } from '#lib/domain/time/earliest.ts';
import { deletionGrace } from '#lib/domain/verdict/own-finding.ts';
import type { EarlierSpan } from '#lib/domain/record/span.ts';
import type { Entry } from '../objects/entry.ts';
import { effectiveObservation } from './knowledge.ts';

/** True if a Kustomization's history entry ended well; a HelmRelease's is of a release and says nothing of the passes since. */
function endedWell({ status }: HistoryEntry): boolean | null {
  if (status === 'ReconciliationSucceeded') return true;
  return status.endsWith('Failed') ? false : null;
}

/**
 * Since when passes end as the newest entry says (ms): since the first of its content and end, unless one that ended the other way
 * came after that (an entry is taken up again when its content comes back); then since its last only. Null where the newest
 * entry did not end so: what fails before the build leaves none (docs/facts/flux.md).
 */
function byHistory(history: Observation['history'], status: string): number | null {
  const [newest] = history;
  if (!newest || newest.status !== status) return null;
  const well = endedWell(newest);
  if (well === null || newest.first === null) return null;
  const { first } = newest;
  const interrupted = history.some((entry) => endedWell(entry) === !well && (entry.last ?? 0) > first);
  return interrupted ? newest.last : first;
}

function stampOf({ conditions }: Observation, type: string, isTrue: boolean): number | null {
  const found = conditions.find((one) => one.type === type);
  return found && (found.status === 'True') === isTrue ? found.lastTransitionTime : null;
}

/** Since when at least its own status is bad, by the object itself. */
function badSince(observation: Observation): number | null {
  const { summary, history } = observation;
  // Its own status is good: a part of it, or something it lists, is what is wrong.
  if (summary.said !== 'bad') return null;
  const stamp = stampOf(observation, 'Synced', false) ?? stampOf(observation, 'Ready', false);
  return earliest(byHistory(history, summary.reason), stamp);
}

/**
 * Since when it has not settled: since it was made, or where it had been applied before, since its present pass began. A pass
 * that ends turns Ready away from Unknown, so its stamp is when this one began.
 */
function unsettledSince({ revisions, history, createdAt, conditions }: Observation): number | null {
  if (revisions.applied === null && !history.some((entry) => endedWell(entry) === true)) return createdAt;
  return conditions.find(({ type, status }) => type === 'Ready' && status === 'Unknown')?.lastTransitionTime ?? null;
}

/** As `badSince`, where the verdict is what the object itself says. */
function saidSince(observation: Observation, { reason }: Judgement): number | null {
  const { summary } = observation;
  return summary.said === 'bad' && summary.reason === reason ? badSince(observation) : null;
}

function goodSince(observation: Observation): number | null {
  if (observation.summary.said !== 'good') return null;
  return byHistory(observation.history, 'ReconciliationSucceeded') ?? stampOf(observation, 'Ready', true);
}

/** When something had been offered for so long (ms) that it should have been applied. */
function offeredSince({ evidence: [offered] }: Judgement, behindAfter: number): number | null {
  return offered?.from === 'field' && offered.at !== null ? offered.at + behindAfter : null;
}

function provenSince(track: Track, judgement: Judgement, policy: Policy): number | null {
  const observation = track.settled?.observation ?? track.latest;
  const { deletedAt } = observation;
  switch (judgement.verdict) {
    case 'suspended':
      return track.latest.suspended?.at ?? null;
    case 'progressing':
      return judgement.reason === 'Terminating' ? track.latest.deletedAt : unsettledSince(observation);
    case 'drifted':
      return stampOf(observation, 'Drifted', true) ?? stampOf(observation, 'UpToDate', false);
    case 'stale':
      // The time ran out that it had from its last pass on.
      if (judgement.reason === 'NoPass') return passLiveness(track, policy, null)?.until ?? null;
      return saidSince(observation, judgement);
    case 'behind':
      return offeredSince(judgement, policy.behindAfter);
    // What follows from others or from silence is nowhere dated on the object itself.
    case 'unobserved':
    case 'unconfirmed':
      return null;
    case 'converged':
      return goodSince(observation);
    case 'diverged':
    case 'unhealthy':
    case 'waiting':
      if (judgement.reason === 'DeletionStuck') return deletedAt === null ? null : deletedAt + deletionGrace;
      return saidSince(observation, judgement);
  }
}

/**
 * Since when an object is away that was never good: since it was made (ms), exactly. Null where it may have been good before. Sure
 * only of what Flux applies: a Kustomization keeps lastAppliedRevision for good, a HelmRelease forgets its history with each new
 * installation and is only known never to have been installed while it names no attempt.
 */
export function neverGoodSince(track: Track): number | null {
  const { role, reconciler, summary, revisions, history, createdAt } = track.settled?.observation ?? track.latest;
  if (role !== 'applier' || summary.said === 'good' || revisions.applied !== null) return null;
  if (reconciler === 'flux') return history.some((entry) => endedWell(entry) === true) ? null : createdAt;
  return reconciler === 'helm' && history.length === 0 && revisions.attempted === null ? createdAt : null;
}

/**
 * When a verdict began that was already there when it was looked at (ms): at least since what the object itself proves. Conditions'
 * lastTransitionTime is restamped by both Flux and Crossplane, so it is a lower bound of the duration and never a "since".
 */
export function firstOnset(
  track: Track,
  judgement: Judgement,
  policy: Policy,
  seenAt: number,
): { readonly at: number; readonly bound: Onset['bound'] } {
  const proven = provenSince(track, judgement, policy);
  return { at: proven === null ? seenAt : Math.min(proven, seenAt), bound: 'at-least' };
}

/**
 * Spans that a Kustomization tells, when it is first seen, of its passes before that (status.history, docs/facts/flux.md): one for each
 * content and end, from its first pass to its last that are told.
 */
export function earlierSpans(entry: Entry): readonly EarlierSpan[] {
  const { history, uid } = effectiveObservation(entry);
  const { firstSeenAt } = entry.state.track;
  return history.flatMap((pass): EarlierSpan[] => {
    const good = endedWell(pass);
    const { first, last, status, revision } = pass;
    if (good === null || first === null || last === null || first >= firstSeenAt) return [];
    return [
      { ref: entry.ref, uid, from: first, to: Math.min(Math.max(first, last), firstSeenAt), good, status, revision },
    ];
  });
}
