import {
  claimedDeliveryFinding,
  composerFinding,
  deliveryFinding,
  unsureDeliveryFinding,
} from './delivery-findings.ts';
import { blockingDependency } from './dependency.ts';
import type { Finding } from '../verdict/finding.ts';
import type { Policy } from '../guarantee/guarantee.ts';
import { isGiven } from './given-source.ts';
import { farEnd, finding, findingsFrom, joined, nameOf, provenEnd, quietUntil } from './join.ts';
import { runtimeFinding } from '../heartbeat/loop-liveness.ts';
import { takenFrom } from './offer.ts';
import { optOutFinding } from '../exemption/opt-out.ts';
import type { ObjectRef } from '../observation/ref.ts';
import { shortRevision } from '../observation/revision.ts';
import { sourceFinding } from './source-findings.ts';
import type { RelatedObject, Subject, Surroundings } from '../verdict/subject.ts';
import { minute } from '../time/length.ts';

/** A composite names its parts before it makes them, and kinds are received in no order. */
const partGrace = minute;

function partFinding(part: RelatedObject, self: ObjectRef, now: number): Finding | null {
  const named = (part.awaySince ?? Number.NEGATIVE_INFINITY) + partGrace;
  const of = findingsFrom(part, self, 'made of');
  const found = (...said: Parameters<typeof of>): Finding => ({ ...of(...said), rootCause: provenEnd(part, self) });
  const name = nameOf(part, self);
  switch (part.state) {
    case 'unseen':
      return found('unobserved', 'PartNotObserved', `${name}, a part of it, cannot be seen.`);
    case 'missing':
      return now < named ? quietUntil(named) : found('diverged', 'PartMissing', `${name}, a part of it, is not there.`);
    case 'present': {
      const verdict = part.judgement?.verdict;
      if (!verdict || verdict === 'converged') return null;
      const shown = verdict === 'suspended' ? 'unconfirmed' : verdict;
      return found(shown, 'PartNotConverged', `${name}, a part of it, is ${verdict}.`);
    }
  }
}

/** Finding from an offer of its source that has not been taken up. Behind, past the grace: docs/design/joins.md. */
function offerFinding(
  subject: Subject,
  around: Surroundings,
  offered: string | null,
  policy: Policy,
  now: number,
): Finding | null {
  const settled = subject.track.settled?.observation;
  const { source } = around;
  if (!settled || !source) return null;
  // Who waits for a dependency, or for a person, is not slow: what it waits for carries the fault.
  const { summary } = settled;
  if (summary.said === 'bad' && (summary.fault === 'dependency' || summary.fault === 'approval')) return null;
  const taken = takenFrom(settled, source.observation, offered);
  if (!taken || taken.used === taken.offered) return null;
  // What was pointed elsewhere, or switched on again, has had no more time than since then, however old the artifact is.
  // Where commits come often the newest is never old: what counts is since when there has been any.
  const newer = Math.min(source.artifactSince ?? now, subject.newerSince ?? Infinity);
  const since = Math.max(newer, Math.min(subject.track.specSince ?? 0, now));
  const until = since + policy.behindAfter;
  if (now < until) return quietUntil(until);
  const [used, newest] = [shortRevision(taken.used), shortRevision(taken.offered)];
  const blocker = blockingDependency(around.dependencies);
  const held = blocker ? ` It depends on ${nameOf(blocker, settled.ref)}, which is not in order.` : '';
  const tried = subject.track.latest.revisions.attempted === taken.offered ? 'being tried' : 'not tried yet';
  return finding({
    verdict: 'behind',
    reason: 'Behind',
    sentence: `${settled.ref.name} ${settled.role === 'source' ? 'was made from' : 'runs'} ${used}, though ${newest} is offered.${held}`,
    names: blocker ? [source.ref, blocker.ref] : [source.ref],
    evidence: [
      { from: 'field', text: `applied ${used}, offered ${newest}, ${tried}`, names: [source.ref], at: since },
      ...(blocker ? joined(blocker, settled.ref, 'depends on') : []),
    ],
    rootCause: blocker ? farEnd(blocker, settled.ref) : null,
  });
}

/** Findings from what the subject depends on. */
export interface JoinFindings {
  /** Of its sources, its delivery, what composes it, what is offered. */
  readonly beneath: readonly Finding[];
  /** Of its parts: they are none of its own doing, and bear on nobody but itself. */
  readonly parts: readonly Finding[];
}

/** Findings from what the subject depends on. See docs/design/joins.md. Each can only make it worse, never better. */
export function joinFindings(
  subject: Subject,
  around: Surroundings,
  offered: string | null,
  policy: Policy,
  now: number,
): JoinFindings {
  const self = subject.track.latest.ref;
  const all = around.source ? [around.source, ...around.otherSources] : around.otherSources;
  const given = (source: RelatedObject): boolean => isGiven(subject.track, source.ref, now);
  const sources = all.filter(given);
  const beneath = [
    ...sources.map((source) => sourceFinding(source, subject, policy, now)),
    around.delivery ? deliveryFinding(around.delivery, self) : null,
    unsureDeliveryFinding(around.couldDeliver),
    claimedDeliveryFinding(around.claimed, now),
    optOutFinding(subject.track.latest),
    around.composer ? composerFinding(around.composer, self) : null,
    around.source && given(around.source) ? offerFinding(subject, around, offered, policy, now) : null,
    runtimeFinding(subject, around.runtime),
  ];
  return {
    beneath: beneath.filter((one) => one !== null),
    parts: around.children.map((part) => partFinding(part, self, now)).filter((one) => one !== null),
  };
}
