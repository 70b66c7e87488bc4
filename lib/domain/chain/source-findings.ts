import type { Finding } from '../verdict/finding.ts';
import type { Policy } from '../guarantee/guarantee.ts';
import { findingsFrom, nameOf, quietUntil } from './join.ts';
import type { Observation } from '../observation/observation.ts';
import type { RelatedObject, Subject } from '../verdict/subject.ts';
import { minute } from '../time/length.ts';

/** A source that is replaced, or created a moment after its applier, is not gone. */
const replaceGrace = 10_000;

function ownOf(subject: Subject): Observation {
  return subject.track.settled?.observation ?? subject.track.latest;
}

/** Time for which a source may fail to fetch before its appliers are blind: max(3 of its intervals, 5 min). */
function blindAfter(source: RelatedObject, policy: Policy): number {
  return Math.max(policy.staleAfterIntervals * (source.observation?.cadence.interval ?? minute), 5 * minute);
}

/** True if it is pinned to a commit, a digest or one chart version, and so can miss nothing. A chart tells so by not floating. */
function isPinned(observation: Observation | null): boolean {
  if (observation?.target) return !observation.target.floating;
  const ofIndex = observation?.ref.kind === 'HelmChart' && observation.source?.kind === 'HelmRepository';
  return ofIndex && observation.exemptions.every((exemption) => exemption.kind !== 'floating-reference');
}

/** "which it applies from", or for what makes an artifact out of other sources "which it is made from". */
function relationOf(own: Observation): string {
  return own.role === 'source' ? 'which it is made from' : 'which it applies from';
}

function throughFailing(source: RelatedObject, own: Observation, policy: Policy, now: number): Finding | null {
  const ownChart = own.ref.kind === 'HelmChart' && own.hasArtifact && isPinned(own);
  if (isPinned(source.observation) || ownChart) return null;
  const until = (source.awaySince ?? now) + blindAfter(source, policy);
  if (now < until) return quietUntil(until);
  const sentence = `${nameOf(source, own.ref)} cannot fetch any more, so nothing new from git can arrive.`;
  return findingsFrom(source, own.ref, 'source')('stale', 'SourceFailing', sentence);
}

function ofPresent(source: RelatedObject, own: Observation, policy: Policy, now: number): Finding | null {
  const verdict = source.judgement?.verdict;
  if (verdict === undefined || source.observation?.summary.said === 'static') return null;
  const name = nameOf(source, own.ref);
  const which = relationOf(own);
  const found = findingsFrom(source, own.ref, 'source');
  if (source.observation?.hasArtifact !== true && source.observation?.role === 'source')
    return found('waiting', 'SourceWithoutArtifact', `It waits for ${name}, which has nothing to apply.`);
  switch (verdict) {
    case 'unobserved':
      return found('unobserved', 'SourceNotObserved', `${name}, ${which}, is not observed.`);
    case 'stale':
      return found('stale', 'SourceStale', `${name}, ${which}, is stale, so nothing new from git can arrive.`);
    case 'suspended':
      return found('unconfirmed', 'SourceSuspended', `${name}, ${which}, is suspended.`);
    case 'unconfirmed':
      return found('unconfirmed', 'SourceUnconfirmed', `Nothing proves that ${name} still looks at git.`);
    case 'diverged':
    case 'drifted':
    case 'unhealthy':
    case 'behind':
    case 'waiting':
      return throughFailing(source, own, policy, now);
    case 'progressing':
    case 'converged':
      return null;
  }
}

function ofMissing(source: RelatedObject, own: Observation, now: number): Finding {
  const until = (source.awaySince ?? Number.NEGATIVE_INFINITY) + replaceGrace;
  if (now < until) return quietUntil(until);
  const name = nameOf(source, own.ref);
  const found = findingsFrom(source, own.ref, 'source');
  // What never had anything from it waits for it; what has is cut off.
  return own.revisions.applied === null && !own.hasArtifact
    ? found('waiting', 'SourceMissing', `It waits for ${name}, which is not there.`)
    : found('stale', 'SourceMissing', `${name}, ${relationOf(own)}, is not there, so nothing new from git can arrive.`);
}

/**
 * Finding from a source of the subject (ms for `now`), null where it says nothing against it. Rules: docs/design/joins.md. Blind
 * through a source that is blind or fails for too long, waiting for one that never had an artifact, at best unconfirmed through
 * one that is switched off.
 */
export function sourceFinding(source: RelatedObject, subject: Subject, policy: Policy, now: number): Finding | null {
  const own = ownOf(subject);
  switch (source.state) {
    case 'unseen': {
      const sentence = `${nameOf(source, own.ref)}, ${relationOf(own)}, cannot be seen.`;
      return findingsFrom(source, own.ref, 'source')('unobserved', 'SourceNotObserved', sentence);
    }
    case 'missing':
      return ofMissing(source, own, now);
    case 'present':
      return ofPresent(source, own, policy, now);
  }
}
