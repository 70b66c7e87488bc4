// What proves that the loop behind an object still turns: its own passes, its controller, its provider. See docs/design/heartbeats.md.
import type { Heartbeat } from './controller-liveness.ts';
import type { Finding } from '../verdict/finding.ts';
import type { Policy } from '../guarantee/guarantee.ts';
import { knownCadence, passLiveness } from './heartbeat.ts';
import { deadText, heartbeatEvidence, unknownText } from './heartbeat-text.ts';
import { farEnd, finding } from '../chain/join.ts';
import type { Cause } from '../verdict/judgement.ts';
import type { ObjectRef } from '../observation/ref.ts';
import type { RelatedObject, Subject, Surroundings } from '../verdict/subject.ts';
import type { Confirmation } from '../verdict/verdict.ts';
import { minute } from '../time/length.ts';

/** Tells if the loop of an object turns. */
export interface LoopLiveness {
  readonly confirmation: Confirmation;
  /** A finding that says that the loop has stopped or that nothing proves it turns; null where it is proved. */
  readonly finding: Finding | null;
  /** Until when the proof holds (ms); null where nothing bounds it but the feeds. */
  readonly validUntil: number | null;
}

/** Passes that go on for so long after the last sign of a controller (ms) are another's: the sign was left behind by a move. */
const leftBehind = 2 * minute;

function proved(confirmation: Confirmation, validUntil: number | null): LoopLiveness {
  return { confirmation, finding: null, validUntil };
}

function unproved(part: Parameters<typeof finding>[0], validUntil: number | null = null): LoopLiveness {
  return { confirmation: 'none', finding: finding({ ...part, reviewAt: validUntil }), validUntil };
}

function causeOf({ cluster, namespace, name }: Heartbeat): Cause {
  return { type: 'controller', cluster, namespace, name };
}

/** Since when a controller has no pod (ms): its Deployment is looked at now and then, and dates it. */
function goneSince({ sign, at }: Heartbeat): number | null {
  return sign === 'no-pod' || sign === 'scaled-to-zero' ? at : null;
}

function deadController(heartbeat: Heartbeat | null, lastPass: number | null, now: number): LoopLiveness | null {
  if (heartbeat?.state !== 'dead') return null;
  if (lastPass !== null && heartbeat.at !== null && lastPass > heartbeat.at + leftBehind) return null;
  return unproved({
    verdict: 'stale',
    reason: 'ControllerDead',
    sentence: `${deadText(heartbeat)}, so its last word proves nothing.`,
    names: [],
    evidence: [{ ...heartbeatEvidence(heartbeat), at: heartbeat.at ?? now }],
    rootCause: causeOf(heartbeat),
    since: goneSince(heartbeat),
  });
}

/**
 * A managed resource lives by the pods of its provider. Crossplane core only tells of them (RuntimeHealthy follows the
 * Deployment, crossplane internal/controller/pkg/runtime): where core is dead its word on the provider is old, which proves
 * nothing of the provider, neither good nor bad.
 */
function byProvider(provider: RelatedObject, runtime: Heartbeat | null, self: ObjectRef): LoopLiveness {
  const { name } = provider.ref;
  const verdict = provider.judgement?.verdict;
  const names = [provider.ref] as const;
  const evidence: Finding['evidence'] = [
    { from: 'join', text: `provider revision ${name}: ${verdict ?? provider.state}`, names, at: provider.awaySince },
  ];
  if (runtime?.state === 'dead') {
    return unproved({
      verdict: 'stale',
      reason: 'ProviderNotRunning',
      sentence: `Its provider does not run: ${deadText(runtime)}, so its last word proves nothing.`,
      names,
      evidence: [heartbeatEvidence(runtime)],
      rootCause: { type: 'object', ref: provider.ref },
      since: goneSince(runtime),
    });
  }
  if (verdict === 'unhealthy' || verdict === 'diverged') {
    return unproved({
      verdict: 'stale',
      reason: 'ProviderNotRunning',
      sentence: `Its provider ${name} is ${verdict}, so its last word proves nothing.`,
      names,
      evidence,
      rootCause: farEnd(provider, self),
    });
  }
  const awaited = runtime !== null && runtime.awaitedSince !== null;
  if (runtime?.state === 'alive' || (verdict === 'converged' && !awaited)) return proved('controller', null);
  return unproved({
    verdict: 'unconfirmed',
    reason: 'ProviderUnconfirmed',
    sentence: `Nothing proves that its provider ${name} still runs${awaited ? `: ${unknownText(runtime)}` : verdict ? `: what is known of it is ${verdict}` : ''}.`,
    names,
    evidence: runtime ? [...evidence, heartbeatEvidence(runtime)] : evidence,
    rootCause: farEnd(provider, self),
  });
}

function overdue(heartbeat: Heartbeat | null, since: number): LoopLiveness {
  // With a controller that lives the fault is this object's own; without one it is the nearest that can be named.
  const isAlive = heartbeat?.state === 'alive';
  return unproved({
    verdict: 'stale',
    reason: 'NoPass',
    sentence: `No pass of its loop has been seen for too long${isAlive ? `, though ${heartbeat.name} lives` : ''}, so its last word proves nothing.`,
    names: [],
    evidence: [
      { from: 'heartbeat', text: 'last pass', at: since },
      ...(heartbeat ? [heartbeatEvidence(heartbeat)] : []),
    ],
    rootCause: heartbeat && !isAlive ? causeOf(heartbeat) : null,
  });
}

