// Random histories through track, judge, clocks and asKnownAt: what may never be said, whatever happens.
import { describe, expect, it } from 'vitest';
import { asKnownAt } from './as-known-at.ts';
import { defaultPolicy } from '../guarantee/guarantee.ts';
import { world, type Step } from '../testing/random-world.ts';
import { verdictRank, type Verdict } from './verdict.ts';
import { minute } from '../time/length.ts';

const seeds = Array.from({ length: 60 }, (_, index) => index + 1);
const steps = 150;

/** Runs every world; the first three steps that break the rule are told with their seeds. */
function brokenBy(rule: (step: Step) => string | null): readonly string[] {
  const broken: string[] = [];
  let judged = 0;
  for (const seed of seeds) {
    world(seed, steps, (step) => {
      judged += 1;
      const wrong = rule(step);
      if (wrong !== null)
        broken.push(
          `seed ${seed}, ${step.tracked.track.latest.ref.name} at ${step.now}: ${wrong} (${JSON.stringify(step.judgement)})`,
        );
    });
  }
  return judged === seeds.length * steps * 6 ? broken.slice(0, 3) : [`${judged} were judged`];
}

const stood: readonly Verdict[] = ['stale', 'unobserved'];
const blindOrOff: readonly Verdict[] = [...stood, 'suspended'];
const cutOff: readonly Verdict[] = ['diverged', 'stale', 'unobserved', 'suspended', 'unconfirmed'];

/** Why an object that is called converged is not known to be. */
function unproved({ tracked, surroundings, judgement, now }: Step): string | null {
  const { track } = tracked;
  const settled = track.settled?.observation;
  if (!settled) return 'it never settled';
  const { summary } = settled;
  const waits = summary.said === 'bad' && summary.fault === 'dependency';
  if (summary.said !== 'good' && summary.said !== 'static' && !(waits && judgement.rolling))
    return `it said ${summary.said}`;
  if (track.latest.suspended) return 'it is switched off';
  if (settled.drift.drift === 'found' && settled.drift.left) return 'it has drifted';
  if (track.undoingSince !== null && now >= track.undoingSince + 30_000) return 'its drift is not undone';
  if (judgement.confirmation === 'none') return 'nothing confirms it';
  if (judgement.validUntil !== null && judgement.validUntil <= now) return 'its proof has run out';
  if (
    judgement.confirmation === 'controller' &&
    surroundings.heartbeat?.state !== 'alive' &&
    surroundings.delivery?.judgement?.verdict !== 'converged'
  )
    return 'its controller is not known to live';
  if (track.latest.deletedAt !== null) return 'it is being deleted';
  if (track.unobservedSpecSince !== null && now >= track.unobservedSpecSince + 10_000)
    return 'its spec was not looked at';
  const { source, otherSources, delivery, composer, children } = surroundings;
  if (delivery?.judgement && delivery.judgement.verdict !== 'converged') return 'what delivers it is not converged';
  for (const child of children)
    if (child.judgement && child.judgement.verdict !== 'converged') return 'a part of it is not converged';
  const handsOn = composer?.judgement?.withoutParts ?? composer?.judgement;
  if (handsOn && cutOff.includes(handsOn.verdict) && handsOn.reason !== 'NeverSettled')
    return 'what composes it hands nothing on';
  for (const other of otherSources) {
    const checkedAt = other.observation?.summary.said !== 'static';
    if (checkedAt && other.judgement && blindOrOff.includes(other.judgement.verdict))
      return 'a source of it is blind or off';
  }
  // A repository that is static (HelmRepository of type oci) is not looked at: its charts are.
  const checksGit = source?.observation?.summary.said !== 'static';
  if (checksGit && source?.judgement && stood.includes(source.judgement.verdict)) return 'its source is blind';
  if (checksGit && source?.judgement?.verdict === 'suspended') return 'its source is switched off';
  const { applied } = settled.revisions;
  const offered = source?.observation?.revisions.artifact ?? null;
  const since = Math.max(source?.artifactSince ?? now, track.specSince ?? 0);
  if (
    settled.role === 'applier' &&
    source &&
    applied !== null &&
    offered !== null &&
    applied !== offered &&
    now >= since + defaultPolicy.behindAfter
  )
    return 'it is behind';
  return null;
}

