import { awaitedDependency } from './dependency.ts';
import { earliest, type Finding } from './finding.ts';
import type { Policy } from './guarantee.ts';
import { farEnd, joined, nameOf } from './join.ts';
import { ownFinding } from './own-finding.ts';
import type { Subject, Surroundings } from './subject.ts';

/** What becomes of an object's own finding while it waits for a dependency; `rolling`: it only waits its turn in a wave. */
export interface Waiting {
  readonly finding: Finding;
  readonly rolling: boolean;
}

/**
 * DependencyNotReady: a wave that rolls on, or a dependency that carries the fault and is named as root cause. `offered` is the
 * newest revision of its source (null for unknown), `now` ms. DESIGN.md "Settling" and "Joins".
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
  const word = settled?.observation.word;
  if (!settled || word?.said !== 'bad' || word.fault !== 'dependency' || own.verdict !== 'waiting')
    return { finding: own, rolling: false };
  const self = settled.observation.ref;
  const awaited = awaitedDependency(settled.observation, around.dependencies);
  if (awaited?.blocks === true) {
    const { standing } = awaited;
    const verdict = standing.judgement?.verdict ?? (standing.state === 'missing' ? 'not there' : 'not seen');
    return {
      finding: {
        ...own,
        sentence: `It waits for ${nameOf(standing, self)}, which is ${verdict}.`,
        rootCause: farEnd(standing, self),
        evidence: [...own.evidence, ...joined(standing, self, 'depends on')],
      },
      rolling: false,
    };
  }
  const { applied } = settled.observation.revisions;
  const isNewer = offered !== null && applied !== null && applied !== offered;
  const since = Math.min(
    settled.shownAt,
    isNewer ? (around.source?.artifactSince ?? settled.shownAt) : settled.shownAt,
  );
  const until = since + policy.behindAfter;
  const before = subject.track.beforeWait;
  if (before && now < until) {
    // A wave rolls through what it depends on: until it has passed, the object is what it was.
    const kept = ownFinding(
      { ...subject.track, settled: { ...settled, observation: { ...settled.observation, word: before } } },
      around,
      now,
    );
    const rolling = kept.verdict === 'converged';
    const sentence = rolling ? `It waits its turn in a wave. ${kept.sentence}` : kept.sentence;
    return { finding: { ...kept, sentence, reviewAt: earliest(own.reviewAt, kept.reviewAt, until) }, rolling };
  }
  return { finding: { ...own, rootCause: awaited ? farEnd(awaited.standing, self) : null }, rolling: false };
}
