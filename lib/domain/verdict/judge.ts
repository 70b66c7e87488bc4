// Observation to verdict, the one place where that is decided. Pure: the object's track, what it depends on, policy and the clock.
import { worseFinding, type Finding } from './finding.ts';
import { earliest } from '../time/earliest.ts';
import type { Policy } from '../guarantee/guarantee.ts';
import { isGiven, isRefused } from '../chain/given-source.ts';
import { joinFindings } from '../chain/join-findings.ts';
import type { Judgement } from './judgement.ts';
import { loopLiveness, type LoopLiveness } from '../heartbeat/loop-liveness.ts';
import { offeredTo } from '../chain/offer.ts';
import { ownFinding } from './own-finding.ts';
import { runningOf } from '../observation/running.ts';
import type { Subject, Surroundings } from './subject.ts';
import { afterWait, isUndoing, waitOver } from '../observation/track.ts';
import type { Drift, Verdict } from './verdict.ts';
import { waitFor } from '../chain/waiting.ts';

function driftOf(subject: Subject): Drift {
  const { settled, latest } = subject.track;
  if (isUndoing(latest)) return 'found';
  const observation = settled?.observation ?? latest;
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
    names: [],
    evidence: [{ from: 'field', text: suspended.field, at: suspended.at }, ...was.evidence],
    rootCause: null,
    since: null,
    reviewAt: null,
  };
}

/** A loop that has stopped outdoes every last word. */
function withLiveness(joined: Finding, liveness: LoopLiveness): Finding {
  if (liveness.finding?.verdict === 'stale') return liveness.finding;
  return worseFinding(joined, liveness.finding);
}

function partless({ verdict, reason, rootCause }: Finding): Judgement['withoutParts'] {
  return { verdict, reason, rootCause };
}

/** Longest sentence, in UTF-16 units: as long as a message. */
const longestSentence = 1_024;

function bounded(sentence: string): string {
  return sentence.length > longestSentence ? `${sentence.slice(0, longestSentence - 1)}…`.toWellFormed() : sentence;
}

const remembersBeneath: ReadonlySet<Verdict> = new Set(['stale', 'unobserved']);

/**
 * The verdict on one object at `now` (ms), with its evidence, its root cause at the far end of the chain, what runs, what
 * confirms it and until when it may be believed. Pure and total. Rules: docs/design/verdicts.md.
 */
export function judge(given: Subject, around: Surroundings, policy: Policy, now: number): Judgement {
  const track = afterWait(given.track, now);
  const subject = { ...given, track };
  const settled = track.settled?.observation ?? null;
  // Being switched off is a change that nobody looks at: what it misses is told.
  const isOff = track.latest.suspended !== null && !isRefused(track.latest);
  const isOffered = around.source !== null && (isOff || isGiven(track, around.source.ref, now));
  const offered = offeredTo(settled ?? track.latest, isOffered ? (around.source?.observation ?? null) : null);
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
  const liveness = loopLiveness(subject, around, policy, now);
  const alone = joins.beneath.reduce(worseFinding, beneath);
  const joined = joins.parts.reduce(worseFinding, alone);
  const final = withLiveness(joined, liveness);

  // What is switched off makes no passes: only a missing proof counts beneath, never an overdue pass.
  const frozen =
    liveness.finding && liveness.finding.verdict !== 'stale' ? worseFinding(joined, liveness.finding) : joined;
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
    sentence: bounded(found.sentence),
    names: found.names,
    evidence: found.evidence === beneath.evidence || off ? found.evidence : [...found.evidence, ...beneath.evidence],
    rootCause: found.rootCause,
    since: found.since,
    withoutParts: joined === alone ? null : partless(off ?? withLiveness(alone, liveness)),
    drift: driftOf(subject),
    confirmation: liveness.confirmation,
    running: runningOf(settled),
    offered,
    validUntil: off ? null : liveness.validUntil,
    // What is past says nothing of when to look again, and must not hide what does.
    reviewAt: off
      ? null
      : earliest(
          ...[
            waitOver(given.track),
            found.reviewAt,
            final.reviewAt,
            joined.reviewAt,
            ...[...joins.beneath, ...joins.parts].map((one) => one.reviewAt),
            liveness.validUntil,
          ].filter((time) => time !== null && time > now),
        ),
  };
}
