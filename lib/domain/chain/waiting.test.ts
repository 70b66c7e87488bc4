import { describe, expect, it } from 'vitest';
import { defaultPolicy } from '../guarantee/guarantee.ts';
import { judge } from '../verdict/judge.ts';
import type { Observation } from '../observation/observation.ts';
import type { Surroundings } from '../verdict/subject.ts';
import {
  around,
  bad,
  judged,
  noon,
  observed,
  revisionA,
  revisionB,
  source,
  standing,
  tracked,
} from '../testing/observed.ts';
import { begin, receive, settle, type Track } from '../observation/track.ts';
import { minute } from '../time/length.ts';

function verdictOf(
  observation: Observation,
  surroundings: Surroundings = around(),
  track: Track = tracked(observation),
) {
  return judge({ track }, surroundings, defaultPolicy, noon);
}

describe('dependencies', () => {
  const waits = observed({ summary: bad('dependency', 'DependencyNotReady') });
  const dependency = observed({ ref: { ...observed().ref, name: 'base' } });

  it('names the far end of the chain', () => {
    const far = { ...observed().ref, name: 'far' };
    const blocker = standing(dependency, 'waiting', { judgement: judged('waiting', { type: 'object', ref: far }) });
    expect(verdictOf(waits, around({ dependencies: [blocker] }))).toMatchObject({
      verdict: 'waiting',
      rootCause: { type: 'object', ref: far },
    });
  });

  const rolledFrom = (before: Observation, minutes: number): Track =>
    settle(
      receive(begin(before, noon - 60 * minute, true), { ...waits, resourceVersion: '2' }, noon - minutes * minute),
      noon - minutes * minute + 1_000,
    );
  const calm = around({ dependencies: [standing(dependency, 'converged')] });
  const onItsWay = standing(dependency, 'converged', {
    judgement: { ...judged('converged'), offered: revisionB },
    lastPassAt: noon - 5 * minute,
  });
  const wave = around({ dependencies: [onItsWay] });

  it('rolls with a wave, and waits once the wave takes too long', () => {
    expect(verdictOf(waits, wave, rolledFrom(observed(), 1))).toMatchObject({ verdict: 'converged', rolling: true });
    expect(verdictOf(waits, wave, rolledFrom(observed(), 11))).toMatchObject({ verdict: 'waiting', rolling: false });
  });

  it('waits where there is no wave: its dependency has arrived, and says why by its own words', () => {
    const arrived = standing(dependency, 'converged', { lastPassAt: noon - 5 * minute });
    const lacking = "dependency 'flux-system/base' is not ready according to readyExpr eval";
    const summary = bad('dependency', 'DependencyNotReady', lacking);
    for (const [minutes, passedAt] of [
      [2, noon - 5 * minute],
      [0.5, noon - 20_000],
    ] as const) {
      const asked = noon - minutes * minute;
      const began = begin(observed(), noon - 60 * minute, true);
      const track = settle(receive(began, { ...waits, summary, resourceVersion: '2' }, asked), asked + 1_000);
      const found = verdictOf(waits, around({ dependencies: [{ ...arrived, lastPassAt: passedAt }] }), track);
      expect(found).toMatchObject({ verdict: 'waiting', rolling: false, rootCause: { ref: dependency.ref } });
      expect(found.sentence).toMatch(
        /^It waits for Kustomization base, which does not meet its readyExpr\. The cluster/,
      );
    }
  });

  it('has its turn after a dependency that was in the middle of a pass when it asked, and no longer', () => {
    const asked = (seconds: number) => rolledFrom(observed(), seconds / 60);
    const passing = around({ dependencies: [standing(dependency, 'converged', { lastPassAt: noon - 30_000 })] });
    const busy = around({ dependencies: [standing(dependency, 'converged', { busySince: noon - 31_000 })] });
    expect(verdictOf(waits, passing, asked(30.4))).toMatchObject({ verdict: 'converged', rolling: true });
    expect(verdictOf(waits, busy, asked(30))).toMatchObject({ verdict: 'converged', rolling: true });
    expect(verdictOf(waits, busy, asked(60))).toMatchObject({ verdict: 'waiting', rolling: false });
  });

  it('before its first apply it waits for its dependency, whatever it said before', () => {
    const never = { revisions: { applied: null, attempted: null, artifact: null, origin: null } };
    const born = observed({ ...never, summary: bad('artifact', 'ArtifactFailed'), createdAt: noon - 5 * minute });
    const asked = noon - 4 * minute;
    const next = { ...waits, ...never, resourceVersion: '2' };
    const track = settle(receive(begin(born, noon - 5 * minute, true), next, asked), asked + 1_000);
    expect(verdictOf(waits, wave, track)).toMatchObject({ verdict: 'waiting', rootCause: { ref: dependency.ref } });
  });

  it('what was diverged before the wave stays so: a wave makes nothing green', () => {
    const before = observed({ summary: bad('apply', 'BuildFailed') });
    expect(verdictOf(waits, wave, rolledFrom(before, 1))).toMatchObject({
      verdict: 'diverged',
      reason: 'BuildFailed',
      rolling: false,
    });
  });

  it('rolls with a wave also where its dependency was judged before the new commit', () => {
    const from = source({ revisions: { applied: null, attempted: null, artifact: revisionB, origin: null } });
    const fresh = standing(from, 'converged', { artifactSince: noon - minute });
    const arrived = { ...judged('converged'), offered: revisionA };
    const same = standing({ ...dependency, source: from.ref }, 'converged', { judgement: arrived });
    const track = rolledFrom(observed({ source: from.ref }), 1);
    const sourced = {
      ...track,
      settled: track.settled && { ...track.settled, observation: { ...waits, source: from.ref } },
    };
    expect(verdictOf(waits, around({ source: fresh, dependencies: [same] }), sourced)).toMatchObject({
      verdict: 'converged',
      rolling: true,
    });
  });

  it('rolls with a dependency that waits its own turn', () => {
    const rolling = standing({ ...waits, ref: dependency.ref }, 'converged');
    const judgement = verdictOf(waits, around({ dependencies: [rolling] }), rolledFrom(observed(), 1));
    expect(judgement).toMatchObject({ verdict: 'converged', rolling: true });
  });

  it('rolls also where its dependency is heard to pass a moment before it asked', () => {
    const just = around({ dependencies: [standing(dependency, 'converged', { lastPassAt: noon - 30_900 })] });
    expect(verdictOf(waits, just, rolledFrom(observed(), 0.5))).toMatchObject({ verdict: 'converged', rolling: true });
  });

  it('waits without a wave only once it would have been heard that its dependency was in the middle of a pass', () => {
    const asked = rolledFrom(observed(), 2);
    const at = noon - 2 * minute;
    const quiet = around({ dependencies: [standing(dependency, 'converged', { lastPassAt: noon - 5 * minute })] });
    const soon = judge({ track: asked }, quiet, defaultPolicy, at + 150);
    expect(soon).toMatchObject({ verdict: 'converged', rolling: true, reviewAt: at + 1_000 });
    expect(judge({ track: asked }, quiet, defaultPolicy, at + 1_000)).toMatchObject({ verdict: 'waiting' });
    const again = receive(asked, { ...waits, resourceVersion: '3' }, noon - 10_000);
    expect(judge({ track: again }, quiet, defaultPolicy, noon - 9_900)).toMatchObject({ verdict: 'converged' });
    const heard = around({ dependencies: [standing(dependency, 'converged', { lastPassAt: at + 160 })] });
    expect(judge({ track: asked }, heard, defaultPolicy, at + 1_000)).toMatchObject({
      verdict: 'converged',
      rolling: true,
      reviewAt: at + 160 + minute,
    });
  });

  it('rolls until the next try after its dependency has arrived, however deep the wave was', () => {
    const passed = (seconds: number) =>
      around({ dependencies: [standing(dependency, 'converged', { lastPassAt: noon - seconds * 1_000 })] });
    const track = rolledFrom(observed(), 2);
    expect(verdictOf(waits, passed(9), track)).toMatchObject({ verdict: 'converged', rolling: true });
    expect(verdictOf(waits, passed(61), track)).toMatchObject({ verdict: 'waiting', rolling: false });
  });

  it('a wave covers nothing else that is the matter with it', () => {
    const edited = receive(rolledFrom(observed(), 1), { ...waits, resourceVersion: '3', generation: 2 }, noon - 30_000);
    expect(verdictOf(waits, wave, settle(edited, noon))).toMatchObject({
      verdict: 'progressing',
      reason: 'SpecNotObserved',
      rolling: false,
    });
  });

  it('a wave does not lengthen the grace of what is offered', () => {
    const newer = source({ revisions: { applied: null, attempted: null, artifact: revisionB, origin: null } });
    const late = standing(newer, 'converged', { artifactSince: noon - 11 * minute });
    const track = rolledFrom(observed({ source: newer.ref }), 1);
    expect(verdictOf(waits, { ...wave, source: late }, track)).toMatchObject({ verdict: 'waiting', rolling: false });
  });

  it('what was bad before a wave is no less so because it has been offered something newer for long', () => {
    const newer = source({ revisions: { applied: null, attempted: null, artifact: revisionB, origin: null } });
    const late = standing(newer, 'converged', { artifactSince: noon - 11 * minute });
    const track = rolledFrom(observed({ source: newer.ref, summary: bad('apply', 'BuildFailed') }), 1);
    const judgement = judge({ track, newerSince: noon - 20 * minute }, { ...wave, source: late }, defaultPolicy, noon);
    expect(judgement).toMatchObject({ verdict: 'diverged', reason: 'BuildFailed', rolling: false });
  });

  it('what takes nothing up is behind also where commits come faster than the grace', () => {
    const newer = source({ revisions: { applied: null, attempted: null, artifact: revisionB, origin: null } });
    const fresh = around({ source: standing(newer, 'converged', { artifactSince: noon - minute }) });
    const track = begin(observed({ source: newer.ref }), noon - minute, true);
    const since = (minutes: number) =>
      judge({ track, newerSince: noon - minutes * minute }, fresh, defaultPolicy, noon);
    expect(since(11)).toMatchObject({ verdict: 'behind' });
    expect(since(9)).toMatchObject({ verdict: 'converged', reviewAt: noon + minute });
  });

  it('who waits is not behind, however long', () => {
    const newer = source({ revisions: { applied: null, attempted: null, artifact: revisionB, origin: null } });
    const late = standing(newer, 'converged', { artifactSince: noon - 60 * minute });
    const blocked = around({ source: late, dependencies: [standing(dependency, 'diverged')] });
    expect(verdictOf({ ...waits, source: newer.ref }, blocked, rolledFrom(observed(), 50))).toMatchObject({
      verdict: 'waiting',
      rootCause: { ref: dependency.ref },
    });
  });

  describe('a pass that goes on beyond its dependencies', () => {
    const busy = observed({
      summary: { said: 'busy', reason: 'Progressing', message: 'Reconciliation in progress', before: null },
      reconciling: true,
      resourceVersion: '3',
    });
    const passing = (track: Track, seconds: number): Track => receive(track, busy, noon - seconds * 1_000);

    it('waits for as long as it may still be looking at them', () => {
      const slow = { ...waits, reconciler: 'pulumi' } as const;
      const track = rolledFrom(observed(), 11);
      const looking = passing({ ...track, settled: track.settled && { ...track.settled, observation: slow } }, 9);
      const judgement = judge({ track: looking }, calm, defaultPolicy, noon);
      expect(judgement).toMatchObject({ verdict: 'waiting', reviewAt: noon + 1_000 });
    });

    it('is no news while it may be over at once', () => {
      const judgement = judge({ track: passing(rolledFrom(observed(), 11), 1) }, calm, defaultPolicy, noon);
      expect(judgement).toMatchObject({ verdict: 'waiting', reviewAt: noon + 1_000 });
    });

    it('is again what it was before it waited', () => {
      const track = passing(rolledFrom(observed(), 11), 2);
      expect(verdictOf(busy, calm, track)).toMatchObject({ verdict: 'converged', rolling: false, rootCause: null });
      const broken = passing(rolledFrom(observed({ summary: bad('apply', 'BuildFailed') }), 11), 2);
      expect(verdictOf(busy, calm, broken)).toMatchObject({ verdict: 'diverged', reason: 'BuildFailed' });
    });

    it('has not settled where nothing is known of before', () => {
      const track = passing(begin(waits, noon - 20 * minute, true), 10);
      expect(verdictOf(busy, calm, track)).toMatchObject({ verdict: 'progressing', rootCause: null });
    });

    it('is behind once it takes too long', () => {
      const newer = source({ revisions: { applied: null, attempted: null, artifact: revisionB, origin: null } });
      const late = standing(newer, 'converged', { artifactSince: noon - 11 * minute });
      const track = passing(rolledFrom(observed({ source: newer.ref }), 11), 10);
      const from = {
        ...track,
        settled: track.settled && {
          ...track.settled,
          observation: { ...track.settled.observation, source: newer.ref },
        },
      };
      expect(verdictOf(busy, { ...calm, source: late }, from)).toMatchObject({ verdict: 'behind' });
    });
  });

  it('what was never seen otherwise waits', () => {
    expect(verdictOf(waits, calm, begin(waits, noon - minute, true))).toMatchObject({
      verdict: 'waiting',
      rolling: false,
    });
  });

  it('does not roll over a dependency that is diverged', () => {
    expect(
      verdictOf(waits, around({ dependencies: [standing(dependency, 'diverged')] }), rolledFrom(observed(), 1)).verdict,
    ).toBe('waiting');
  });
});
