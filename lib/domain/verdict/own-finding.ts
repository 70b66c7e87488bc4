import { worseFinding, type Finding } from './finding.ts';
import { earliest } from '../time/earliest.ts';
import type { Evidence } from './judgement.ts';
import type { Observation, SettledSummary } from '../observation/observation.ts';
import { farEnd } from '../chain/join.ts';
import { failureSentence, goodSentence, runningSentence } from './sentence.ts';
import type { Surroundings } from './subject.ts';
import { isUndoing, seenFromBirth, type Track } from '../observation/track.ts';
import { minute } from '../time/length.ts';

/** A deletion that takes longer (ms) is stuck. See docs/design/verdicts.md. */
export const deletionGrace = 15 * minute;
/** Never settled within its timeout or this: 30 min, 60 for a managed resource being created. */
const settleGrace = 30 * minute;
const creationGrace = 60 * minute;
/** A healthy start may show a missing artifact for some seconds (docs/facts/flux.md). */
const birthGrace = minute;
/** Time a reconciler may take to undo the drift that it has found: helm-controller takes 0.9 s (measured), Argo CD starts after 5 s. */
const undoGrace = 30_000;
/** Time for which a changed spec may wait for the reconciler's first look. */
export const observeGrace = 10_000;

/** A finding of the object's own words, which name no other object. */
function finding(part: Partial<Finding> & Pick<Finding, 'verdict' | 'sentence'>): Finding {
  return { reason: '', message: '', names: [], evidence: [], rootCause: null, since: null, reviewAt: null, ...part };
}

function conditionEvidence(observation: Observation): readonly Evidence[] {
  const telling = observation.conditions.filter((condition) =>
    ['Ready', 'Synced', 'Drifted', 'FetchFailed', 'Stalled', 'Healthy', 'Installed'].includes(condition.type),
  );
  const { summary } = observation;
  // What has no conditions says it in another field.
  if (telling.length === 0 && 'reason' in summary && summary.reason !== '')
    return [{ from: 'field', text: `its status says ${summary.reason}`, at: null }];
  return telling.map((condition) => ({
    from: 'condition',
    text: `${condition.type}=${condition.status}${condition.reason ? ` ${condition.reason}` : ''}`,
    at: condition.lastTransitionTime,
  }));
}

function title(observation: Observation): string {
  return `${observation.ref.kind} ${observation.ref.name}`;
}

function neverSettled(track: Track, now: number, from: number, reason: string): Finding {
  const { latest } = track;
  // What was switched off had no chance to settle before it was switched on.
  const since = Math.max(from, track.awakeSince ?? from);
  const grace = Math.max(
    latest.cadence.timeout ?? 0,
    latest.role === 'managed' && track.settled === null ? creationGrace : settleGrace,
  );
  const until = since + grace;
  const evidence = [...conditionEvidence(latest), { from: 'clock' as const, text: 'not settled since', at: since }];
  // What is switched off has no chance to settle, however long it stays so.
  const off = latest.suspended !== null;
  if (!off && now >= until) {
    return finding({
      verdict: 'diverged',
      reason: 'NeverSettled',
      message: reason,
      sentence: `${title(latest)} does not settle.`,
      evidence,
    });
  }
  return finding({
    verdict: 'progressing',
    reason: latest.summary.said === 'busy' ? latest.summary.reason : 'NotReconciledYet',
    message: latest.summary.said === 'busy' ? latest.summary.message : '',
    sentence: `${title(latest)} has not settled yet.`,
    evidence,
    reviewAt: off ? null : until,
  });
}

function deleting(track: Track, deletedAt: number, now: number): Finding {
  const { latest } = track;
  const until = deletedAt + deletionGrace;
  const stuck = now >= until;
  const held = latest.finalizers.length > 0 ? `, held by ${latest.finalizers.join(', ')}` : '';
  return finding({
    verdict: stuck ? 'diverged' : 'progressing',
    reason: stuck ? 'DeletionStuck' : 'Terminating',
    sentence: stuck
      ? `The deletion of ${title(latest)} does not come to its end${held}.`
      : `${title(latest)} is being deleted.`,
    evidence: [{ from: 'field', text: 'metadata.deletionTimestamp', at: deletedAt }],
    reviewAt: stuck ? null : until,
  });
}