/** Late by an interval that is only the default of its reconciler: whoever has set a longer one is not stale for it. */
function lateByDefault(heartbeat: Heartbeat | null, since: number): LoopLiveness {
  // A pod may be there and hang: only what moves shows that the loop turns, only more slowly.
  if (heartbeat?.sign === 'lease-moves') return proved('controller', null);
  return unproved({
    verdict: 'unconfirmed',
    reason: 'NoPass',
    sentence:
      'No pass of its loop has been seen for longer than its reconciler takes by default, and what it is set to could not be read, so nothing proves that its last word still holds.',
    names: [],
    evidence: [
      { from: 'heartbeat', text: 'last pass', at: since },
      ...(heartbeat ? [heartbeatEvidence(heartbeat)] : []),
    ],
    rootCause: null,
  });
}

/** That the last pass is from before its cluster was out of sight, where that is what it lacks. */
function sinceSeen({ sign, awaitedSince }: Heartbeat, lastPass: number | null): string {
  if (sign === 'lease-unmoved' || awaitedSince === null || lastPass === null) return '';
  return ', and no pass has ended since the cluster is seen again';
}

/** Why nothing proves that the loop turns, as the end of a sentence. */
function whyUnproved(subject: Subject, heartbeat: Heartbeat | null, lastPass: number | null): string {
  if (heartbeat) return `${unknownText(heartbeat)}${sinceSeen(heartbeat, lastPass)}`;
  if (subject.track.latest.role === 'managed') return 'no active provider revision names its kind';
  return 'its reconciler gives no sign of life';
}

/**
 * True if every instance that is known passes the object by, and none that is not known has been seen to take it since: the pass
 * before was of somebody who is gone.
 */
function isLeftAlone(heartbeat: Heartbeat | null, lastPass: number): boolean {
  return heartbeat?.sign === 'nobody' && (heartbeat.at === null || lastPass <= heartbeat.at);
}

/**
 * True if a pass proves that the loop turns now. Where its cluster was out of sight, or a lease has not been seen moving (again),
 * whoever turns the loop may have died meanwhile: then only a pass that ended since tells.
 */
function provesLoop(lastPass: number, heartbeat: Heartbeat | null): boolean {
  if (isLeftAlone(heartbeat, lastPass)) return false;
  return heartbeat === null || heartbeat.awaitedSince === null || lastPass >= heartbeat.awaitedSince;
}

/** Proof that the loop of an object still turns, at `now` (ms). */
export function loopLiveness(subject: Subject, around: Surroundings, policy: Policy, now: number): LoopLiveness {
  const { heartbeat, provider } = around;
  const reported = heartbeat?.interval ?? null;
  const pass = passLiveness(subject.track, policy, reported);
  const dead = deadController(heartbeat, pass?.last ?? null, now);
  if (dead) return dead;
  if (pass && now >= pass.until) {
    const since = pass.last ?? subject.track.firstSeenAt;
    const { assumed } = knownCadence(subject.track.latest.cadence, reported);
    return assumed ? lateByDefault(heartbeat, since) : overdue(heartbeat, since);
  }
  const { awakeSince } = subject.track;
  if (pass && awakeSince !== null && (pass.last ?? 0) < awakeSince) {
    return unproved(
      {
        verdict: 'unconfirmed',
        reason: 'NotPassedSinceResumed',
        sentence: 'It was switched on again, and no pass of its loop has ended since.',
        names: [],
        evidence: [{ from: 'heartbeat', text: 'switched on again', at: awakeSince }],
        rootCause: null,
      },
      pass.until,
    );
  }
  if (pass && pass.last !== null && provesLoop(pass.last, heartbeat)) return proved('pass', pass.until);
  if (heartbeat?.state === 'alive') return proved('controller', pass?.until ?? null);
  if (provider) return byProvider(provider, around.runtime, subject.track.latest.ref);
  if (subject.track.latest.summary.said === 'static' && around.delivery?.judgement?.verdict === 'converged')
    return proved('controller', null);
  const why = whyUnproved(subject, heartbeat, pass?.last ?? null);
  return unproved(
    {
      verdict: 'unconfirmed',
      reason: 'NoHeartbeat',
      sentence: `Its last word is good, but nothing proves that this is still so: ${why}.`,
      names: [],
      evidence: heartbeat ? [heartbeatEvidence(heartbeat)] : [{ from: 'heartbeat', text: why, at: null }],
      rootCause: null,
    },
    pass?.until ?? null,
  );
}

/** A package revision whose pods do not run: what it installed is there, and nothing works on it. */
export function runtimeFinding(subject: Subject, runtime: Heartbeat | null): Finding | null {
  const { latest, settled } = subject.track;
  const { summary } = settled?.observation ?? latest;
  if (latest.role !== 'package' || runtime?.state !== 'dead' || summary.said === 'static') return null;
  // Crossplane scales a provider to zero on purpose while nothing that it provides is activated.
  if (runtime.sign === 'scaled-to-zero' && summary.said === 'good' && summary.reason === 'AwaitingActivation')
    return null;
  return finding({
    verdict: 'unhealthy',
    reason: 'RuntimeNotRunning',
    sentence: `${latest.ref.kind} ${latest.ref.name} is installed, but ${deadText(runtime)}.`,
    names: [],
    evidence: [heartbeatEvidence(runtime)],
    rootCause: null,
  });
}
