import type { Finding } from './finding.ts';
import type { Policy } from './guarantee.ts';
import type { Cause } from './judgement.ts';
import type { Observation } from './observation.ts';
import { sameRef, type ObjectRef } from './ref.ts';
import { shortRevision } from './revision.ts';
import type { Standing, Subject, Surroundings } from './subject.ts';
import type { Verdict } from './verdict.ts';

const minute = 60_000;
/** A source that is replaced, or created a moment after its applier, is not gone. */
const replaceGrace = 10_000;
/** A composite names its parts before it makes them, and kinds are heard in no order. */
const partGrace = minute;

function finding(part: Partial<Finding> & Pick<Finding, 'verdict' | 'sentence' | 'rootCause'>): Finding {
  return { reason: '', message: '', evidence: [], reviewAt: null, ...part };
}

/** The far end of the chain behind something that `self` stands on; in a circle, where the chain comes back to it, the nearest. */
export function farEnd(standing: Standing, self: ObjectRef): Cause {
  const far = standing.judgement?.rootCause;
  return far && !(far.type === 'object' && sameRef(far.ref, self)) ? far : { type: 'object', ref: standing.ref };
}

function nameOf(standing: Standing): string {
  return `${standing.ref.kind} ${standing.ref.name}`;
}

function joined(standing: Standing, relation: string): Finding['evidence'] {
  const verdict = standing.judgement?.verdict ?? standing.state;
  return [{ from: 'join', text: `${relation} ${nameOf(standing)}: ${verdict}`, at: standing.awaySince }];
}

/** How long a source may fail to fetch before its appliers are blind: max(3 of its intervals, 5 min). */
function blindAfter(source: Standing, policy: Policy): number {
  return Math.max(policy.staleAfterIntervals * (source.observation?.cadence.interval ?? minute), 5 * minute);
}

/** What is pinned to a commit, a digest or one chart version can miss nothing. A chart tells so by not floating. */
function isPinned(observation: Observation | null): boolean {
  if (observation?.target) return !observation.target.floating;
  const ofIndex = observation?.ref.kind === 'HelmChart' && observation.source?.kind === 'HelmRepository';
  return ofIndex && observation.exemptions.every((exemption) => exemption.kind !== 'floating-reference');
}

function throughFailingSource(source: Standing, subject: Subject, policy: Policy, now: number): Finding | null {
  const own = subject.track.settled?.observation ?? subject.track.latest;
  if (isPinned(source.observation) || (own.role === 'source' && own.hasArtifact && isPinned(own))) return null;
  const since = source.awaySince ?? now;
  const until = since + blindAfter(source, policy);
  const evidence = joined(source, 'source');
  if (now < until) return finding({ verdict: 'converged', sentence: '', rootCause: null, reviewAt: until });
  return finding({
    verdict: 'stale',
    reason: 'SourceFailing',
    sentence: `${nameOf(source)} cannot fetch any more, so nothing new from git can arrive.`,
    evidence,
    rootCause: farEnd(source, own.ref),
  });
}

function ofPresentSource(
  source: Standing,
  verdict: Verdict,
  subject: Subject,
  policy: Policy,
  now: number,
): Finding | null {
  const self = subject.track.latest.ref;
  const evidence = joined(source, 'source');
  const rootCause = farEnd(source, self);
  const hasArtifact = source.observation?.hasArtifact === true;
  if (source.observation?.word.said === 'static') return null;
  if (!hasArtifact && source.observation?.role === 'source') {
    return finding({
      verdict: 'waiting',
      reason: 'SourceWithoutArtifact',
      sentence: `It waits for ${nameOf(source)}, which has nothing to apply.`,
      evidence,
      rootCause,
    });
  }
  switch (verdict) {
    case 'unobserved':
      return finding({
        verdict: 'unobserved',
        reason: 'SourceNotObserved',
        sentence: `${nameOf(source)}, which it applies from, is not observed.`,
        evidence,
        rootCause,
      });
    case 'stale':
      return finding({
        verdict: 'stale',
        reason: 'SourceStale',
        sentence: `${nameOf(source)}, which it applies from, is stale, so nothing new from git can arrive.`,
        evidence,
        rootCause,
      });
    case 'suspended':
      return finding({
        verdict: 'unconfirmed',
        reason: 'SourceSuspended',
        sentence: `${nameOf(source)}, which it applies from, is suspended.`,
        evidence,
        rootCause,
      });
    case 'unconfirmed':
      return finding({
        verdict: 'unconfirmed',
        reason: 'SourceUnconfirmed',
        sentence: `Nothing proves that ${nameOf(source)} still looks at git.`,
        evidence,
        rootCause,
      });
    case 'diverged':
    case 'drifted':
    case 'unhealthy':
    case 'behind':
    case 'waiting':
      return throughFailingSource(source, subject, policy, now);
    case 'progressing':
    case 'converged':
      return null;
  }
}

function quietUntil(until: number): Finding {
  return finding({ verdict: 'converged', sentence: '', rootCause: null, reviewAt: until });
}

function ofMissingSource(source: Standing, subject: Subject, now: number): Finding {
  const until = (source.awaySince ?? Number.NEGATIVE_INFINITY) + replaceGrace;
  if (now < until) return quietUntil(until);
  const observation = subject.track.settled?.observation ?? subject.track.latest;
  const base = {
    reason: 'SourceMissing',
    evidence: joined(source, 'source'),
    rootCause: farEnd(source, observation.ref),
  };
  // What never had anything from it waits for it; what has is cut off.
  return observation.revisions.applied === null && !observation.hasArtifact
    ? finding({ ...base, verdict: 'waiting', sentence: `It waits for ${nameOf(source)}, which is not there.` })
    : finding({
        ...base,
        verdict: 'stale',
        sentence: `${nameOf(source)}, which it applies from, is not there, so nothing new from git can arrive.`,
      });
}

