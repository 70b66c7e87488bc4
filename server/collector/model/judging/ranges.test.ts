import { describe, expect, it } from 'vitest';
import type { CommitRange } from '#lib/domain/record/commit-range.ts';
import type { ForeignObject } from '#lib/foreign.ts';
import { minute } from '#lib/domain/time/length.ts';
import { startBed, type Bed } from '../testing/bed.ts';
import { kinds, kustomizationSpec, offering, passedWell, ready, revision } from '../testing/objects.ts';

const from = Date.UTC(2026, 10, 21, 12, 0, 0);
const spec = kustomizationSpec('control');

function control(bed: Bed, digit: string): ForeignObject {
  return bed.object(kinds.gitRepository, 'control', offering(bed.clock.now(), revision(digit)));
}

function good(bed: Bed, digit: string): ForeignObject {
  return bed.object(kinds.kustomization, 'app', { spec, status: passedWell(bed.clock.now(), revision(digit)) });
}

/** A build that fails leaves what was applied and the history of before. */
function failing(bed: Bed, tried: string, applied: string): ForeignObject {
  const now = bed.clock.now();
  const status = {
    ...passedWell(now - minute, revision(applied)),
    conditions: [ready('False', 'BuildFailed', now)],
    lastAttemptedRevision: revision(tried),
  };
  return bed.object(kinds.kustomization, 'app', { spec, status });
}

function opened(app: (bed: Bed) => ForeignObject, restored: Parameters<typeof startBed>[0] = null, at = from): Bed {
  const bed = startBed(restored, at);
  bed.open([
    [kinds.kustomization, app(bed)],
    [kinds.gitRepository, control(bed, 'a')],
  ]);
  return bed;
}

/** Offers a revision, lets the applier take it up and settle. */
function next(bed: Bed, offered: string, app: (bed: Bed) => ForeignObject): void {
  bed.write(kinds.gitRepository, control(bed, offered));
  bed.pass(5_000);
  bed.write(kinds.kustomization, app(bed));
  bed.pass(5_000);
}

function range(lastGood: string, firstBad: string, seenBetween: number | null, watched: boolean): CommitRange {
  return { lastGood: revision(lastGood), firstBad: revision(firstBad), seenBetween, watched };
}

describe('between which commits an applier broke', () => {
  it('is recorded when it fails, with what was offered between, and stays while it tries others', () => {
    const bed = opened((one) => good(one, 'a'));
    expect(bed.at('app').range).toBeNull();
    bed.write(kinds.gitRepository, control(bed, 'b'));
    bed.pass(5_000);
    next(bed, 'c', (one) => failing(one, 'c', 'a'));
    const broke = range('a', 'c', 1, true);
    expect(bed.at('app')).toMatchObject({ verdict: 'diverged', range: broke });
    next(bed, 'd', (one) => failing(one, 'd', 'a'));
    next(bed, 'e', (one) => failing(one, 'e', 'a'));
    expect(bed.at('app')).toMatchObject({ revision: { attempted: revision('e') }, range: broke });
    next(bed, 'f', (one) => good(one, 'f'));
    expect(bed.at('app')).toMatchObject({ verdict: 'converged', range: null });
  });

  it('is not lost with the collector, and what was tried meanwhile does not move it', () => {
    const first = opened((one) => good(one, 'a'));
    next(first, 'b', (one) => failing(one, 'b', 'a'));
    first.model.stop();
    const second = opened((one) => failing(one, 'd', 'a'), first.stored(), from + 30 * minute);
    second.pass(minute);
    expect(second.at('app')).toMatchObject({ revision: { attempted: revision('d') }, range: range('a', 'b', 0, true) });
    next(second, 'e', (one) => failing(one, 'e', 'a'));
    expect(second.at('app').range).toEqual(range('a', 'b', 0, true));
  });

  it('of what broke while no collector ran: where it had worked, and no claim that this was the first to fail', () => {
    const first = opened((one) => good(one, 'a'));
    first.pass(minute);
    first.model.stop();
    const second = opened((one) => failing(one, 'd', 'c'), first.stored(), from + 30 * minute);
    second.pass(minute);
    expect(second.at('app').range).toEqual(range('c', 'd', null, false));
  });

  it('of what is found failing by the first collector is what its own history tells', () => {
    const bed = opened((one) => failing(one, 'd', 'a'));
    expect(bed.at('app').range).toEqual(range('a', 'd', null, false));
  });

  it('of what was born failing: it never worked', () => {
    const bed = opened((one) => good(one, 'a'));
    const status = {
      conditions: [ready('False', 'BuildFailed', bed.clock.now())],
      lastAttemptedRevision: revision('a'),
    };
    bed.write(kinds.kustomization, bed.object(kinds.kustomization, 'young', { uid: 'young', spec, status }));
    bed.pass(minute);
    expect(bed.at('young').range).toEqual({ ...range('a', 'a', null, true), lastGood: null });
  });

  it('is none of what waits for another', () => {
    const bed = opened((one) => good(one, 'a'));
    const waiting = (one: Bed): ForeignObject => {
      const now = one.clock.now();
      const conditions = [ready('False', 'DependencyNotReady', now)];
      return one.object(kinds.kustomization, 'app', {
        spec,
        status: { ...passedWell(now, revision('a')), conditions },
      });
    };
    next(bed, 'b', waiting);
    bed.pass(20 * minute);
    expect(bed.at('app').range).toBeNull();
  });
});

describe('what is offered and not taken up', () => {
  it('is behind 10 min after the first newer commit, however often that is replaced', () => {
    const bed = opened((one) => good(one, 'a'));
    bed.write(kinds.gitRepository, control(bed, 'b'));
    bed.pass(6 * minute);
    bed.write(kinds.gitRepository, control(bed, 'c'));
    bed.pass(3 * minute);
    expect(bed.at('app').verdict).toBe('converged');
    bed.pass(2 * minute);
    expect(bed.at('app').verdict).toBe('behind');
    bed.write(kinds.kustomization, good(bed, 'b'));
    bed.pass(5_000);
    expect(bed.at('app').verdict).toBe('converged');
    bed.pass(4 * minute);
    expect(bed.at('app').verdict).toBe('converged');
    bed.pass(2 * minute);
    expect(bed.at('app').verdict).toBe('behind');
  });
});
