import { noLaterThan, type ApiTime } from '../time/api-time.ts';
import type { Observation, SettledSummary, StatusSummary } from './observation.ts';

/** Difference that the clocks of a cluster and of ours may have where one dates a birth and the other saw it, ms. */
const birthSeenWithin = 60_000;

/** Time of quiet before what an object says is believed, ms. A pass is up to five writes in 0.3 s: docs/design/settling.md. */
export const quietFor = 100;
/** Time for which it may go on writing the same before it is believed without any quiet, ms. */
const loudFor = 1_500;

/** A pass that takes no longer (ms) is no news by itself: what it ends with is. */
const shortPass = 2_000;

/**
 * Time a pass may have gone on (ms) before it has surely found its dependencies ready. kustomize-, helm- and tofu-controller look
 * at them before they write that a pass goes on (checkDependencies); Pulumi's operator writes first.
 */
function dependencyCheckTime({ reconciler }: Observation): number {
  return reconciler === 'pulumi' ? 10_000 : shortPass;
}

/** An observation and when a write first showed its summary (ms since the epoch). */
interface Shown {
  readonly observation: Observation;
  readonly shownAt: number;
}

/** A settled write that is not believed yet; `passed`: a pass ended with it. */
interface Pending extends Shown {
  readonly passed: boolean;
}

/**
 * Memory of one object between its writes, so that only settled states are judged. JSON through and through;
 * times are ms since the epoch.
 */
export interface Track {
  /** The newest write, and when it was received. */
  readonly latest: Observation;
  readonly latestAt: number;
  /** The last state that is believed to have settled; null where none ever was. */
  readonly settled: Shown | null;
  /** Last summary before it began to wait for a dependency; null where it does not wait, or always has. */
  readonly beforeWait: SettledSummary | null;
  /** A state that looks settled and waits for quiet or for the next write. */
  readonly pending: Pending | null;
  /** Since when it has been busy; null while its newest write is a settled one. */
  readonly busySince: number | null;
  /** Since when the spec is newer than what the reconciler has looked at; null where it is not. */
  readonly unobservedSpecSince: number | null;
  /** When its spec was changed last, seen by our own watch; null where it never was. */
  readonly specSince: number | null;
  /** The last completed pass that is known, and when a write of the reconciler was last seen. */
  readonly lastPassAt: number | null;
  /** Passes that ended well, seen by our own watch: each counts once its end is believed, so together with what it ended with. */
  readonly passesSeen: number;
  /** When Plumbline first saw it. */
  readonly firstSeenAt: number;
  /** The artifact that this source offers has been seen since then. */
  readonly artifactSince: number | null;
  /** When it was switched on again, seen by our own watch; null where it never was off. */
  readonly awakeSince: number | null;
  /** Since when drift is known that its reconciler is undoing; null while there is none. */
  readonly undoingSince: number | null;
}

/** True if it has been seen since it was made. */
export function seenFromBirth({ firstSeenAt, latest }: Track): boolean {
  return firstSeenAt < latest.createdAt + birthSeenWithin;
}

function isSettledWrite(observation: Observation): boolean {
  return observation.summary.said !== 'busy';
}

/** The settled summary within any: itself, or what a busy object still says of the one before. */
export function settledSummary(summary: StatusSummary): SettledSummary | null {
  switch (summary.said) {
    case 'good':
    case 'bad':
      return summary;
    case 'busy':
      return summary.before;
    case 'nothing':
    case 'static':
    case 'unrecognised':
    case 'unreported':
      return null;
  }
}

function summaryKey(summary: StatusSummary): string {
  switch (summary.said) {
    case 'good':
      return `good ${summary.reason}`;
    case 'bad':
      return `bad ${summary.fault} ${summary.reason}`;
    case 'busy':
      return 'busy';
    case 'nothing':
    case 'static':
    case 'unrecognised':
    case 'unreported':
      return summary.said;
  }
}

function sameSummary(a: Observation, b: Observation): boolean {
  return summaryKey(a.summary) === summaryKey(b.summary);
}

/** Nobody looks at the spec of what is switched off, so nobody is late. */
function specUnobserved(observation: Observation): boolean {
  return (
    observation.suspended === null &&
    observation.observedGeneration !== null &&
    observation.observedGeneration < observation.generation
  );
}

/** True if its reconciler has found drift and is at it. */
export function isUndoing({ drift }: Observation): boolean {
  return drift.drift === 'found' && !drift.left;
}

