import { expect, it } from 'vitest';
import { CorrectionFilter } from '#lib/api/correction.ts';
import { IncidentFilter } from '#lib/api/incident.ts';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import type { Incident } from '#lib/domain/record/incident.ts';
import { hour } from '#lib/domain/time/length.ts';
import { readRecord } from '#server/store/record/record.ts';
import { given } from '../testing/moment.ts';
import { sampleNow, sampleRef } from '../testing/sample.ts';
import { correctionList } from './correction-list.ts';
import { incidentList } from './incident-list.ts';

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
  const incidents = [
    ['a', 5],
    ['a', 1],
    ['b', 3],
  ].map(([cluster, hours], index): Incident => {
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
    const list = await incidentList({
      record: readRecord({ incidents }),
      filter: IncidentFilter.parse({}),
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
