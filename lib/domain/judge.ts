// Observation to verdict, the one place where that is decided. Pure: the object's track, what it stands on, policy and the clock.
import { earliest, worseFinding, type Finding } from './finding.ts';
import type { Policy } from './guarantee.ts';
import { passLife } from './heartbeat.ts';
import { farEnd } from './join.ts';
import { joinFindings } from './join-findings.ts';
import type { Judgement } from './judgement.ts';
import { offeredTo } from './offer.ts';
import { ownFinding } from './own-finding.ts';
import type { ObjectRef } from './ref.ts';
import { runningOf } from './running.ts';
import type { Standing, Subject, Surroundings } from './subject.ts';
import type { Confirmation, Drift, Verdict } from './verdict.ts';
import { waitFor } from './waiting.ts';

interface Life {
  readonly confirmation: Confirmation;
  /** A finding that says that the loop has stopped or that nothing proves it turns; null where it is proved. */
  readonly finding: Finding | null;
  readonly validUntil: number | null;
}

function proved(confirmation: Confirmation, validUntil: number | null): Life {
  return { confirmation, finding: null, validUntil };
}

/** Passes that go on for so long after a lease moved last (ms) are another holder's: the lease was left behind by a move. */
const leftBehind = 2 * 60_000;

function deadController(around: Surroundings, lastPass: number | null, now: number): Life | null {
  const { heartbeat } = around;
  if (heartbeat?.state !== 'dead') return null;
  if (lastPass !== null && heartbeat.movedAt !== null && lastPass > heartbeat.movedAt + leftBehind) return null;
  const since = heartbeat.movedAt ?? now;
  return {
    confirmation: 'none',
    validUntil: null,
    finding: {
      verdict: 'stale',
      reason: 'ControllerDead',
      message: '',
      sentence: `${heartbeat.name} has stopped, so its last word proves nothing.`,
      evidence: [
        { from: 'heartbeat', text: `lease ${heartbeat.namespace}/${heartbeat.name} has not moved since`, at: since },
      ],
      rootCause: {
        type: 'controller',
        cluster: heartbeat.cluster,
        namespace: heartbeat.namespace,
        name: heartbeat.name,
      },
      reviewAt: null,
    },
  };
}

function byProvider(provider: Standing, self: ObjectRef): Life {
  const name = provider.ref.name;
  const verdict = provider.judgement?.verdict;
  const evidence: Finding['evidence'] = [
    { from: 'heartbeat', text: `provider revision ${name}: ${verdict ?? provider.state}`, at: provider.awaySince },
  ];
  if (verdict === 'converged') return proved('controller', null);
  const base = { message: '', evidence, rootCause: farEnd(provider, self), reviewAt: null };
  if (verdict === 'unhealthy' || verdict === 'diverged' || verdict === 'stale' || verdict === 'unobserved') {
    return {
      confirmation: 'none',
      validUntil: null,
      finding: {
        ...base,
        verdict: verdict === 'unobserved' ? 'unconfirmed' : 'stale',
        reason: 'ProviderNotRunning',
        sentence: `Its provider ${name} is ${verdict}, so its last word proves nothing.`,
      },
    };
  }
  return {
    confirmation: 'none',
    validUntil: null,
    finding: {
      ...base,
      verdict: 'unconfirmed',
      reason: 'ProviderUnconfirmed',
      sentence: `Nothing proves that its provider ${name} still runs.`,
    },
  };
}

/** What proves that the loop still turns. DESIGN.md "Heartbeats". */
function lifeOf(subject: Subject, around: Surroundings, policy: Policy, now: number): Life {
  const life = passLife(subject.track, policy);
  const dead = deadController(around, life?.last ?? null, now);
  if (dead) return dead;
  if (life && now >= life.until) {
    const since = life.last ?? subject.track.firstSeenAt;
    const { heartbeat } = around;
    // With a lease that moves the fault is this object's own; without one the controller is the nearest that can be named.
    const controller = heartbeat && heartbeat.state !== 'alive' ? heartbeat : null;
    return {
      confirmation: 'none',
      validUntil: null,
      finding: {
        verdict: 'stale',
        reason: 'NoPass',
        message: '',
        sentence: 'No pass of its loop has been seen for too long, so its last word proves nothing.',
        evidence: [{ from: 'heartbeat', text: 'last pass', at: since }],
        rootCause: controller
          ? { type: 'controller', cluster: controller.cluster, namespace: controller.namespace, name: controller.name }
          : null,
        reviewAt: null,
      },
    };
  }
  const { awakeSince } = subject.track;
  if (life && awakeSince !== null && (life.last ?? 0) < awakeSince) {
    return {
      confirmation: 'none',
      validUntil: life.until,
      finding: {
        verdict: 'unconfirmed',
        reason: 'NotPassedSinceResumed',
        message: '',
        sentence: 'It was switched on again, and no pass of its loop has ended since.',
        evidence: [{ from: 'heartbeat', text: 'switched on again', at: awakeSince }],
        rootCause: null,
        reviewAt: life.until,
      },
    };
  }
  if (life && life.last !== null) return proved('pass', life.until);
  if (around.heartbeat?.state === 'alive') return proved('controller', life?.until ?? null);
  if (around.provider) return byProvider(around.provider, subject.track.latest.ref);
  if (subject.track.latest.word.said === 'static' && around.delivery?.judgement?.verdict === 'converged')
    return proved('controller', null);
  return {
    confirmation: 'none',
    validUntil: life?.until ?? null,
    finding: {
      verdict: 'unconfirmed',
      reason: 'NoHeartbeat',
      message: '',
      sentence:
        'Its last word is good, but nothing proves that this is still so: its reconciler gives no sign of life.',
      evidence: [{ from: 'heartbeat', text: 'no pass to be seen, no lease that moves', at: null }],
      rootCause: null,
      reviewAt: life?.until ?? null,
    },
  };
}