/** True if an object says that it waits for a dependency. */
export function waitsForDependency(observation: Observation): boolean {
  return observation.summary.said === 'bad' && observation.summary.fault === 'dependency';
}

/** When the pass under way, if any, has gone beyond the dependencies that the object last waited for (ms); null where it does not. */
export function waitOver({ settled, busySince }: Pick<Track, 'settled' | 'busySince'>): number | null {
  if (settled === null || busySince === null || !waitsForDependency(settled.observation)) return null;
  return busySince + dependencyCheckTime(settled.observation);
}

/**
 * The track of an object that waits no more, at `now` (ms), though its pass has not ended: it is again what it was before it waited,
 * or has not settled. Any other track as it is.
 */
export function afterWait(track: Track, now: number): Track {
  const { settled, beforeWait, latest } = track;
  const over = waitOver(track);
  if (settled === null || over === null || now < over) return track;
  const { revisions } = settled.observation;
  // Who could not get what it should apply has got it by now.
  const still = beforeWait?.said === 'good' || beforeWait?.fault === 'apply' || beforeWait?.fault === 'health';
  const observation = { ...latest, revisions, summary: still ? beforeWait : latest.summary };
  return { ...track, settled: { observation, shownAt: over }, beforeWait: null };
}

/** Both wait, but not in one wait: it has made a pass in between, which a gap hid. */
function passedBetween(before: Observation, next: Observation): boolean {
  return before.passes.last !== next.passes.last || before.revisions.applied !== next.revisions.applied;
}

/** Last summary before a wait that began unseen: what it said before the one until then, unless its last pass ended otherwise. */
function beforeUnseenWait({ history }: Observation, before: SettledSummary | null): SettledSummary | null {
  const failed = history[0]?.status.toLowerCase().endsWith('failed') ?? false;
  return before !== null && (before.said === 'bad') === failed ? before : null;
}

function promote(track: Track): Track {
  const { pending, settled } = track;
  if (!pending) return track;
  const { observation } = pending;
  const same = settled !== null && sameSummary(settled.observation, observation);
  const shownAt = same ? settled.shownAt : pending.shownAt;
  const passesSeen = track.passesSeen + (pending.passed && observation.summary.said === 'good' ? 1 : 0);
  const next = { ...track, settled: { observation, shownAt }, pending: null, beforeWait: null, passesSeen };
  if (!waitsForDependency(observation)) return next;
  if (settled === null || !waitsForDependency(settled.observation))
    return { ...next, beforeWait: settled && settledSummary(settled.observation.summary) };
  if (passedBetween(settled.observation, observation))
    return {
      ...next,
      settled: { observation, shownAt: pending.shownAt },
      beforeWait: beforeUnseenWait(observation, track.beforeWait),
    };
  return { ...next, beforeWait: track.beforeWait };
}

/** Track without silence: what had no summary yet and begins a pass has never settled, and that it said nothing is no last summary of it. */
function withoutSilence(track: Track): Track {
  return track.settled?.observation.summary.said === 'nothing' ? { ...track, settled: null } : track;
}

/** The last pass that a first sight proves: the newer of what it dates itself and of the reconciler's last write. */
function firstPass(observation: Observation): number | null {
  const { passes, summary, lastWriteAt } = observation;
  if (passes.seenBy === 'none') return null;
  if (passes.last !== null && summary.said === 'good') return passes.last;
  return Math.max(passes.last ?? 0, lastWriteAt ?? 0) || null;
}

/** A time that the cluster dates, on a clock that may run ahead of ours. */
function notAfter(at: number, dated: ApiTime | null): number | null {
  return dated === null ? null : noLaterThan(dated, at);
}

/** Since when its artifact is offered: since it was stored, where the source tells (its condition is restamped by each new one). */
function storedSince(observation: Observation, at: number): number | null {
  if (!observation.hasArtifact) return null;
  const stored = observation.conditions.find(
    (condition) => condition.type === 'ArtifactInStorage' && condition.status === 'True',
  );
  return notAfter(at, stored?.lastTransitionTime ?? at);
}

/** True if a list (or its dates) tells of a pass that was not told before. */
function revealsPass(track: Track, next: Observation): boolean {
  const passedAt = isSettledWrite(next) ? firstPass(next) : null;
  return passedAt !== null && passedAt > (firstPass(track.latest) ?? 0);
}

/**
 * The last pass as it is known after another write, by the first moment that its date may mean: a stream that is resumed tells of
 * passes long after they ended. One that nothing dates ended when it was received.
 */