function ofSource(source: Standing | null, subject: Subject, policy: Policy, now: number): Finding | null {
  if (!source) return null;
  const self = subject.track.latest.ref;
  const rootCause = farEnd(source, self);
  switch (source.state) {
    case 'unseen':
      return finding({
        verdict: 'unobserved',
        reason: 'SourceNotObserved',
        sentence: `${nameOf(source)}, which it applies from, cannot be seen.`,
        evidence: joined(source, 'source'),
        rootCause,
      });
    case 'missing':
      return ofMissingSource(source, subject, now);
    case 'present':
      return source.judgement ? ofPresentSource(source, source.judgement.verdict, subject, policy, now) : null;
  }
}

const blocking: Readonly<Record<Verdict, boolean>> = {
  diverged: true,
  drifted: false,
  unhealthy: true,
  stale: true,
  unobserved: true,
  suspended: true,
  behind: true,
  waiting: true,
  progressing: false,
  unconfirmed: false,
  converged: false,
};

/** The dependency that blocks, worst first; null where none of those that are seen does. */
export function blockingDependency(dependencies: readonly Standing[]): Standing | null {
  let found: Standing | null = null;
  for (const standing of dependencies) {
    if (standing.state !== 'present') return standing;
    if (
      standing.judgement &&
      blocking[standing.judgement.verdict] &&
      (!found?.judgement || found.judgement.verdict === 'waiting')
    )
      found = standing;
  }
  return found;
}

function ofDelivery(delivery: Standing | null, self: ObjectRef): Finding | null {
  if (!delivery) return null;
  const evidence = joined(delivery, 'delivered by');
  const rootCause = farEnd(delivery, self);
  if (delivery.state !== 'present') {
    return finding({
      verdict: 'unconfirmed',
      reason: 'DeliveryNotSeen',
      sentence: `${nameOf(delivery)}, which delivers it, is ${delivery.state === 'missing' ? 'not there' : 'not seen'}.`,
      evidence,
      rootCause,
    });
  }
  if (!delivery.judgement || delivery.judgement.verdict === 'converged') return null;
  return finding({
    verdict: 'unconfirmed',
    reason: 'DeliveryNotConverged',
    sentence: `${nameOf(delivery)}, which delivers it, is ${delivery.judgement.verdict}.`,
    evidence,
    rootCause,
  });
}

function ofChild(child: Standing, self: ObjectRef, now: number): Finding | null {
  const named = (child.awaySince ?? Number.NEGATIVE_INFINITY) + partGrace;
  const evidence = joined(child, 'made of');
  const rootCause = farEnd(child, self);
  switch (child.state) {
    case 'unseen':
      return finding({
        verdict: 'unobserved',
        reason: 'PartNotObserved',
        sentence: `${nameOf(child)}, a part of it, cannot be seen.`,
        evidence,
        rootCause,
      });
    case 'missing':
      if (now < named) return quietUntil(named);
      return finding({
        verdict: 'diverged',
        reason: 'PartMissing',
        sentence: `${nameOf(child)}, a part of it, is not there.`,
        evidence,
        rootCause,
      });
    case 'present':
      break;
  }
  const verdict = child.judgement?.verdict;
  if (!verdict || verdict === 'converged') return null;
  const effective = verdict === 'suspended' ? 'unconfirmed' : verdict;
  return finding({
    verdict: effective,
    reason: 'PartNotConverged',
    sentence: `${nameOf(child)}, a part of it, is ${verdict}.`,
    evidence,
    rootCause,
  });
}

function ofOffer(
  subject: Subject,
  source: Standing | null,
  offered: string | null,
  policy: Policy,
  now: number,
): Finding | null {
  const settled = subject.track.settled?.observation;
  if (!settled || settled.role !== 'applier' || offered === null || !source) return null;
  // Who waits for a dependency, or for a person, is not slow: what it waits for carries the fault.
  const { word } = settled;
  if (word.said === 'bad' && (word.fault === 'dependency' || word.fault === 'approval')) return null;
  const { applied } = settled.revisions;
  if (applied === null || applied === offered) return null;
  const since = source.artifactSince ?? now;
  const until = since + policy.behindAfter;
  if (now < until) return finding({ verdict: 'converged', sentence: '', rootCause: null, reviewAt: until });
  return finding({
    verdict: 'behind',
    reason: 'Behind',
    sentence: `${settled.ref.name} runs ${shortRevision(applied)}, though ${shortRevision(offered)} is offered.`,
    evidence: [
      { from: 'field', text: `applied ${shortRevision(applied)}, offered ${shortRevision(offered)}`, at: since },
    ],
    rootCause: null,
  });
}

/** What the subject stands on makes of it. DESIGN.md "Joins". Each finding can only make it worse, never better. */
export function joinFindings(
  subject: Subject,
  around: Surroundings,
  offered: string | null,
  policy: Policy,
  now: number,
): readonly Finding[] {
  const self = subject.track.latest.ref;
  const found = [
    ofSource(around.source, subject, policy, now),
    ofDelivery(around.delivery, self),
    ofOffer(subject, around.source, offered, policy, now),
    ...around.children.map((child) => ofChild(child, self, now)),
  ];
  return found.filter((one) => one !== null);
}
