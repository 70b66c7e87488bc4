import { describe, expect, it } from 'vitest';
import { applicationInterval, shardHeartbeat } from './controller.ts';

const settings = (data: object) => ({ data });
const ofSettings = (name: string, key: string, map = 'argocd-cm') => ({
  name,
  valueFrom: { configMapKeyRef: { name: map, key, optional: true } },
});
/** As manifests/base/application-controller has it. */
const shipped = [
  ofSettings('ARGOCD_RECONCILIATION_TIMEOUT', 'timeout.reconciliation'),
  ofSettings('ARGOCD_HARD_RECONCILIATION_TIMEOUT', 'timeout.hard.reconciliation'),
  ofSettings('ARGOCD_RECONCILIATION_JITTER', 'timeout.reconciliation.jitter'),
];
const workload = (env: readonly object[], args: readonly string[] = []) => ({
  spec: {
    template: { spec: { containers: [{ env, args: ['/usr/local/bin/argocd-application-controller', ...args] }] } },
  },
});

describe('how often the application-controller compares', () => {
  const minute = { 'timeout.reconciliation': '30s', 'timeout.reconciliation.jitter': '0s' };
  it.each<readonly [string, unknown, unknown, number | 'never' | null]>([
    ['by argocd-cm', workload(shipped), settings(minute), 30_000],
    ['by argocd-cm alone', null, settings(minute), 30_000],
    ['up to 60 s of jitter are added', null, settings({ 'timeout.reconciliation': '30s' }), 90_000],
    ['by default', workload(shipped), settings({}), 180_000],
    ['what is no duration is the default', null, settings({ 'timeout.reconciliation': '180' }), 180_000],
    ['a hard refresh that comes sooner', null, settings({ ...minute, 'timeout.hard.reconciliation': '10s' }), 10_000],
    ['only hard', null, settings({ 'timeout.reconciliation': '0s', 'timeout.hard.reconciliation': '1h' }), 3_660_000],
    ['never', null, settings({ 'timeout.reconciliation': '0' }), 'never'],
    ['argocd-cm may not be read', workload(shipped), null, null],
    ['nothing may be read', null, null, null],
    ['nothing is set on its pods', workload([]), settings(minute), 180_000],
    [
      'by its environment, without argocd-cm',
      workload([{ name: 'ARGOCD_RECONCILIATION_TIMEOUT', value: '5m' }]),
      null,
      360_000,
    ],
    [
      'by another ConfigMap, which is not read',
      workload([ofSettings('ARGOCD_RECONCILIATION_TIMEOUT', 'x', 'mine')]),
      settings(minute),
      null,
    ],
    [
      'by another key of argocd-cm',
      workload([ofSettings('ARGOCD_RECONCILIATION_TIMEOUT', 'other')]),
      settings(minute),
      null,
    ],
    [
      'by the key of another ConfigMap',
      workload([ofSettings('ARGOCD_RECONCILIATION_TIMEOUT', 'timeout.reconciliation', 'mine')]),
      settings(minute),
      null,
    ],
    ['a hard refresh by a flag', workload(shipped, ['--app-hard-resync=10']), settings(minute), 10_000],
    ['a millisecond', null, settings({ ...minute, 'timeout.reconciliation': '1ms' }), 1],
    [
      'a hard refresh by its environment',
      workload([
        { name: 'ARGOCD_HARD_RECONCILIATION_TIMEOUT', value: '10s' },
        { name: 'ARGOCD_RECONCILIATION_JITTER', value: '0' },
      ]),
      null,
      10_000,
    ],
    [
      'by a flag of its command',
      {
        spec: {
          template: { spec: { containers: [{ command: ['argocd', '--app-resync=30', '--app-resync-jitter=0'] }] } },
        },
      },
      settings({}),
      30_000,
    ],
    ['by a flag, in seconds', workload(shipped, ['--app-resync', '60', '--app-resync-jitter=0']), settings({}), 60_000],
  ])('%s', (_case, pods, map, expected) => {
    expect(applicationInterval(pods, map)).toBe(expected);
  });
});

describe('the heartbeat of its shards', () => {
  const map = (shards: unknown) => settings({ shardControllerMapping: JSON.stringify(shards) });
  const shard = (ControllerName: string, HeartbeatTime: string) => ({ ShardNumber: 0, ControllerName, HeartbeatTime });

  it('is the newest of all', () => {
    const shards = [
      shard('pod-1', '2026-11-21T08:00:00Z'),
      shard('pod-2', '2026-11-21T08:00:10Z'),
      shard('', '2026-11-21T08:00:20Z'),
    ];
    expect(shardHeartbeat('argocd', workload([]), map(shards))).toEqual({
      namespace: 'argocd',
      name: 'argocd-app-controller-shard-cm',
      holder: 'pod-2',
      durationSeconds: 30,
      renewTime: Date.parse('2026-11-21T08:00:10Z'),
      transitions: null,
    });
  });

  it('is over after three of its intervals, the longest of which is 60 s', () => {
    const shards = map([shard('pod-1', '2026-11-21T08:00:00Z')]);
    const term = (value?: string) =>
      shardHeartbeat('argocd', workload([{ name: 'ARGOCD_CONTROLLER_HEARTBEAT_TIME', value }]), shards)
        ?.durationSeconds;
    expect(['9', '10', '20', '60', '61', '', undefined].map(term)).toEqual([180, 30, 60, 180, 180, 180, 180]);
    expect(shardHeartbeat('argocd', null, shards)?.durationSeconds).toBe(180);
  });

  it('is the first of those of one time, of at most 500 shards', () => {
    const same = Array.from({ length: 501 }, (_, n) => shard(`pod-${n}`, `2026-11-21T08:00:0${n === 500 ? 1 : 0}Z`));
    expect(shardHeartbeat('argocd', null, map(same))?.holder).toBe('pod-0');
    expect(shardHeartbeat('argocd', null, map(same.slice(1)))?.holder).toBe('pod-500');
  });

  it.each([[null], [settings({})], [settings({ shardControllerMapping: '{' })], [map({})], [map([{}, null, 7])]])(
    'is none in %j',
    (shards) => expect(shardHeartbeat('argocd', null, shards)).toBeNull(),
  );
});