function lastPass(track: Track, next: Observation, watched: boolean, at: number): number | null {
  const dated = isSettledWrite(next) ? firstPass(next) : null;
  if (dated === null) return watched ? at : notAfter(at, track.lastPassAt);
  return noLaterThan(Math.max(track.lastPassAt ?? 0, dated), at);
}

/** Begins to track an object from the first write that is seen of it, at `at` (ms). A settled one is believed at once when it is `initial`. */
export function begin(observation: Observation, at: number, initial: boolean): Track {
  const isSettled = isSettledWrite(observation);
  const shown = { observation, shownAt: at };
  const before = settledSummary(observation.summary);
  const remembered = !isSettled && before ? { observation: { ...observation, summary: before }, shownAt: at } : null;
  return {
    latest: observation,
    latestAt: at,
    settled: isSettled && initial ? shown : remembered,
    beforeWait: null,
    pending: isSettled && !initial ? { ...shown, passed: false } : null,
    busySince: isSettled ? null : at,
    unobservedSpecSince: specUnobserved(observation) ? at : null,
    specSince: null,
    lastPassAt: notAfter(at, firstPass(observation)),
    passesSeen: 0,
    firstSeenAt: at,
    artifactSince: storedSince(observation, at),
    awakeSince: null,
    undoingSince: isUndoing(observation) ? at : null,
  };
}

function sawPass(track: Track, next: Observation): boolean {
  const { latest } = track;
  if (next.passes.seenBy === 'none') return false;
  // A pass that succeeds is dated by the object (the half-written end before it is not counted); one that fails before the
  // build leaves the history as it was, so its end is what tells.
  // Two that end within one second have the same date; then their count tells them apart.
  if (next.passes.last !== null && next.summary.said === 'good')
    return next.passes.last !== latest.passes.last || next.passes.total !== latest.passes.total;
  const wasBusy = latest.reconciling || latest.summary.said === 'busy';
  return wasBusy && isSettledWrite(next) && !(next.reconciling && next.summary.said === 'good');
}

/**
 * Since when it is switched on. Nothing passes while it is off: a pass that is told with its being on again, or later, ended after
 * that, whatever the clocks say.
 */
function switchedOn(track: Track, next: Observation, passAt: number | null, at: number): number | null {
  if (next.suspended !== null) return track.awakeSince;
  const since = track.latest.suspended === null ? track.awakeSince : at;
  return passAt === null ? since : notAfter(passAt, since);
}

/**
 * Takes the next write of an object, received at `at` (ms). A settled write waits for quiet (`settleDue`), is replaced by a later
 * write that says the same, and is believed when the object goes on to its next pass.
 */
export function receive(before: Track, observation: Observation, at: number): Track {
  if (observation.uid !== before.latest.uid) return begin(observation, at, false);
  const track = afterWait(before, at);
  const isSettled = isSettledWrite(observation);
  const pass = sawPass(track, observation);
  const sameArtifact = observation.revisions.artifact === track.latest.revisions.artifact;
  const lastPassAt = lastPass(track, observation, pass, at);
  const common = {
    latest: observation,
    latestAt: at,
    lastPassAt,
    unobservedSpecSince: specUnobserved(observation) ? (track.unobservedSpecSince ?? at) : null,
    specSince: observation.generation === track.latest.generation ? track.specSince : at,
    artifactSince:
      observation.hasArtifact && sameArtifact && track.artifactSince !== null
        ? track.artifactSince
        : storedSince(observation, at),
    awakeSince: switchedOn(track, observation, pass || revealsPass(track, observation) ? lastPassAt : null, at),
    undoingSince: isUndoing(observation) ? (track.undoingSince ?? at) : null,
  };
  if (!isSettled) return { ...withoutSilence(promote(track)), ...common, busySince: track.busySince ?? at };
  const { pending } = track;
  const again = pending !== null && sameSummary(pending.observation, observation) ? pending : null;
  const shown = { observation, shownAt: again?.shownAt ?? at, passed: pass || (again?.passed ?? false) };
  return { ...track, ...common, busySince: null, pending: shown };
}

/** When the pending state of a track may be believed (ms), null where none waits. */
export function settleDue(track: Track): number | null {
  return track.pending ? Math.min(track.latestAt + quietFor, track.pending.shownAt + loudFor) : null;
}

/** Believes the pending state when it has been quiet long enough at `now` (ms). */
export function settle(track: Track, now: number): Track {
  const due = settleDue(track);
  return due !== null && now >= due ? promote(track) : track;
}
