import { type CommitDiffers, isOfferUnread } from '#lib/domain/record/commit-differs.ts';
import type { Correction, CurrentObject, ObjectDetail } from '#lib/domain/record/current.ts';
import type { Judgement } from '#lib/domain/verdict/judgement.ts';
import { parseRefKey } from '#lib/domain/observation/ref.ts';
import { hasUpstreams, noUpstreams, type Upstreams } from '#lib/domain/record/upstreams.ts';
import type { Drift } from '#lib/domain/verdict/verdict.ts';
import { correctionCounts } from '#lib/domain/observation/drift.ts';
import type { Observation } from '#lib/domain/observation/observation.ts';
import { delivererOf, deliveryOf } from '../remote/delivery.ts';
import { memoryOf } from '../objects/entry-memory.ts';
import type { Entry } from '../objects/entry.ts';
import { composerOf, effectiveObservation, watched, type ClusterKnowledge } from './knowledge.ts';
import { runningOrigin } from '../remote/origin.ts';
import { loopOf } from './surroundings.ts';

const messageLimit = 1_024;
/** A pass that takes longer than this is shown as under way; a quiet pass is no news (ms). */
export const busyWorthShowing = 3_000;

function driftOf(judgement: Judgement, corrections: readonly Correction[], now: number): Drift {
  if (judgement.drift !== 'none') return judgement.drift;
  const recent = corrections.filter((correction) => correction.at > now - correctionCounts);
  if (recent.some((correction) => correction.certainty === 'contested')) return 'contested';
  return recent.length > 0 ? 'corrected' : 'none';
}

/** True of drift that can only have come after what runs was applied: of what rests, and of the last word where that found some. */
function isLaterDrift(...words: readonly Observation[]): boolean {
  const found = words.flatMap(({ drift }) => (drift.drift === 'found' ? [drift] : []));
  return found.length > 0 && found.every(({ later }) => later === true);
}

/** Last known sign of life of an object's loop (ms): its own pass, or the sign of its controller as the judgement took it. */
function confirmedAt(known: ClusterKnowledge, entry: Entry, judgement: Judgement): number | null {
  const loop = judgement.confirmation === 'controller' ? loopOf(known, entry) : null;
  return loop?.state === 'alive' ? loop.at : entry.state.track.lastPassAt;
}

/** Objects that an object depends on beside its source and its delivery. */
function upstreamsOf(known: ClusterKnowledge, entry: Entry): Upstreams {
  const observation = effectiveObservation(entry);
  const { otherSources, dependsOn, providerConfig } = observation;
  // Of a kind that is read the one of which both say so; of another nothing can be told by what is named.
  const isRead = observation.parent !== null && watched(known, observation.parent);
  const parent = isRead ? (composerOf(known, entry)?.ref ?? null) : observation.parent;
  const provider = parseRefKey(known.providerOf(entry) ?? '');
  const found: Upstreams = { sources: otherSources, dependsOn, parent, provider, providerConfig };
  return hasUpstreams(found) ? found : noUpstreams;
}

/** Of an offer that cannot be compared, and may be read all the same, the commits decide. */
function differsOf(
  observation: Observation,
  { commit, differs }: ReturnType<typeof runningOrigin>,
  revision: CurrentObject['revision'],
): CommitDiffers {
  if (differs) return 'yes';
  const isUnread = !observation.revisions.incomparable && isOfferUnread({ ...observation, commit, revision });
  return isUnread ? 'unknown' : 'no';
}

/** The present record of an entry that has been judged, at `now` (ms). */
export function recordOf(
  known: ClusterKnowledge,
  entry: Entry,
  judgement: Judgement,
  now: number,
): CurrentObject | null {
  const {
    state: { clocks, track },
  } = entry;
  if (!clocks) return null;
  const observation = effectiveObservation(entry);
  const origin = runningOrigin(known, entry, judgement);
  const isShownBusy = track.busySince !== null && now - track.busySince >= busyWorthShowing;
  const revision = {
    applied: observation.role === 'source' ? observation.revisions.artifact : observation.revisions.applied,
    attempted: (isShownBusy ? track.latest : observation).revisions.attempted,
    offered: judgement.offered ?? (observation.role === 'source' ? observation.revisions.artifact : null),
  };
  const onsetFrom = clocks.verdict === 'converged' ? null : clocks.away;
  return {
    ref: entry.ref,
    uid: observation.uid,
    reconciler: observation.reconciler,
    role: observation.role,
    verdict: judgement.verdict,
    was: judgement.was,
    reconciling: judgement.reconciling && isShownBusy,
    rolling: judgement.rolling,
    reason: judgement.reason,
    message: judgement.message.slice(0, messageLimit),
    sentence: judgement.sentence,
    ...(judgement.names.length > 0 ? { names: judgement.names } : {}),
    onset: clocks.onset,
    awaySince: onsetFrom,
    confirmation: judgement.confirmation,
    observedAt: track.latestAt,
    confirmedAt: confirmedAt(known, entry, judgement),
    validUntil: judgement.validUntil,
    revision,
    commit: origin.commit,
    commitDiffers: differsOf(observation, origin, revision),
    path: observation.path,
    builds: observation.builds ?? null,
    source: observation.source,
    deliveredBy: delivererOf(deliveryOf(known, entry)),
    upstreams: upstreamsOf(known, entry),
    repository: origin.repository,
    rootCause: judgement.rootCause,
    range: entry.state.commits?.range ?? null,
    drift: driftOf(judgement, entry.state.corrections, now),
    ...(isLaterDrift(observation, track.latest) ? { driftedLater: true } : {}),
    exemptions: track.latest.exemptions,
  };
}

/** Detail that the object's page and a restart need. */
export function detailOf(entry: Entry, judgement: Judgement): ObjectDetail {
  const observation = effectiveObservation(entry);
  const { suspended, deletedAt } = entry.state.track.latest;
  // The very observation that rests, where it says so itself: it is packed already.
  const same = observation.suspended === suspended && observation.deletedAt === deletedAt;
  return {
    observation: same ? observation : { ...observation, suspended, deletedAt },
    evidence: judgement.evidence,
    message: judgement.message,
    target: observation.target,
    corrections: entry.state.corrections,
    memory: memoryOf(entry),
  };
}
