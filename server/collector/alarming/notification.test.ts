import { describe, expect, it } from 'vitest';
import type { ForeignObject } from '#lib/foreign.ts';
import { hostileWords, token } from '#test/hostile/words.ts';
import type { WatchedKind } from '../clusters/cluster-event.ts';
import { readAlarming } from './read-alarming.ts';

const group = 'notification.toolkit.fluxcd.io';
const canary = 'cAnArY-7d1f';

function kindOf(kind: string, version = 'v1beta3'): WatchedKind {
  return { group, kind, version, resource: `${kind.toLowerCase()}s`, namespaced: true, categories: [] };
}

function read(kind: string, spec: object, rest: object = {}, version?: string) {
  const metadata = { name: 'on-call', namespace: 'flux-system', creationTimestamp: '2026-11-21T08:00:00Z' };
  const object: ForeignObject = { kind, metadata, spec, ...rest };
  return readAlarming(kindOf(kind, version), object, []);
}

const plain = {
  providerRef: { name: 'slack' },
  eventSources: [
    { kind: 'Kustomization', name: '*' },
    { kind: 'HelmRelease', name: 'orders', namespace: 'apps', matchLabels: { app: 'orders' } },
  ],
};

// As notification-controller's api/v1beta3 and its specification of alerts have them.
describe('an Alert', () => {
  it('says which events it sends, and by which Provider', () => {
    expect(read('Alert', { ...plain, eventSeverity: 'error', exclusionList: ['waiting'], suspend: true })).toEqual({
      type: 'notification-alert',
      namespace: 'flux-system',
      name: 'on-call',
      suspended: true,
      ready: null,
      severity: 'error',
      sources: [
        { kind: 'Kustomization', namespace: 'flux-system', name: '*', labels: [] },
        { kind: 'HelmRelease', namespace: 'apps', name: 'orders', labels: ['app=orders'] },
      ],
      more: false,
      including: [],
      excluding: ['waiting'],
      provider: 'slack',
    });
  });

  it.each([
    [undefined, 'info'],
    ['info', 'info'],
    ['error', 'error'],
    ['trace', 'other'],
  ])('of severity %s sends %s', (eventSeverity, severity) => {
    expect(read('Alert', { ...plain, eventSeverity })).toMatchObject({ severity });
  });

  it.each([
    ['v1beta1', 'True', true],
    ['v1beta2', 'False', false],
    ['v1beta2', 'Unknown', false],
    ['v1beta3', 'False', null],
    ['v1', 'False', null],
  ])('of %s with Ready %s is ready: %s', (version, status, ready) => {
    const said = { status: { conditions: [{ type: 'Ready', status }] } };
    expect(read('Alert', plain, said, version)).toMatchObject({ ready });
    expect(read('Provider', { type: 'slack' }, said, version)).toMatchObject({ ready });
  });

  it('keeps so many event sources, and says that there are more', () => {
    const eventSources = Array.from({ length: 65 }, (_, n) => ({ kind: 'Kustomization', name: `a${n}` }));
    const found = read('Alert', { ...plain, eventSources });
    expect(found).toMatchObject({ more: true });
    expect(found?.type === 'notification-alert' && found.sources.length).toBe(64);
  });

  it.each([
    [['x'.repeat(1_025)], null],
    [[1], null],
    ['text', null],
    [[`password=${canary}`], null],
    [
      ['waiting', '^done$'],
      ['waiting', '^done$'],
    ],
  ])('keeps patterns whole or not at all: %j', (list, kept) => {
    expect(read('Alert', { ...plain, inclusionList: list, exclusionList: list })).toMatchObject({
      including: kept,
      excluding: kept,
    });
  });
});

it('of a Provider only its type is read, and whether it is suspended', () => {
  const secret = {
    address: `https://hooks.slack.example/services/${canary}`,
    channel: canary,
    username: canary,
    proxy: `https://bot:${canary}@proxy.example`,
    secretRef: { name: canary },
    certSecretRef: { name: canary },
    commitStatusExpr: canary,
    serviceAccountName: canary,
  };
  const found = read('Provider', { type: 'slack', suspend: true, ...secret });
  expect(found).toEqual({
    type: 'notification-provider',
    namespace: 'flux-system',
    name: 'on-call',
    suspended: true,
    ready: null,
    calls: 'slack',
  });
});

it('a secret that is planted anywhere in an Alert is not kept', () => {
  const said = {
    ...plain,
    summary: canary,
    eventMetadata: { note: canary },
    eventSources: [{ kind: 'Kustomization', name: '*', matchLabels: { token: `password=${canary}` } }],
    exclusionList: [`Bearer ${canary}`],
  };
  const rest = {
    metadata: { name: 'a', namespace: 'b', annotations: { note: canary }, labels: { note: canary } },
    status: { conditions: [{ type: 'Ready', status: 'False', message: canary }] },
  };
  expect(JSON.stringify(read('Alert', said, rest, 'v1beta2'))).not.toContain(canary);
});

describe('foreign shapes', () => {
  it.each([null, 0, 'text', true, [], [[]], {}, { a: 1 }])('%j are read without a throw', (value) => {
    const fields = [
      'providerRef',
      'eventSources',
      'eventSeverity',
      'inclusionList',
      'exclusionList',
      'suspend',
      'type',
    ];
    const spec = Object.fromEntries(fields.map((field) => [field, value]));
    for (const kind of ['Alert', 'Provider'])
      expect(read(kind, { ...spec, eventSources: [value, spec] }, { status: value }, 'v1beta2')).not.toBeNull();
    expect(readAlarming(kindOf('Alert'), { metadata: value }, [])).toBeNull();
  });

  it.each(Object.entries(hostileWords))('words %s are clean', (_name, word) => {
    const source = { kind: word, name: word, namespace: word, matchLabels: { [word]: word } };
    const spec = { type: word, providerRef: { name: word }, eventSources: [source], exclusionList: [word] };
    for (const kind of ['Alert', 'Provider']) {
      const text = JSON.stringify(read(kind, spec, { metadata: { name: 'a', namespace: word } }));
      expect(text).not.toContain(token);
      expect(text.length).toBeLessThan(8_000);
    }
  });

  it('other kinds say nothing of who is called', () => {
    expect(readAlarming({ ...kindOf('Alert'), group: 'example.org' }, { metadata: { name: 'a' } }, [])).toBeNull();
  });
});
