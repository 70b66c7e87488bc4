import { expect, it } from 'vitest';
import { CorrectionFilter } from '#lib/api/correction.ts';
import { AbsenceFilter } from '#lib/api/absence.ts';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import type { Absence } from '#lib/domain/record/absence.ts';
import { hour } from '#lib/domain/time/length.ts';
import { readRecord } from '#server/store/record/record.ts';
import { given } from '../testing/moment.ts';
import { sampleNow, sampleRef } from '../testing/sample.ts';
import { correctionList } from './correction-list.ts';
import { absenceList } from './absence-list.ts';

const context = { policy: defaultPolicy, now: sampleNow, links: () => null };
const period = { from: sampleNow - 48 * hour, to: sampleNow };

it.each<[Partial<CorrectionFilter>, string | null]>([
  [{}, null],
  [{ cluster: 'a' }, null],
  [{ name: 'x' }, 'No such object is recorded.'],
  [{ kind: 'x' }, 'No such object is recorded.'],
  [{ group: 'x' }, 'No such object is recorded.'],
  [{ namespace: 'x' }, 'No such object is recorded.'],
  [{ name: 'x', cluster: 'a,b,c' }, 'No such object is recorded on a or b or c.'],
  [{ name: 'x', cluster: 'a,b,c,d' }, 'No such object is recorded on these clusters.'],
])('an empty list of %j says: %s', async (filter, notRecorded) => {
  const record = readRecord({});
  const list = await correctionList({
    record,
    filter: { ...CorrectionFilter.parse({}), ...filter },
    scopes: [{ clusters: null }],
    period,
    context,
  });
  expect(given(list).notRecorded).toBe(notRecorded);
});

it('figures are those of all scopes together', async () => {
  const absences = [
    ['a', 5],
    ['a', 1],
    ['b', 3],
  ].map(([cluster, hours], index): Absence => {
    const opened = sampleNow - 20 * hour;
    return {
      ref: sampleRef({ cluster: String(cluster), name: `app-${index}` }),
      uid: 'u',
      openedAt: opened,
      bound: 'exact',
      noticedAt: opened,
      closedAt: opened + Number(hours) * hour,
      ended: 'converged',
      worst: 'diverged',
      reason: 'BuildFailed',
      rootCause: null,
      range: null,
    };
  });
  const figuresOf = async (...clusters: readonly string[]) => {
    const list = await absenceList({
      record: readRecord({ absences }),
      filter: AbsenceFilter.parse({}),
      scopes: clusters.map((cluster) => ({ clusters: [cluster] })),
      period,
      find: () => null,
      context,
    });
    const { opened, medianToConverge } = given(list).figures;
    return [opened, medianToConverge];
  };
  expect(await figuresOf('a', 'b')).toEqual([3, 3 * hour]);
  expect(await figuresOf('b', 'a')).toEqual([3, 3 * hour]);
  expect(await figuresOf('b')).toEqual([1, 3 * hour]);
  expect(await figuresOf()).toEqual([0, null]);
});

it('a list of one row is not said to be of nothing; an object of the very first moment was there', async () => {
  const ref = sampleRef({ name: 'x' });
  const one = { ref, correction: { at: sampleNow - hour, certainty: 'confirmed', said: '', count: 1 } } as const;
  const frame = {
    filter: CorrectionFilter.parse({ name: 'x' }),
    scopes: [{ clusters: null, name: 'x' }],
    period,
    context,
  };
  const list = await correctionList({ record: readRecord({ corrections: [one] }), ...frame });
  expect([given(list).rows.length, given(list).notRecorded]).toEqual([1, null]);
  const turn = { ref, uid: 'u', bound: 'exact', from: null, reason: '', message: '', commit: null } as const;
  const rest = { attempted: null, rootCause: null };
  const transitions = [
    { ...turn, ...rest, at: 0, noticedAt: 0, to: 'converged' as const },
    { ...turn, ...rest, at: 1, noticedAt: 1, to: null },
  ];
  const empty = await correctionList({ record: readRecord({ transitions }), ...frame });
  expect([given(empty).rows.length, given(empty).notRecorded]).toEqual([0, null]);
});
