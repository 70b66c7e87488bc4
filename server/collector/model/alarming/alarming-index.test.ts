import { describe, expect, it } from 'vitest';
import { alarmingBounds } from '#lib/domain/alarm/alarming/bounds.ts';
import type { GroupKind } from '#lib/domain/observation/ref.ts';
import type { ClusterEvent, WatchedKind } from '../../clusters/cluster-event.ts';
import { createAlarmingIndex } from './alarming-index.ts';

const at = 0;
const alert: WatchedKind = {
  group: 'notification.toolkit.fluxcd.io',
  kind: 'Alert',
  version: 'v1beta3',
  resource: 'alerts',
  namespaced: true,
  categories: [],
};
const provider: WatchedKind = { ...alert, kind: 'Provider', resource: 'providers' };

function started(metrics: readonly string[] = []) {
  const counts = new Map<string, number>();
  const count = ({ kind }: GroupKind, objects: number): void => void counts.set(kind, objects);
  const made = createAlarmingIndex({ count }, metrics);
  let now = 0;
  // A minute later than ever before: all that is known is to be published.
  const index = { ...made, current: () => made.current((now += 60_000)) };
  const named = (name: string, spec: object = { type: 'slack' }) => ({ metadata: { name, namespace: 'a' }, spec });
  return {
    index,
    counts,
    made,
    applied: (kind: WatchedKind, name: string, spec?: object) =>
      index.take({ type: 'applied', at, kind, object: named(name, spec), initial: false }),
    deleted: (kind: WatchedKind, name: string) => index.take({ type: 'deleted', at, kind, object: named(name) }),
    listed(kind: WatchedKind, ...names: readonly string[]) {
      index.take({ type: 'sync-start', at, kind });
      for (const name of names) index.take({ type: 'applied', at, kind, object: named(name), initial: true });
      index.take({ type: 'sync-end', at, kind, resourceVersion: '1' });
    },
    names: () => index.current().facts.map(({ type, name }) => `${type} ${name}`),
  };
}

it('knows what was listed and what came since, by kind and name', () => {
  const { listed, applied, deleted, names, counts } = started();
  listed(provider, 'slack', 'pager');
  listed(alert, 'on-call');
  applied(alert, 'apps');
  deleted(provider, 'pager');
  expect(names()).toEqual(['notification-alert apps', 'notification-alert on-call', 'notification-provider slack']);
  expect([...counts]).toEqual([
    ['Provider', 1],
    ['Alert', 2],
  ]);
});

it('forgets what a new list does not name, and a kind that is not served any more', () => {
  const { listed, names, index } = started();
  listed(provider, 'slack', 'pager');
  listed(provider, 'pager');
  expect(names()).toEqual(['notification-provider pager']);
  index.dropKind(provider);
  expect(names()).toEqual([]);
});

it('is made anew at most each second, where anything changed', () => {
  const { applied, made } = started();
  const suspend = (on: boolean): boolean => applied(provider, 'slack', { type: 'slack', suspend: on });
  suspend(false);
  expect(made.due()).toBe(-Infinity);
  const first = made.current(5_000);
  expect(made.due()).toBeNull();
  suspend(false);
  expect([made.due(), made.current(9_000) === first]).toEqual([null, true]);
  suspend(true);
  expect([made.due(), made.current(5_999) === first, made.current(6_000) === first]).toEqual([6_000, true, false]);
  // A clock that is set back holds nothing back.
  suspend(false);
  expect(made.current(1_000).facts).toMatchObject([{ suspended: false }]);
});

it('what there is no room for is news once', () => {
  const { listed, made, applied } = started();
  listed(provider, ...Array.from({ length: alarmingBounds.ofKind }, (_, n) => `p${n}`));
  made.current(0);
  applied(provider, 'one more');
  expect(made.due()).not.toBeNull();
  expect(made.current(60_000).cut).toEqual(['notification-provider']);
  applied(provider, 'another');
  expect(made.due()).toBeNull();
});

it.each([
  [['gotk_'], 'usual'],
  [['acme_'], 'own'],
] as const)('reads rules by the beginnings of metrics that are configured: %j', (metrics, expected) => {
  const rule: WatchedKind = { ...alert, group: 'monitoring.coreos.com', kind: 'PrometheusRule', version: 'v1' };
  const { index, names } = started(metrics);
  for (const [name, metric] of [
    ['usual', 'gotk_resource_info'],
    ['own', 'acme_resource_info'],
  ]) {
    const spec = { groups: [{ rules: [{ alert: 'X', expr: `${metric}{ready!="True"}` }] }] };
    const object = { metadata: { name, namespace: 'a', uid: 'u' }, spec };
    index.take({ type: 'applied', at, kind: rule, object, initial: false });
  }
  expect(names()).toEqual([`prometheus-rule ${expected}`]);
});