describe('whatever happens', () => {
  it('nothing is converged that is not known to be', () => {
    let green = 0;
    expect(
      brokenBy((step) => {
        if (step.judgement.verdict !== 'converged') return null;
        green += 1;
        return unproved(step);
      }),
    ).toEqual([]);
    // A rule about what never is proves nothing.
    expect(green).toBeGreaterThan(500);
  });

  it('nothing is better than what it depends on makes it', () => {
    expect(
      brokenBy(({ judgement, surroundings }) => {
        for (const child of surroundings.children) {
          if (
            child.judgement &&
            child.judgement.verdict !== 'suspended' &&
            judgement.verdict !== 'suspended' &&
            judgement.verdict !== 'stale' &&
            verdictRank(judgement.verdict) > verdictRank(child.judgement.verdict)
          )
            return `a part is ${child.judgement.verdict}`;
        }
        return null;
      }),
    ).toEqual([]);
  });

  it('no clock lies in the future, and looks come later', () => {
    expect(
      brokenBy(({ now, clocks, judgement }) => {
        if (clocks.onset.time > now || clocks.onset.noticedAt > now) return 'its onset lies in the future';
        if (clocks.away && clocks.away.time > now) return 'its time away lies in the future';
        if (judgement.reviewAt !== null && judgement.reviewAt <= now)
          return `it should have been looked at ${now - judgement.reviewAt} ms ago`;
        return null;
      }),
    ).toEqual([]);
  });

  it('a time away does not begin again before it has ended', () => {
    expect(
      brokenBy(({ before, clocks, now }) => {
        const from = before?.away;
        if (!from || !before.trulyAway || clocks.verdict === 'converged' || !clocks.away) return null;
        // Home for good in between ends it; a clock that was set back moves it, to now at the latest.
        if (
          before.verdict === 'converged' &&
          clocks.home === null &&
          clocks.away.time >= Math.min(before.onset.time, now)
        )
          return null;
        return clocks.away.time === Math.min(from.time, now)
          ? null
          : `away since ${from.time}, then since ${clocks.away.time}`;
      }),
    ).toEqual([]);
  });

  it('what is not converged has been away since some time, and what is away is told so', () => {
    expect(
      brokenBy(({ judgement, clocks, record: stored }) => {
        if (judgement.verdict !== clocks.verdict) return 'the clocks tell of another verdict';
        return (stored.awaySince === null) === (judgement.verdict === 'converged')
          ? null
          : 'awaySince and verdict do not agree';
      }),
    ).toEqual([]);
  });

  it('nothing is green to a reader that nobody sees or vouches for', () => {
    expect(
      brokenBy(({ record: stored, cluster, now, judgement }) => {
        for (const at of [now, now + 44_000, now + 46_000, now + 24 * 60 * minute]) {
          const known = asKnownAt(stored, cluster, at);
          if (known.onset.time > at) return 'its onset lies in the future';
          if (known.verdict !== 'converged') continue;
          const feed = cluster.feeds.find((one) => one.kind === stored.ref.kind);
          if (cluster.state !== 'live' || at >= cluster.validUntil) return 'its cluster is not seen';
          if (!feed || (feed.state !== 'live' && feed.state !== 'idle')) return 'its kind is not read';
          if (judgement.validUntil !== null && at >= judgement.validUntil) return 'its proof has run out';
        }
        return null;
      }),
    ).toEqual([]);
  });

  it('what is said has words and a reason', () => {
    expect(
      brokenBy(({ judgement }) => (judgement.sentence === '' || judgement.reason === '' ? 'nothing is said' : null)),
    ).toEqual([]);
  });
});