function ofBadSummary(
  settled: Observation,
  summary: Extract<SettledSummary, { said: 'bad' }>,
  around: Surroundings,
  now: number,
): Finding {
  const base = {
    reason: summary.reason,
    message: summary.message,
    sentence: failureSentence(settled, summary) + runningSentence(settled),
    evidence: conditionEvidence(settled),
  };
  switch (summary.fault) {
    case 'apply':
      return finding({ ...base, verdict: 'diverged' });
    case 'health':
      return finding({ ...base, verdict: 'unhealthy' });
    case 'observe':
      return finding({ ...base, verdict: 'stale' });
    case 'dependency':
    case 'approval':
      return finding({ ...base, verdict: 'waiting' });
    case 'artifact': {
      // A source that never had an artifact carries the fault: the join names it. Otherwise the fault is here.
      const born = settled.createdAt + birthGrace;
      const sources = around.source ? [around.source, ...around.otherSources] : around.otherSources;
      if (sources.some((source) => source.state === 'present' && source.observation?.hasArtifact === false))
        return finding({ ...base, verdict: 'waiting' });
      if (now < born) return finding({ ...base, verdict: 'progressing', reviewAt: born });
      // What hands out no artifact because it is gone, or because nobody serves it any more, is where the fault lies.
      const lost = sources.find((source) => source.state === 'missing' || source.judgement?.verdict === 'stale');
      return finding({ ...base, verdict: 'diverged', rootCause: lost ? farEnd(lost, settled.ref) : null });
    }
    case 'fetch': {
      const born = settled.createdAt + birthGrace;
      if (settled.ref.kind === 'HelmChart' && now < born)
        return finding({ ...base, verdict: 'progressing', reviewAt: born });
      return finding({ ...base, verdict: 'diverged' });
    }
  }
}

function ofGoodSummary(settled: Observation, summary: Extract<SettledSummary, { said: 'good' }>): Finding {
  if (settled.drift.drift === 'found' && settled.drift.left) {
    return finding({
      verdict: 'drifted',
      reason: 'DriftDetected',
      message: settled.drift.message,
      sentence: `${title(settled)} differs from what is declared, and the difference is left in place.`,
      evidence: conditionEvidence(settled),
    });
  }
  return finding({
    verdict: 'converged',
    reason: summary.reason,
    message: summary.message,
    sentence: isUndoing(settled)
      ? `${title(settled)} was found to differ from what is declared, and that is being undone.`
      : goodSentence(settled),
    evidence: conditionEvidence(settled),
  });
}

/** Why an object that says nothing does so, in its message; '' where it has conditions, for its evidence names them. */
function silence({ conditions }: Observation): string {
  return conditions.length === 0 ? 'It has no condition at all.' : '';
}

/** Finding of a settled observation, whatever the object is about now. */
function settledFinding(track: Track, settled: Observation, around: Surroundings, now: number): Finding {
  const { summary } = settled;
  switch (summary.said) {
    case 'good':
      return ofGoodSummary(settled, summary);
    case 'bad':
      return ofBadSummary(settled, summary, around, now);
    case 'static':
      return finding({ verdict: 'converged', reason: 'Static', sentence: goodSentence(settled) });
    case 'nothing':
      return neverSettled(track, now, settled.createdAt, silence(settled));
    case 'busy':
      return neverSettled(track, now, track.busySince ?? track.settled?.shownAt ?? settled.createdAt, summary.message);
    case 'unrecognised':
      return finding({
        verdict: 'unobserved',
        reason: 'Unrecognised',
        message: summary.why,
        sentence: `Plumbline does not know this shape of ${settled.ref.kind}: ${summary.why}.`,
        evidence: [{ from: 'field', text: summary.why, at: null }],
      });
    case 'unreported':
      return finding({
        verdict: 'unobserved',
        reason: 'NoLoop',
        message: summary.why,
        sentence: `No loop reports on this: ${summary.why}.`,
        evidence: [{ from: 'field', text: 'declared under stacks in plumbline.yaml', at: null }],
      });
  }
}