it('a rule that reads no object any more is as good as gone, and one that never did is not counted', () => {
  const rule: WatchedKind = { ...alert, group: 'monitoring.coreos.com', kind: 'PrometheusRule', version: 'v1' };
  const { index, names, counts } = started(['gotk_']);
  const write = (expr: string): void => {
    const object = {
      metadata: { name: 'flux', namespace: 'a', uid: 'u' },
      spec: { groups: [{ rules: [{ alert: 'X', expr }] }] },
    };
    index.take({ type: 'applied', at, kind: rule, object, initial: false });
  };
  write('up == 0');
  expect([names(), index.current().cut]).toEqual([[], []]);
  write('gotk_resource_info{ready!="True"}');
  expect([names(), counts.get('PrometheusRule')]).toEqual([['prometheus-rule flux'], 1]);
  write('up == 0');
  expect([names(), counts.get('PrometheusRule')]).toEqual([[], 0]);
});

it('leaves to others what says nothing of who is called', () => {
  const { index } = started();
  const event: ClusterEvent = { type: 'bookmark', at, kind: { ...alert, kind: 'Receiver' }, resourceVersion: '1' };
  expect(index.take(event)).toBe(false);
  expect(index.take({ ...event, kind: alert })).toBe(true);
});

it('keeps so many of a kind, and says that there are more until a list names fewer', () => {
  const { listed, index } = started();
  listed(provider, ...Array.from({ length: alarmingBounds.ofKind + 1 }, (_, n) => `p${n}`));
  expect([index.current().facts.length, index.current().cut]).toEqual([
    alarmingBounds.ofKind,
    ['notification-provider'],
  ]);
  listed(provider, 'slack');
  expect([index.current().facts.length, index.current().cut]).toEqual([1, []]);
});

it('leaves out what is too long, and what there is no room for in a row', () => {
  const { applied, listed, index } = started();
  const eventSources = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ kind: 'Kustomization', name: `${n}`.padStart(120, 'x') }));
  applied(alert, 'long', { eventSources: eventSources(64) });
  expect(index.current()).toEqual({ facts: [], cut: ['notification-alert'] });
  listed(alert);
  for (let n = 0; n < 20; n += 1) applied(alert, `a${n}`, { eventSources: eventSources(30) });
  const { facts, cut } = index.current();
  expect([facts.length > 5, facts.length < 20, cut]).toEqual([true, true, ['notification-alert']]);
  expect(JSON.stringify(facts).length).toBeLessThan(alarmingBounds.all + 100);
});

describe('a namespace that writes as much as it likes', () => {
  const write = (
    index: ReturnType<typeof started>['index'],
    kind: WatchedKind,
    namespace: string,
    name: string,
    spec: object,
  ): boolean =>
    index.take({ type: 'applied', at, kind, object: { metadata: { name, namespace }, spec }, initial: false });
  const of = (index: ReturnType<typeof started>['index'], namespace: string): readonly string[] =>
    index.current().facts.flatMap((fact) => (fact.namespace === namespace ? [`${fact.type} ${fact.name}`] : []));

  it('in long objects leaves those of others in the row', () => {
    const { index } = started();
    const eventSources = Array.from({ length: 45 }, (_, n) => ({
      kind: 'Kustomization',
      name: `${n}`.padStart(90, 'x'),
    }));
    for (let n = 0; n < 100; n += 1) write(index, alert, 'a-tenant', `a${n}`, { eventSources });
    write(index, alert, 'flux-system', 'on-call', { eventSources: [{ kind: 'Kustomization', name: '*' }] });
    write(index, provider, 'flux-system', 'slack', { type: 'slack' });
    expect(of(index, 'flux-system')).toEqual(['notification-alert on-call', 'notification-provider slack']);
    expect([of(index, 'a-tenant').length > 5, index.current().cut]).toEqual([true, ['notification-alert']]);
    expect(JSON.stringify(index.current().facts).length).toBeLessThan(alarmingBounds.all + 1_000);
  });

  it('in many objects gives way to those of others, whoever comes first', () => {
    const { index } = started();
    for (let n = 0; n < 600; n += 1) write(index, provider, 'a-tenant', `p${n}`, { type: 'slack' });
    for (const name of ['slack', 'pager']) write(index, provider, 'flux-system', name, { type: 'slack' });
    expect(of(index, 'flux-system')).toEqual(['notification-provider pager', 'notification-provider slack']);
    expect([of(index, 'a-tenant').length, index.current().cut]).toEqual([
      alarmingBounds.ofKind - 2,
      ['notification-provider'],
    ]);
  });
});
