import { mayBeSince } from '../time/api-time.ts';
import { awaitedDependency, failsReadyExpr } from './dependency.ts';
import { earliest } from '../time/earliest.ts';
import type { Finding } from '../verdict/finding.ts';
import type { Policy } from '../guarantee/guarantee.ts';
import { farEnd, joined, nameOf } from './join.ts';
import type { Fault, Observation, SettledSummary } from '../observation/observation.ts';
import { sameRef } from '../observation/ref.ts';
import { ownFinding } from '../verdict/own-finding.ts';
import { runningSentence } from '../verdict/sentence.ts';
import type { RelatedObject, Subject, Surroundings } from '../verdict/subject.ts';
import { waitsForDependency } from '../observation/track.ts';

/** Effect of a wait for a dependency on an object's own finding; `rolling`: it only waits its turn in a wave. */
export interface Waiting {
  readonly finding: Finding;
  readonly rolling: boolean;
}

/** Time until who was told to wait tries again (ms): --requeue-dependency is 30 s by default (Flux), twice that with slack. */
const turn = 60_000;

/** Two objects may be received in another order than they wrote (ms). */
const outOfOrder = 1_000;

function settledFault({ summary }: Observation): Fault | null {
  return summary.said === 'bad' ? summary.fault : null;
}

/** A dependency is on its way to what its source offers, or has never settled yet: what depends on it waits its turn. */
function isOnItsWay({ observation, judgement }: RelatedObject, settled: Observation, newest: string | null): boolean {
  if (judgement?.verdict === 'progressing') return true;
  // It waits its own turn: else it would not be converged by such a word.
  if (judgement?.verdict === 'converged' && observation && settledFault(observation) === 'dependency') return true;
  // Of one source both are offered the same, whichever of them is judged first.
  const [own, other] = [settled.source, observation?.source ?? null];
  const shared = own !== null && other !== null && sameRef(own, other);
  const offered = shared ? newest : (judgement?.offered ?? null);
  return offered !== null && observation?.revisions.applied !== offered;
}

/** When the object surely asked last (ms): each write that says that it waits is the end of a try. */
function lastAsked({ shownAt }: { readonly shownAt: number }, { track: { latest, latestAt } }: Subject): number {
  return waitsForDependency(latest) ? Math.max(shownAt, latestAt) : shownAt;
}

/**
 * Until when (ms) the next try of an object that asked at `askedAt` (ms) may take, for a dependency was in the middle of a pass then or
 * came to one since: the try comes within a turn of its end. Where a wave is deep that is long after the object asked.
 */
function nextTry({ lastPassAt, busySince }: RelatedObject, askedAt: number): number | null {
  if (lastPassAt !== null && mayBeSince(lastPassAt, askedAt - outOfOrder)) return Math.max(askedAt, lastPassAt) + turn;
  return busySince === null ? null : askedAt + turn;
}

/**
 * Until when (ms) a wave surely rolls through what the object depends on, as far as is known at `now`: one has not arrived, or has
 * only just passed, or what it did when the object asked may not have been received yet. Past where there is none.
 */
function waveUntil(
  settled: Observation,
  dependencies: readonly RelatedObject[],
  offered: string | null,
  askedAt: number,
  now: number,
): number {
  if (dependencies.some((one) => isOnItsWay(one, settled, offered))) return now + turn;
  if (failsReadyExpr(settled)) return -Infinity;
  return Math.max(askedAt + outOfOrder, ...dependencies.map((one) => nextTry(one, askedAt) ?? -Infinity));
}

/** True if an object tells of something that runs: only that can go on while a newer revision waits its turn. */
function saysWhatRuns({ revisions }: Observation, before: SettledSummary): boolean {
  return (
    revisions.applied !== null && (before.said === 'good' || before.fault === 'apply' || before.fault === 'health')
  );
}

/** Who waits for something that is not seen to block it: what it waits for is named all the same. */
function waitingFor(settled: Observation, own: Finding, related: RelatedObject): Finding {
  const name = nameOf(related, settled.ref);
  const which = failsReadyExpr(settled) ? ', which does not meet its readyExpr' : '';
  return {
    ...own,
    sentence: `It waits for ${name}${which}.${runningSentence(settled)}`,
    names: [related.ref],
    rootCause: farEnd(related, settled.ref),
    evidence: [...own.evidence, ...joined(related, settled.ref, 'depends on')],
  };
}

/**
 * DependencyNotReady: a wave that rolls on, or a dependency that carries the fault and is named as root cause. `offered` is the
 * newest revision of its source (null for unknown), `now` ms. Without a wave nobody waits its turn, so the object waits.
 */
export function waitFor(
  subject: Subject,
  own: Finding,
  around: Surroundings,
  offered: string | null,
  policy: Policy,
  now: number,
): Waiting {
  const settled = subject.track.settled;
  const summary = settled?.observation.summary;
  if (!settled || summary?.said !== 'bad' || summary.fault !== 'dependency' || own.verdict !== 'waiting')
    return { finding: own, rolling: false };
  const self = settled.observation.ref;
  const awaited = awaitedDependency(settled.observation, around.dependencies);
  if (awaited?.blocks === true) {
    const { related } = awaited;
    const verdict = related.judgement?.verdict ?? (related.state === 'missing' ? 'not there' : 'not seen');
    return {
      finding: {
        ...own,
        sentence: `It waits for ${nameOf(related, self)}, which is ${verdict}.`,
        names: [related.ref],
        rootCause: farEnd(related, self),
        evidence: [...own.evidence, ...joined(related, self, 'depends on')],
      },
      rolling: false,
    };
  }
  const until = Math.min(
    waveEnd(settled, subject, around, offered, policy),
    waveUntil(settled.observation, around.dependencies, offered, lastAsked(settled, subject), now),
  );
  const before = subject.track.beforeWait;
  if (before !== null && now < until && saysWhatRuns(settled.observation, before)) {
    // A wave rolls through what it depends on: until it has passed, the object is what it was.
    const kept = ownFinding(
      { ...subject.track, settled: { ...settled, observation: { ...settled.observation, summary: before } } },
      around,
      now,
    );
    const rolling = kept.verdict === 'converged';
    const sentence = rolling ? `It waits its turn in a wave. ${kept.sentence}` : kept.sentence;
    const next = earliest(own.reviewAt, kept.reviewAt, until);
    return { finding: { ...kept, sentence, reviewAt: next }, rolling };
  }
  return { finding: awaited ? waitingFor(settled.observation, own, awaited.related) : own, rolling: false };
}

/** When a wave takes too long (ms): the grace of what is offered is not lengthened by it. What was bad before has none. */
function waveEnd(
  settled: NonNullable<Subject['track']['settled']>,
  { newerSince = Infinity, track }: Subject,
  around: Surroundings,
  offered: string | null,
  policy: Policy,
): number {
  if (track.beforeWait?.said === 'bad') return settled.shownAt + policy.behindAfter;
  const { applied } = settled.observation.revisions;
  const isNewer = offered !== null && applied !== null && applied !== offered;
  const since = isNewer ? (around.source?.artifactSince ?? settled.shownAt) : settled.shownAt;
  return Math.min(settled.shownAt, since, isNewer ? newerSince : Infinity) + policy.behindAfter;
}