function unobservedSpec(track: Track, now: number): Finding | null {
  const since = track.unobservedSpecSince;
  if (since === null || track.latest.suspended) return null;
  const seen = since + observeGrace;
  const pending = finding({ verdict: 'converged', sentence: '', reviewAt: seen });
  if (now < seen) return pending;
  const evidence: Evidence[] = [
    {
      from: 'field',
      text: `generation ${track.latest.generation}, looked at up to ${track.latest.observedGeneration}`,
      at: since,
    },
  ];
  const stuck = since + Math.max(settleGrace, track.latest.cadence.timeout ?? 0);
  return finding({
    verdict: now >= stuck ? 'diverged' : 'progressing',
    reason: now >= stuck ? 'NeverSettled' : 'SpecNotObserved',
    sentence: `The spec of ${title(track.latest)} was changed, and its reconciler has not looked at it.`,
    evidence,
    reviewAt: now >= stuck ? null : stuck,
  });
}

/** Drift that its reconciler found and is undoing is an affair of seconds; where it lasts, it is left in place after all. */
function notUndone(track: Track, now: number): Finding | null {
  const { undoingSince, latest } = track;
  if (undoingSince === null || latest.suspended) return null;
  const until = undoingSince + undoGrace;
  if (now < until) return finding({ verdict: 'converged', sentence: '', reviewAt: until });
  return finding({
    verdict: 'drifted',
    reason: 'DriftNotUndone',
    message: latest.drift.drift === 'found' ? latest.drift.message : '',
    sentence: `${title(latest)} differs from what is declared, and its reconciler has not undone that.`,
    evidence: [
      ...conditionEvidence(latest),
      { from: 'clock', text: 'found to differ, and not undone since', at: undoingSince },
    ],
  });
}

const notOnCluster = ' is in the inventory but not on the cluster.';

/** True for the message that something of an inventory is not there, which names it. */
export function namesListed(message: string): boolean {
  return message.endsWith(notOnCluster);
}

function missingFromCluster(track: Track, around: Surroundings, now: number): Finding | null {
  if (track.latest.suspended) return null;
  const patience = track.latest.cadence.interval ?? 5 * minute;
  let next: number | null = null;
  for (const { ref, since } of around.missing) {
    const until = since + patience;
    if (now < until) {
      next = earliest(next, until);
      continue;
    }
    return finding({
      verdict: 'diverged',
      reason: 'Missing',
      message: `${ref.kind} ${ref.namespace === '' ? '' : `${ref.namespace}/`}${ref.name}${notOnCluster}`,
      sentence: `${title(track.latest)} lists ${ref.kind} ${ref.name} as applied, but it is not on the cluster.`,
      names: [ref],
      evidence: [{ from: 'field', text: 'status.inventory', at: since }],
    });
  }
  return next === null ? null : finding({ verdict: 'converged', sentence: '', reviewAt: next });
}

function ownFindings(track: Track, around: Surroundings, now: number): readonly Finding[] {
  const { latest, settled } = track;
  const found: Finding[] = [];
  if (latest.deletedAt !== null) found.push(deleting(track, latest.deletedAt, now));
  if (settled) {
    found.push(settledFinding(track, settled.observation, around, now));
    if (track.busySince !== null && latest.suspended === null && settled.observation.summary.said !== 'busy') {
      const stuck = track.busySince + Math.max(latest.cadence.timeout ?? 0, settleGrace);
      found.push(
        now >= stuck
          ? neverSettled(track, now, track.busySince, latest.summary.said === 'busy' ? latest.summary.message : '')
          : finding({ verdict: 'converged', sentence: '', reviewAt: stuck }),
      );
    }
  } else {
    // Seen from its birth on, its own age counts; one that was busy at first sight is given its time from then.
    const fromBirth = latest.summary.said !== 'busy' || seenFromBirth(track);
    found.push(neverSettled(track, now, fromBirth ? latest.createdAt : track.firstSeenAt, ''));
  }
  for (const other of [notUndone(track, now), unobservedSpec(track, now), missingFromCluster(track, around, now)])
    if (other) found.push(other);
  return found;
}

/**
 * Finding of an object's own words, before what it depends on and before its heartbeat.
 * Rules: docs/design/verdicts.md; what reconcilers say: docs/facts/flux.md, docs/facts/crossplane.md.
 */
export function ownFinding(track: Track, around: Surroundings, now: number): Finding {
  const [first, ...others] = ownFindings(track, around, now);
  if (!first) throw new Error('an object without any finding');
  return others.reduce(worseFinding, first);
}
