import { expect, it } from 'vitest';
import { defaultPolicy } from '../../guarantee/guarantee.ts';
import { noon, recorded } from '../../testing/observed.ts';
import { alarmBook } from '../alarm-book.ts';
import type { Matcher, Route } from '../fact.ts';
import { alarmSource, alertmanagerUrl, receiverFact, ruleFact, scopeFacts } from '../testing/facts.ts';

const object = recorded({ verdict: 'converged' });
const source = alarmSource({ attribution: { label: 'cluster', aliases: {}, clusters: [] } });
const clusters = Array.from({ length: 100 }, (_, c) => ({
  name: `c${c}`,
  objects: Array.from({ length: 10 }, (__, k) => ({
    ...object,
    ref: { ...object.ref, cluster: `c${c}`, kind: `Kind${k}` },
    alarm: { state: 'not-due' } as const,
  })),
  alarming: null,
}));
const refs = clusters.flatMap(({ objects }) => objects.map(({ ref }) => ref));

/** Coverage where 400 routes with such matchers take the alerts of 100 rules; and how long it took (ms of CPU). */
function covered(matchers: readonly Matcher[]) {
  const route: Route = { receiver: 'nobody', matchers, continues: true, routes: [], isWhole: true };
  const root: Route = { ...route, receiver: 'oncall', matchers: [], routes: Array.from({ length: 400 }, () => route) };
  const rules = Array.from({ length: 100 }, (_, n) => ruleFact({ key: `k${n}`, name: `${n}${'a'.repeat(900)}` }));
  const routing = { type: 'routing', key: alertmanagerUrl, root } as const;
  const receivers = [receiverFact('oncall', ['pagerduty']), receiverFact('nobody', [])];
  const book = alarmBook();
  book.apply({ type: 'alarm-source', source });
  for (const fact of [...rules, routing, ...receivers, ...scopeFacts('gotk_resource_info', refs)])
    book.apply({ type: 'alarm-fact', source: source.name, fact });
  const used = process.cpuUsage();
  const parts = book.coverage(clusters, noon, defaultPolicy);
  for (;;) {
    const part = parts.next();
    if (part.done) return { kinds: part.value.kinds, took: process.cpuUsage(used).user / 1_000 };
  }
}

const dear = { name: 'alertname', operator: '=~', value: `.*${'a'.repeat(200)}b.*` } as const;

it('routes that look at a million letters are not followed anew for each kind on each cluster', () => {
  const { kinds, took } = covered([dear]);
  expect(kinds).toHaveLength(1_000);
  expect(new Set(kinds.map(({ routed }) => JSON.stringify(routed)))).toEqual(new Set(['{"yes":0,"no":0,"unknown":1}']));
  // Some 6 s before.
  expect(took).toBeLessThan(2_000);
});

it('whom plain routes call is told of every kind, however many there are', () => {
  const { kinds } = covered([{ name: 'team', operator: '=', value: 'x' }]);
  const plain = covered([{ name: 'alertname', operator: '=', value: 'Other' }]).kinds;
  expect(kinds.every(({ routed }) => routed.unknown === 1)).toBe(true);
  expect(plain.every(({ routed, receivers }) => routed.yes === 1 && receivers[0] === 'oncall (pagerduty)')).toBe(true);
});

it('routes that ask for the cluster or the kind are followed for each', () => {
  const { kinds } = covered([{ name: 'cluster', operator: '=', value: 'c7' }]);
  const silent = kinds.filter(({ routed }) => routed.yes === 0).map(({ cluster }) => cluster);
  expect(new Set(silent)).toEqual(new Set(['c7']));
  const ofKind = covered([{ name: 'customresource_kind', operator: '=', value: 'Kind3' }]).kinds;
  expect(new Set(ofKind.flatMap(({ routed, kind }) => (routed.yes === 0 ? [kind] : [])))).toEqual(new Set(['Kind3']));
});
