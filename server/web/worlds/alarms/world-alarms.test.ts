import { describe, expect, it } from 'vitest';
import type { AlarmChain, KnownAlarms, KnownNotice } from '#lib/domain/alarm/chain.ts';
import type { AlarmCoveragePage, AlarmFinding } from '#lib/domain/alarm/finding.ts';
import { unknownAlarms } from '#lib/domain/alarm/known-object.ts';
import type { AlarmSource } from '#lib/domain/alarm/source.ts';
import { alarmSource } from '#lib/domain/alarm/testing/facts.ts';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import { sampleNow, sampleObject, sampleRef } from '../../testing/sample.ts';
import { sightOf } from '../sight.ts';
import { worldAlarms } from './world-alarms.ts';

const secret = sampleRef({ cluster: 'us-1', namespace: 'ops', name: 'secret' });
const own = sampleObject(
  { cluster: 'eu-1', namespace: 'apps', name: 'app' },
  { rootCause: { type: 'object', ref: secret } },
);

function source(name: string, clusters: readonly string[]): AlarmSource {
  return alarmSource({
    name,
    attribution: { label: 'cluster', aliases: { europe: 'eu-1', secret: 'us-1' }, clusters },
  });
}

function finding(of: string, type: AlarmFinding['type'], rule: string | null): AlarmFinding {
  const words = { title: rule ?? type, text: `About ${rule ?? type}.`, mend: 'Mend it.' };
  return { type, source: of, ...words, at: null, objects: null, alert: null, rule };
}

const sources = [
  source('ours', ['eu-1']),
  source('shared', ['eu-1', 'us-1']),
  source('secret', ['us-1']),
  source('any', []),
];
const findings = [
  finding('ours', 'orphan', null),
  finding('shared', 'orphan', null),
  finding('shared', 'dead-rule', 'Secret'),
  finding('shared', 'clock-resets', 'Read'),
  finding('shared', 'clock-resets', 'Secret'),
  finding('shared', 'leaves-out', 'Read'),
  finding('secret', 'silence-outlives', null),
];

function alarmsWith(rest: Partial<KnownAlarms>): KnownAlarms {
  const page: AlarmCoveragePage = { unknown: null, sources, kinds: [], findings, silent: [] };
  return {
    ...unknownAlarms('none'),
    sources: () => sources,
    loadedRules: () => ({ rules: [{ source: 'shared', name: 'Read', firedAt: null }], unread: [] }),
    *coverage() {
      yield;
      return page;
    },
    ...rest,
  };
}

const whole = sightOf([{ clusters: ['eu-1'], namespaces: null }]);
const part = sightOf([{ clusters: ['eu-1'], namespaces: ['apps'] }]);
const seenBy = (sight: typeof whole, rest: Partial<KnownAlarms> = {}): KnownAlarms =>
  worldAlarms({ alarms: alarmsWith(rest), find: () => own }, () => sight);

describe('alarm sources', () => {
  it('are told where they speak for a cluster that is seen, or may for any, without the others', () => {
    const told = seenBy(part).sources();
    expect(told.map(({ name, attribution }) => [name, attribution.clusters])).toEqual([
      ['ours', ['eu-1']],
      ['shared', ['eu-1']],
      ['any', []],
    ]);
    expect(JSON.stringify(told)).not.toMatch(/us-1|secret/);
  });

  it('have the weaknesses of what is seen, and all where nothing else is theirs', () => {
    const told = (sight: typeof whole): readonly unknown[] => {
      const parts = seenBy(sight).coverage([], sampleNow, defaultPolicy);
      let next = parts.next();
      while (!next.done) next = parts.next();
      return next.value.findings.map(({ source: of, type, rule }) => [of, type, rule]);
    };
    const seen = [
      ['shared', 'clock-resets', 'Read'],
      ['shared', 'leaves-out', 'Read'],
    ];
    expect(told(whole)).toEqual([['ours', 'orphan', null], ...seen]);
    expect(told(part)).toEqual(seen);
  });
});

it('an alert for what an object waits for has no name, nor that of who is called for it', () => {
  const alert = {
    source: 'shared',
    name: 'Alert',
    by: 'cause',
    state: 'sounding',
    labels: { alertname: 'Alert', cluster: 'us-1', name: 'secret', exported_namespace: 'ops', severity: 'page' },
    since: sampleNow,
    receivers: ['oncall'],
  } as const;
  const alarm = { state: 'sounding', since: sampleNow, by: 'cause' } as const;
  const chain: AlarmChain = { alarm, steps: [], alerts: [alert], isCut: false, mend: null, asOf: null };
  const [seen] = seenBy(whole, { chainOf: () => chain }).chainOf(own, sampleNow, 0).alerts;
  expect(seen).toMatchObject({ source: 'shared', name: 'outside your view', labels: {}, receivers: [] });
  const toOwn = { ...chain, alerts: [{ ...alert, by: 'own', labels: { name: 'app', pod: 'x' } } as const] };
  expect(seenBy(whole, { chainOf: () => toOwn }).chainOf(own, sampleNow, 0).alerts[0]?.labels).toEqual({
    name: 'app',
    pod: 'x',
  });
});

it('alerts that a fingerprint names are those for what is seen', () => {
  const notice = (cluster: string | null, labels: KnownNotice['labels']): KnownNotice => {
    return { source: 'shared', alert: 'Alert', labels, cluster, startsAt: sampleNow };
  };
  const app = { kind: 'Kustomization', name: 'app', exported_namespace: 'apps', pod: 'secret-pod' };
  const noticesWith = (): readonly KnownNotice[] => [
    notice('us-1', app),
    notice(null, app),
    notice('eu-1', { ...app, exported_namespace: 'ops' }),
    notice('eu-1', { alertname: 'Group' }),
    notice('eu-1', app),
  ];
  expect(
    seenBy(part, { noticesWith })
      .noticesWith('f')
      .map(({ labels }) => labels),
  ).toEqual([{ kind: 'Kustomization', name: 'app', exported_namespace: 'apps' }]);
  expect(seenBy(whole, { noticesWith }).noticesWith('f')).toHaveLength(3);
});
