import type { KnownObject } from '#lib/domain/alarm/known-object.ts';
import { describe, expect, it } from 'vitest';
import type { WireObjectPage } from '#lib/api/object.ts';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import type { Observation } from '#lib/domain/observation/observation.ts';
import { minute } from '#lib/domain/time/length.ts';
import { knownCluster } from '../../testing/moment.ts';
import { sampleDetail, sampleDiverged, sampleNow, sampleObject } from '../../testing/sample.ts';
import { objectPage, type ObjectPageQuestion } from './object-page.ts';

const good = sampleObject({ name: 'web' }, { confirmedAt: sampleNow - 20_000 });
const bad = sampleDiverged({ name: 'web' });

function pageOf(
  object: KnownObject,
  observation: Partial<Observation> | null = {},
  rest: Partial<ObjectPageQuestion> = {},
): WireObjectPage {
  const cluster = knownCluster('eu-west-3', [object]);
  return objectPage({
    object,
    detail: observation === null ? null : sampleDetail(object, observation),
    transitions: [],
    gaps: [],
    before: null,
    cluster,
    fleet: [cluster],
    namesakes: [],
    conflicts: [],
    chain: { alarm: object.alarm, steps: [], alerts: [], isCut: false, mend: null, asOf: null },
    notified: null,
    find: () => null,
    context: { policy: defaultPolicy, now: sampleNow, links: () => null },
    ...rest,
  });
}

const at = (ms: number): string => new Date(sampleNow + ms).toISOString();
const every = (interval: number | null, retryInterval: number | null, assumed = false) => ({
  cadence: { interval, retryInterval, timeout: null, ...(assumed ? { assumed } : {}) },
  passes: { seenBy: 'history', last: sampleNow - minute, total: 1 } as const,
});

describe('the page of an object says when it is tried again', () => {
  it.each([
    ['after its interval', good, every(10 * minute, 2 * minute), 9 * minute],
    ['a moment from now', good, every(minute + 1, null), 1],
    ['not now', good, every(minute, null), null],
    ['not in the past', good, every(1, null), null],
    ['never without an interval', good, every(null, 2 * minute), null],
    ['sooner where it fails', bad, every(10 * minute, 2 * minute), minute],
    ['after its interval where it fails and has no other', bad, every(10 * minute, null), 9 * minute],
    ['not after what is only assumed', good, every(10 * minute, null, true), null],
    ['never while it is suspended', { ...good, verdict: 'suspended' as const }, every(10 * minute, null), null],
  ])('%s', (_what, object, observation, next) => {
    const { lastAttempt, nextAttempt } = pageOf(object, observation);
    expect([lastAttempt, nextAttempt]).toEqual([at(-minute), next === null ? null : at(next)]);
  });

  it('not where no pass is known', () => {
    const passes = { seenBy: 'none', last: null, total: null } as const;
    const never = pageOf({ ...good, confirmedAt: null }, { ...every(minute, null), passes });
    expect([never.lastAttempt, never.nextAttempt]).toEqual([null, null]);
    const confirmed = pageOf(good, { ...every(minute, null), passes });
    expect([confirmed.lastAttempt, confirmed.nextAttempt]).toEqual([at(-20_000), at(40_000)]);
    const unread = pageOf(good, null);
    expect([unread.lastAttempt, unread.nextAttempt, unread.message]).toEqual([at(-20_000), null, good.message]);
  });
});

it.each([
  [{ drift: 'none' }, null],
  [{ drift: 'found', message: 'spec.replicas was changed', left: true }, 'spec.replicas was changed'],
  [{ drift: 'found', message: '', left: true }, null],
  [{ drift: 'not-measured', why: 'it is switched off' }, 'it is switched off'],
  [{ drift: 'not-measured', why: '' }, null],
] as const)('of its drift it says what its reconciler says: %j', (drift, said) => {
  expect(pageOf(good, { drift }).driftSays).toBe(said);
});

it('without its detail it says nothing of drift', () => {
  expect(pageOf(good, null).driftSays).toBeNull();
});

describe('it lists', () => {
  const transition = {
    ref: good.ref,
    uid: 'u',
    at: sampleNow,
    bound: 'exact',
    noticedAt: sampleNow,
    from: null,
    to: 'converged',
    reason: '',
    message: '',
    commit: null,
    attempted: null,
    rootCause: null,
  } as const;

  it.each([
    [500, 500, false],
    [501, 500, true],
  ])('of %i changes %i', (found, listed, more) => {
    const { transitions, more: left } = pageOf(
      good,
      {},
      { transitions: Array.from({ length: found }, () => transition) },
    );
    expect([transitions.length, left]).toEqual([listed, { transitions: more, gaps: false }]);
  });

  it.each([
    [100, 0, false],
    [101, 1, true],
  ])('of %i gaps those from number %i on', (found, first, more) => {
    const made = Array.from({ length: found }, (_, n) => ({
      from: sampleNow + n,
      to: null,
      state: 'unreachable',
      reason: null,
    }));
    const { gaps, more: left } = pageOf(good, {}, { gaps: made });
    expect([gaps.length, gaps[0]?.from, left]).toEqual([100, at(first), { transitions: false, gaps: more }]);
  });

  it('100 of those that wait for it and of those that fail alike, from the first on', () => {
    const rootCause = { type: 'object', ref: bad.ref } as const;
    const name = (n: number): string => `o${String(n).padStart(3, '0')}`;
    const waiting = Array.from({ length: 101 }, (_, n) =>
      sampleObject({ name: name(n) }, { verdict: 'waiting', rootCause }),
    );
    const alike = Array.from({ length: 101 }, (_, n) => sampleDiverged({ cluster: `c${name(n)}`, name: 'web' }));
    const fleet = [
      knownCluster('eu-west-3', [bad, ...waiting]),
      ...alike.map((object) => knownCluster(object.ref.cluster, [object])),
    ];
    const page = pageOf(bad, {}, { fleet });
    const names = (list: WireObjectPage['alike']): unknown => [
      list.length,
      list[0]?.name,
      list[0]?.cluster,
      list.at(-1)?.name,
    ];
    expect(names(page.waitsForThis)).toEqual([100, 'o000', 'eu-west-3', 'o099']);
    expect(names(page.alike)).toEqual([100, 'web', 'co000', 'web']);
    expect(page.dependents).toBe(101);
  });
});
