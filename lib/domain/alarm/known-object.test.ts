import { describe, expect, it } from 'vitest';
import { defaultPolicy, guaranteeOf, type Policy } from '../guarantee/guarantee.ts';
import { noon, recorded } from '../testing/observed.ts';
import { hour } from '../time/length.ts';
import { knownAt, unknownAlarms } from './known-object.ts';
import type { AlarmState } from './link.ts';
import {
  alertOf,
  notifierController,
  notifyingCluster,
  providerOf,
  sendingController,
  sendingControllers,
} from './testing/notifications.ts';

const count: Policy = { ...defaultPolicy, notifications: 'count' };
const away = { time: noon - hour, bound: 'exact', noticedAt: noon - hour } as const;
const failing = recorded({ verdict: 'diverged', reason: 'BuildFailed', message: 'no such file', awaySince: away });
const silent: AlarmState = { state: 'silent', broken: 'rule' };
const sounding: AlarmState = { state: 'sounding', since: noon, by: 'own' };
const told: AlarmState = { state: 'sounding', since: null, by: 'notification' };

function known(policy: Policy, alarm: AlarmState, cluster = notifyingCluster(), object = failing) {
  const alarms = { ...unknownAlarms('none'), alarmOf: () => alarm };
  const found = knownAt(object, { cluster, alarms, policy }, noon);
  return [found.alarm, guaranteeOf(found, policy, noon)];
}

describe('an object of which Flux tells', () => {
  it.each<readonly [string, Policy, AlarmState, AlarmState, string]>([
    ['is not called for, where that is only shown', defaultPolicy, silent, silent, 'broken'],
    ['is called for, where it counts', count, silent, told, 'holds'],
    ['is called for, where no alarm source is', count, { state: 'unknown', why: 'none' }, told, 'holds'],
    ['is called for by the alert that sounds, where one does', count, sounding, sounding, 'holds'],
  ])('%s', (_what, policy, alarm, expected, guarantee) => {
    expect(known(policy, alarm)).toEqual([expected, guarantee]);
  });

  it('may be told of, which does not count', () => {
    const facts = [alertOf({ excluding: ['\\d'] }), providerOf()];
    expect(known(count, silent, notifyingCluster(facts))).toEqual([silent, 'broken']);
  });

  it.each([undefined, false])('may be told of, for its controller may send no event (%s): nothing counts', (sends) => {
    const own = sendingController('kustomize-controller', sends);
    const cluster = notifyingCluster(undefined, { controllers: [notifierController(), own] });
    expect(known(count, { state: 'unknown', why: 'none' }, cluster)).toEqual([
      { state: 'unknown', why: 'none' },
      'unknown',
    ]);
  });

  it('is told of by an Alert of another namespace, which calls nobody for it: who may write there may name any channel', () => {
    const of = (namespace: string) => [alertOf({ namespace }), providerOf({ namespace })];
    expect(known(count, silent, notifyingCluster(of('tenant')))).toEqual([silent, 'broken']);
    const own = { ...failing, ref: { ...failing.ref, namespace: 'apps' } };
    const sources = [{ kind: 'Kustomization', namespace: 'apps', name: '*', labels: [] }];
    const at = (namespace: string) => [alertOf({ namespace, sources }), providerOf({ namespace })];
    expect(known(count, silent, notifyingCluster(at('apps')), own)).toEqual([told, 'holds']);
    expect(known(count, silent, notifyingCluster(at('flux-system')), own)).toEqual([told, 'holds']);
    const elsewhere = { controllers: [notifierController({ namespace: 'gitops' }), ...sendingControllers] };
    expect(known(count, silent, notifyingCluster(at('gitops'), elsewhere), own)).toEqual([told, 'holds']);
    const alike = { controllers: [...elsewhere.controllers, notifierController({ namespace: 'tenant' })] };
    for (const namespace of ['gitops', 'tenant'])
      expect(known(count, silent, notifyingCluster(at(namespace), alike), own)).toEqual([silent, 'broken']);
  });

  it('is called for by its own Alert, however many of another namespace tell of it too', () => {
    const others = Array.from({ length: 100 }, (_, n) => alertOf({ namespace: 'a-tenant', name: `a${n}` }));
    const facts = [...others, providerOf({ namespace: 'a-tenant' }), alertOf(), providerOf()];
    expect(known(count, silent, notifyingCluster(facts))).toEqual([told, 'holds']);
  });

  it('is not told of: nothing counts', () => {
    expect(known(count, silent, notifyingCluster([alertOf()]))).toEqual([silent, 'broken']);
    expect(known(count, silent, undefined, recorded({ verdict: 'waiting', awaySince: away }))).toEqual([
      silent,
      'broken',
    ]);
  });
});

it('what is as in git needs no notification', () => {
  expect(known(count, silent, undefined, recorded())).toEqual([{ state: 'not-due' }, 'holds']);
});