function driftOf(subject: Subject): Drift {
  const observation = subject.track.settled?.observation ?? subject.track.latest;
  switch (observation.drift.drift) {
    case 'none':
      return 'none';
    case 'found':
      return 'found';
    case 'not-measured':
      return 'not-measured';
  }
}

function suspendedFinding(subject: Subject, was: Finding): Finding | null {
  const { suspended, ref } = subject.track.latest;
  if (!suspended) return null;
  const by = suspended.by ? ` by ${suspended.by}` : '';
  return {
    ...was,
    verdict: 'suspended',
    reason: 'Suspended',
    sentence: `${ref.kind} ${ref.name} is switched off (${suspended.field}${by}).`,
    evidence: [{ from: 'field', text: suspended.field, at: suspended.at }, ...was.evidence],
    rootCause: null,
    reviewAt: null,
  };
}

/** A loop that has stopped outdoes every last word but one that is not seen. */
function withLife(joined: Finding, life: Life): Finding {
  if (life.finding?.verdict === 'stale' && joined.verdict !== 'unobserved') return life.finding;
  return worseFinding(joined, life.finding);
}

function partless({ verdict, reason, rootCause }: Finding): Judgement['withoutParts'] {
  return { verdict, reason, rootCause };
}

const remembersBeneath: ReadonlySet<Verdict> = new Set(['suspended', 'stale', 'unobserved']);

/**
 * The verdict on one object at `now` (ms), with its evidence, its root cause at the far end of the chain, what runs, what
 * confirms it and until when it may be believed. Pure and total. Rules: DESIGN.md "Verdicts", "Joins", "Heartbeats".
 */
export function judge(subject: Subject, around: Surroundings, policy: Policy, now: number): Judgement {
  const { track } = subject;
  const settled = track.settled?.observation ?? null;
  const offered = offeredTo(settled ?? track.latest, around.source?.observation ?? null);
  const own = ownFinding(track, around, now);
  const waiting = waitFor(subject, own, around, offered, policy, now);
  const shared = around.sharedError !== null && settled?.providerConfig && waiting.finding.verdict !== 'converged';
  const beneath: Finding = shared
    ? {
        ...waiting.finding,
        rootCause: {
          type: 'shared-error',
          cluster: track.latest.ref.cluster,
          providerConfig: settled.providerConfig,
          message: around.sharedError,
        },
      }
    : waiting.finding;

  const joins = joinFindings(subject, around, offered, policy, now);
  const life = lifeOf(subject, around, policy, now);
  const alone = joins.beneath.reduce(worseFinding, beneath);
  const joined = joins.parts.reduce(worseFinding, alone);
  const final = withLife(joined, life);

  // What is switched off makes no passes: only a missing proof counts beneath, never an overdue pass.
  const frozen = life.finding && life.finding.verdict !== 'stale' ? worseFinding(joined, life.finding) : joined;
  const off = suspendedFinding(subject, frozen);
  const found = off ?? final;
  const was = off
    ? frozen.verdict
    : remembersBeneath.has(found.verdict) && beneath.verdict !== found.verdict
      ? beneath.verdict
      : null;

  return {
    verdict: found.verdict,
    was,
    reconciling: track.latest.suspended === null && (track.latest.reconciling || track.busySince !== null),
    rolling: waiting.rolling && found.verdict === 'converged',
    reason: found.reason,
    message: found.message === '' && found !== beneath ? beneath.message : found.message,
    sentence: found.sentence,
    evidence: found === beneath || off ? found.evidence : [...found.evidence, ...beneath.evidence],
    rootCause: found.rootCause,
    withoutParts: joined === alone ? null : partless(off ?? withLife(alone, life)),
    drift: driftOf(subject),
    confirmation: life.confirmation,
    running: runningOf(settled),
    offered,
    validUntil: off ? null : life.validUntil,
    // What is past says nothing of when to look again, and must not hide what does.
    reviewAt: off
      ? null
      : earliest(
          ...[
            found.reviewAt,
            final.reviewAt,
            joined.reviewAt,
            ...[...joins.beneath, ...joins.parts].map((one) => one.reviewAt),
            life.validUntil,
            around.heartbeat?.diesAt ?? null,
          ].filter((time) => time !== null && time > now),
        ),
  };
}
