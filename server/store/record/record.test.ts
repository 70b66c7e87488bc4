import { describe, expect, it } from 'vitest';
import type { Transition } from '#lib/domain/record/current.ts';
import type { Absence } from '#lib/domain/record/absence.ts';
import { noShares } from '#lib/domain/record/segments.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import type { CoverageChange } from '../port/port.ts';
import { readRecord } from './record.ts';
import { refOf, transitionOf } from '#test/contract/store-records.ts';

const object = refOf('a', 1);
const all = { clusters: null };
const period = { from: 100, to: 200 };

function noted(noticedAt: number, to: Verdict | null, ref = object): Transition {
  return transitionOf(ref, noticedAt, { noticedAt, from: null, to });
}

function seen(at: number, observed: boolean, kind: CoverageChange['kind'] = null): CoverageChange {
  return { cluster: 'a', kind, at, observed, state: observed ? 'live' : 'unreachable', reason: null };
}

function absence(openedAt: number, noticedAt: number, closedAt: number | null): Absence {
  return {
    ref: object,
    uid: 'u',
    openedAt,
    bound: 'exact',
    noticedAt,
    closedAt,
    ended: closedAt === null ? null : 'converged',
    worst: 'diverged',
    reason: 'BuildFailed',
    rootCause: null,
    range: null,
  };
}

describe('the record over rows', () => {
  it('makes spans of transitions: one ends where the next begins, or with a removal', async () => {
    const record = readRecord({
      transitions: [noted(10, 'converged'), noted(50, 'diverged'), noted(90, null), noted(95, 'stale')],
    });
    const spans = await record.spans(object, { from: 0, to: 200 }, 9);
    expect(spans.map(({ verdict, from, to }) => [verdict, from, to])).toEqual([
      ['converged', 10, 50],
      ['diverged', 50, 90],
      ['stale', 95, null],
    ]);
    expect(await record.spans(object, { from: 50, to: 95 }, 9)).toHaveLength(1);
    expect(await record.objectCount(all, { from: 30, to: 95 })).toBe(1);
    expect(await record.objectCount(all, { from: 90, to: 95 })).toBe(0);
    expect(await record.hasObject(all, { from: 30, to: 95 })).toBe(true);
    expect(await record.hasObject(all, { from: 90, to: 95 })).toBe(false);
  });

  it.each<{ name: string; coverage: CoverageChange[]; shares: Partial<typeof noShares> }>([
    { name: 'no coverage at all', coverage: [], shares: { converged: 50, diverged: 50 } },
    {
      name: 'a cluster that is lost',
      coverage: [seen(0, true), seen(140, false), seen(160, true)],
      shares: { converged: 40, unobserved: 20, diverged: 40 },
    },
    {
      name: 'its kind, and another one',
      coverage: [seen(120, false, object), seen(130, true, object), seen(100, false, { group: '', kind: 'Other' })],
      shares: { converged: 40, unobserved: 10, diverged: 50 },
    },
  ])('sums up shares with $name', async ({ coverage, shares }) => {
    const record = readRecord({ transitions: [noted(10, 'converged'), noted(150, 'diverged')], coverage });
    expect(await record.shares(all, period, 'total')).toEqual([{ key: '', shares: { ...noShares, ...shares } }]);
    const [worst] = await record.worst(all, period, 5);
    expect(worst).toMatchObject({ ref: object, shares: { ...noShares, ...shares } });
  });

  it('counts absences by when they were known, and time overdue from when they began', async () => {
    const record = readRecord({
      transitions: [noted(10, 'converged'), noted(90, 'diverged'), noted(130, 'converged'), noted(150, 'diverged')],
      coverage: [seen(0, true), seen(180, false)],
      absences: [absence(80, 90, 130), absence(140, 150, null)],
    });
    expect(await record.absenceFigures(all, period, 15)).toEqual({
      opened: 1,
      openAtStart: 1,
      closed: 1,
      closedFromBefore: 1,
      gone: 0,
      open: 1,
      toConverge: Float64Array.of(50),
      toConvergeAtLeast: new Float64Array(0),
      toNotice: Float64Array.of(10),
      // 100 to 130 of the first, 155 to 180 of the second.
      overdue: 55,
    });
    const { items, next } = await record.absences(all, period, { order: 'longest', cursor: null, limit: 1 });
    expect(items).toMatchObject([{ openedAt: 140 }]);
    expect(await record.absences(all, period, { order: 'longest', cursor: next, limit: 1 })).toMatchObject({
      items: [{ openedAt: 80 }],
      next: null,
    });
  });

  it('takes the later word on a correction, and its count', async () => {
    const said = { at: 120, certainty: 'probable' as const, said: 'configured', count: 1 };
    const record = readRecord({
      corrections: [
        { ref: object, correction: said },
        { ref: object, correction: { ...said, count: 4 } },
      ],
    });
    expect((await record.corrections(all, period, { cursor: null, limit: 9 })).items).toMatchObject([
      { correction: { count: 4 } },
    ]);
    expect(await record.correctionDays(all, period)).toEqual([{ day: 0, certainty: 'probable', count: 4 }]);
  });

  it('tells the fleet as it was known, and who suspended', async () => {
    const fact = { type: 'suspended' as const, by: 'kubectl', field: 'spec.suspend' };
    const record = readRecord({
      transitions: [noted(110, 'suspended')],
      coverage: [seen(50, true), seen(150, false)],
      changes: [{ cluster: 'a', ref: object, at: 100, notBefore: 100, noticedAt: 109, fact }],
    });
    expect(await record.suspensions(all, period, 5)).toMatchObject([{ span: { from: 110 }, by: 'kubectl' }]);
    expect(await record.stateAt(109, all)).toMatchObject({ clusters: [{ state: 'live' }], objects: [] });
    expect(await record.stateAt(150, all)).toMatchObject({
      clusters: [{ name: 'a', state: 'unreachable' }],
      objects: [{ verdict: 'suspended', ref: object }],
    });
    expect(await record.stateAt(49, all)).toEqual({ clusters: [], objects: [] });
  });

  it('counts no second twice on the wall clock, and none that nobody looked', async () => {
    const [first, second, other] = [refOf('a', 1), { ...refOf('a', 1), cluster: 'b' }, refOf('b', 2)];
    const record = readRecord({
      transitions: [
        ...[noted(110, 'diverged', first), noted(130, 'converged', first)],
        ...[noted(120, 'stale', second), noted(150, 'converged', second)],
        ...[noted(145, 'behind', other), noted(190, 'suspended', other)],
      ],
      coverage: [seen(50, true), seen(115, false), seen(125, true), { ...seen(105, true), cluster: 'b' }],
    });
    expect(await record.wallClock(all, period, 9)).toEqual({
      // 110 to 115 and 125 to 130 on a; 120 to 150 and 145 to 190 on b.
      fleet: { away: 75, observed: 100 },
      clusters: [
        { cluster: 'a', away: 10, observed: 90 },
        { cluster: 'b', away: 70, observed: 95 },
      ],
      applications: [
        { group: other.group, kind: other.kind, name: other.name, clusters: 1, away: 45, observed: 95 },
        { group: first.group, kind: first.kind, name: first.name, clusters: 2, away: 35, observed: 100 },
      ],
    });
    expect((await record.wallClock(all, period, 1)).applications).toHaveLength(1);
    expect(await record.wallClock({ clusters: ['a'] }, { from: 116, to: 124 }, 9)).toMatchObject({
      fleet: { away: 0, observed: 0 },
      applications: [],
    });
  });
});
