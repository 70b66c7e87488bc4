// Who was called for the part of an incident that is seen.
import { expect, it } from 'vitest';
import type { AlarmCall } from '#lib/domain/alarm/call.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import type { Absence } from '#lib/domain/record/absence.ts';
import { day, hour } from '#lib/domain/time/length.ts';
import { checkout, october, octoberHistory } from '../../report/testing/october.ts';
import { recorded } from '../../report/testing/recorded.ts';
import { sightOf } from '../sight.ts';
import { recordWithin } from './record-within.ts';

const from = october + 2 * day;
const to = from + 10 * hour;
const cluster = 'eu-west-3';
const [x, y]: readonly [ObjectRef, ObjectRef] = [
  { ...checkout, namespace: 'apps', name: 'x' },
  { ...checkout, namespace: 'ops', name: 'y' },
];
/** Both wait for it. */
const base: ObjectRef = { ...checkout, namespace: 'platform', name: 'base' };

function away(ref: ObjectRef): Absence {
  return {
    ref,
    uid: `uid-${ref.name}`,
    openedAt: from,
    bound: 'exact',
    noticedAt: from,
    closedAt: to,
    ended: 'converged',
    worst: 'waiting',
    reason: 'DependencyNotReady',
    rootCause: { type: 'object', ref: base },
    range: null,
  };
}

function call(key: string, labels: AlarmCall['labels']): AlarmCall {
  return {
    ...{ source: 'prom', key, alert: `Alert-${key}`, labels, receivers: ['oncall'], cluster, readsObjects: true },
    ...{ startsAt: from + hour, from: from + hour, to: from + 2 * hour },
  };
}

const forX = call('x', { customresource_kind: x.kind, exported_namespace: 'apps', name: 'x' });
const forBase = call('base', { customresource_kind: base.kind, exported_namespace: 'platform', name: 'base' });

async function calledFor(namespaces: readonly string[] | null, calls: readonly AlarmCall[]) {
  const alarmCoverage = [{ source: 'prom', at: from - day, read: true, clusters: [cluster], reason: null }];
  const own = { worst: 'diverged', reason: 'BuildFailed', rootCause: null } as const;
  const absences = [{ ...away(base), ...own }, away(x), away(y)];
  const sight = sightOf([{ clusters: [cluster], namespaces }]);
  const record = recordWithin(recorded({ ...octoberHistory, absences, calls, alarmCoverage }), () => sight);
  const period = { from: october, to: october + 30 * day };
  const question = { scope: { clusters: null }, period, at: period.to, order: 'newest' } as const;
  const { items } = await record.incidents(question, { cursor: null, limit: 10 });
  expect(items).toHaveLength(1);
  const ids = items.map(({ id }) => id);
  const told = (await record.incidentCalls(ids, period.to)).get(ids[0] ?? '');
  return told && { count: told.count, first: told.first?.call.alert ?? null, silent: told.silent };
}

it('is told where the call is for a member that is seen', async () => {
  expect(await calledFor(['apps'], [forX])).toEqual({ count: 1, first: 'Alert-x', silent: 9 * hour });
});

it('is nobody where the only call is for a member that is not, and that is known', async () => {
  expect(await calledFor(['ops'], [forX])).toEqual({ count: 0, first: null, silent: 10 * hour });
});

it('is not known where a call is for something outside that they wait for', async () => {
  expect(await calledFor(null, [forBase])).toMatchObject({ count: 1, first: 'Alert-base' });
  expect(await calledFor(['ops'], [forBase])).toBeNull();
  expect(await calledFor(['apps'], [forX, forBase])).toBeNull();
});

it('news have places of their own, which do not count what happened outside', async () => {
  const places = async (namespaces: readonly string[] | null) => {
    const sight = sightOf([{ clusters: [cluster], namespaces }]);
    const elsewhere = { ...checkout, cluster: 'stg-us', name: 'z' };
    const own = { worst: 'diverged', reason: 'BuildFailed', rootCause: null } as const;
    const absences = [{ ...away(elsewhere), ...own, openedAt: from - hour, noticedAt: from - hour }, away(x)];
    const all = recorded({ ...octoberHistory, absences: [...absences, { ...away(base), ...own }] });
    const told = await recordWithin(all, () => sight).incidentNews(0, 100);
    return told.news.map(({ position }) => position);
  };
  const seen = await places(['apps']);
  expect(seen.length).toBeGreaterThan(0);
  expect(seen).toEqual(seen.map((_, index) => index + 1));
});
