import { afterEach, describe, expect, it } from 'vitest';
import type { AlarmCall } from '#lib/domain/alarm/call.ts';
import type { KnownAlarms } from '#lib/domain/alarm/chain.ts';
import { WireGo } from '#lib/api/pager/go.ts';
import { objectPath } from '#lib/api/paths.ts';
import type { Transition } from '#lib/domain/record/current.ts';
import { minute } from '#lib/domain/time/length.ts';
import { nothingRecorded } from '#server/store/record/recorded.ts';
import { alarmSourceOf } from '#test/contract/alarms/alarm-records.ts';
import { memoryStore } from '../testing/memory-reader.ts';
import { runningWeb, type RunningWeb } from '../testing/running-web.ts';
import { sampleCluster, sampleDiverged, sampleNow, sampleRef } from '../testing/sample.ts';

const fingerprint = '3b15fd163d36582e';
const checkout = sampleRef({ name: 'checkout' });
const labels = {
  alertname: 'FluxNotReady',
  k8s_cluster: 'prod-eu',
  customresource_kind: checkout.kind,
  exported_namespace: checkout.namespace,
  name: checkout.name,
};
const attribution = { label: 'k8s_cluster', aliases: { 'prod-eu': 'eu-west-3' }, clusters: [] };
const call: AlarmCall = {
  ...{ source: 'main', key: `http://am:9093 ${fingerprint}`, alert: 'FluxNotReady', labels, cluster: 'eu-west-3' },
  ...{
    receivers: ['oncall'],
    readsObjects: true,
    startsAt: sampleNow - 31 * minute,
    from: sampleNow - 30 * minute,
    to: null,
  },
};
const notice = {
  source: 'main',
  alert: 'FluxNotReady',
  labels,
  cluster: 'eu-west-3',
  startsAt: sampleNow - 9 * minute,
};

let web: RunningWeb;
afterEach(() => web.stop());

/** A fleet with the object, and alarms as they are given. */
async function start(alarms: Partial<KnownAlarms>, calls: readonly AlarmCall[] = []): Promise<void> {
  const covered = { cluster: 'eu-west-3', kind: null, at: sampleNow - 120 * minute, observed: true } as const;
  const coverage = [{ ...covered, state: 'live', reason: null } as const];
  const at = sampleNow - 110 * minute;
  const began: Transition = {
    ...{ ref: checkout, uid: 'uid-checkout', at, bound: 'exact', noticedAt: at, from: null, to: 'diverged' },
    ...{ reason: 'x', message: 'x', commit: null, attempted: null, rootCause: null },
  };
  const store = memoryStore({ ...nothingRecorded, calls, coverage, transitions: [began] });
  const sources = [alarmSourceOf('main', { attribution })];
  web = await runningWeb(null, {}, { ...store, alarms: { ...store.alarms, sources: () => sources, ...alarms } });
  store.cluster(sampleCluster('eu-west-3'));
  store.object(sampleDiverged({ name: 'checkout' }));
  await web.advance(1000);
}

async function go(params: Readonly<Record<string, string>>): Promise<WireGo> {
  const answer = await web.get(`/api/v1/go?${new URLSearchParams(params).toString()}`);
  expect(answer.status).toBe(200);
  return WireGo.parse(await answer.json());
}

describe('a fingerprint', () => {
  it('leads to the object of the alert that an Alertmanager has now', async () => {
    await start({ noticesWith: (asked) => (asked === fingerprint ? [notice] : []) });
    const found = await go({ fingerprint: ` ${fingerprint.toUpperCase()}` });
    expect(found).toMatchObject({ outcome: 'exact', target: objectPath(checkout), total: 1 });
    expect(found.foundBy).toEqual([
      `Fingerprint ${fingerprint} is an alert FluxNotReady that main has since 21 Nov 01:51:00 UTC.`,
    ]);
    expect(found.found).toContainEqual({ name: 'cluster', value: 'eu-west-3' });
    expect(found.given).toEqual(
      [{ name: 'fingerprint', value: fingerprint.toUpperCase() }].map((one) => ({ ...one, value: ` ${one.value}` })),
    );
  });

  it('leads to that of a call at the time of the page', async () => {
    await start({}, [call]);
    const found = await go({ fingerprint, at: String(call.startsAt) });
    expect(found).toMatchObject({ outcome: 'exact', total: 1 });
    expect(found.foundBy.join(' ')).toContain(
      'was an alert FluxNotReady of main, which called from 21 Nov 01:29:00 UTC on.',
    );
  });

  it('that called at another time only is not known at this one', async () => {
    await start({}, [{ ...call, to: call.from + minute }]);
    const found = await go({ fingerprint, at: String(sampleNow - 10 * minute) });
    expect(found.outcome).toBe('none');
    expect(found.sentence).toBe('No alert with this fingerprint is known.');
    expect(found.foundBy).toEqual([
      `Fingerprint ${fingerprint} is not known: no Alertmanager that is read has it now, and none of the calls of that hour had it. Its Alertmanager may tell its labels.`,
    ]);
  });

  it('of an alert that names no object says which alert it is', async () => {
    await start({
      noticesWith: () => [{ ...notice, alert: 'Watchdog', labels: { alertname: 'Watchdog' }, cluster: null }],
    });
    const found = await go({ fingerprint });
    expect(found).toMatchObject({ outcome: 'none', sentence: 'The labels name no object.' });
    expect(found.foundBy[0]).toContain('is an alert Watchdog that main has');
  });

  it('of several objects lists them', async () => {
    await start({ noticesWith: () => [{ ...notice, labels: { alertname: 'Many', kind: checkout.kind } }] });
    expect(await go({ fingerprint })).toMatchObject({ outcome: 'inferred', total: 1 });
  });

  it.each([
    ['other labels', { labels: { ...labels, name: 'other' } }],
    ['another cluster', { cluster: 'us-east-1' }],
  ])('that a second source claims, with %s, leads nowhere', async (_what, rest) => {
    await start({ noticesWith: () => [notice, { ...notice, source: 'another', ...rest }] });
    const found = await go({ fingerprint });
    expect(found).toMatchObject({ outcome: 'none', target: null });
    expect(found.foundBy).toEqual([`Fingerprint ${fingerprint} is told of several alerts, by main and another.`]);
  });

  it('of an alert whose source does not speak for the cluster that its labels name, does not tell the cluster', async () => {
    const { k8s_cluster: _, ...rest } = labels;
    await start({ noticesWith: () => [{ ...notice, labels: { ...rest, cluster: 'eu-west-3' }, cluster: null }] });
    expect((await go({ fingerprint })).found.map(({ name }) => name)).not.toContain('cluster');
  });

  it('counts less than the labels that are given', async () => {
    await start({ noticesWith: () => [notice] });
    expect(await go({ fingerprint, name: 'other' })).toMatchObject({ outcome: 'none' });
  });
});

it('a cluster is found by the label and the value that plumbline.yaml says of its source', async () => {
  await start({});
  const { customresource_kind, exported_namespace, name } = labels;
  const named = { customresource_kind, exported_namespace, name };
  for (const cluster of [{ k8s_cluster: 'prod-eu' }, { k8s_cluster: 'prod-eu', cluster: 'prod-eu' }])
    expect(await go({ ...named, ...cluster })).toMatchObject({ outcome: 'exact', target: objectPath(checkout) });
});
