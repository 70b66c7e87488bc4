import { expect, it } from 'vitest';
import { parse } from 'yaml';
import type { CheckedKind } from '#lib/domain/alarm/check/checked.ts';
import type { AlarmFact, Matcher, Route, RuleFact } from '#lib/domain/alarm/fact.ts';
import { objectHash } from '#lib/domain/alarm/object-hash.ts';
import { checkRules } from '#lib/domain/alarm/rules-check.ts';
import { readRule } from '#lib/domain/alarm/selector/selectors.ts';
import { minute } from '#lib/domain/time/length.ts';
import { listAt, objectAt, textAt, textsAt } from '#lib/foreign.ts';
import { readPromDuration } from '#lib/domain/alarm/declared/prom-duration.ts';
import { objectMetrics } from '../../config/alarms-schema.ts';
import { plainNaming } from './cluster-naming.ts';
import { fleetKinds } from './fleet-kinds.ts';
import { writtenRules } from './rules.ts';
import { fleets } from './testing.ts';

const now = 1_000 * minute;
const policy = { alarmWithin: 15 * minute, publicUrl: null, naming: plainNaming };
const fleet = fleetKinds([], [...fleets.flux, ...fleets.crossplane, ...fleets.neighbours], false);
const objects = [{ namespace: 'apps', name: 'checkout' }];
const hash = objectHash('apps', 'checkout');
const kinds = fleet.kinds.flatMap(({ group, kind, clusters, metric }) =>
  clusters.map((cluster): CheckedKind => {
    const conditions = metric.conditionsOf({ group, kind });
    return { cluster, group, kind, objects, conditions };
  }),
);

/** A file of rules as its Prometheus tells them, and an Alertmanager with the route that is written and a receiver that calls. */
async function loaded(): Promise<readonly AlarmFact[]> {
  const { files } = await writtenRules(fleet, policy, 'prometheus', true);
  const parsed = (name: string): unknown => parse(files.find((file) => file.name === name)?.text ?? '');
  const rules = listAt(parsed('rules.yaml'), 'groups').flatMap((group) => listAt(group, 'rules').map(ruleFact));
  // Each scope has every object, though the rule's own matchers on kinds would leave some out: what they leave out has no state of its own.
  const scopes = new Set(rules.flatMap(({ selectors }) => (selectors ?? []).map(({ scope }) => scope)));
  const named = Object.fromEntries(fleet.kinds.map(({ kind }) => [kind.toLowerCase(), [hash]]));
  const standing = [...scopes].flatMap((scope) =>
    fleet.clusters.map((cluster): AlarmFact => {
      return { type: 'scope', key: `${scope} ${cluster}`, scope, cluster, series: 1, objects: named };
    }),
  );
  return [...rules, ...standing, routingOf(parsed('alertmanager.yaml')), ...receivers];
}

const receivers: readonly AlarmFact[] = [
  { type: 'receiver', key: 'am nobody', alertmanager: 'am', name: 'nobody', calls: [] },
  { type: 'receiver', key: 'am fill-in', alertmanager: 'am', name: 'fill-in', calls: ['pagerduty'] },
];

function ruleFact(rule: unknown): RuleFact {
  const text = (name: string): string => textAt(rule, name) ?? '';
  const labels = objectAt(rule, 'labels');
  return {
    type: 'rule',
    key: text('alert') + text('expr'),
    name: text('alert'),
    group: 'plumbline-objects',
    file: 'rules.yaml',
    query: text('expr'),
    holds: readPromDuration(text('for')) ?? 0,
    interval: minute / 2,
    labels: Object.fromEntries(Object.keys(labels).map((name) => [name, textAt(labels, name) ?? ''])),
    health: 'ok',
    error: null,
    evaluatedAt: now,
    firedAt: null,
    ...readRule(text('expr'), objectMetrics),
  };
}

function routingOf(file: unknown): AlarmFact {
  const routes = listAt(file, 'route', 'routes').map((route): Route => {
    const matchers = textsAt(route, 'matchers').map((text): Matcher => {
      const [name = '', value = ''] = text.split('=');
      return { name, operator: '=', value: value.replaceAll('"', '') };
    });
    return { receiver: textAt(route, 'receiver') ?? '', matchers, continues: false, isWhole: true, routes: [] };
  });
  return {
    type: 'routing',
    key: 'am',
    root: { receiver: 'nobody', matchers: [], continues: false, isWhole: true, routes },
  };
}

it('what is written leaves no gap, as Plumbline reads it back', async () => {
  const source = {
    name: 'all',
    attribution: { label: 'cluster', aliases: {}, clusters: [] },
    facts: await loaded(),
    believed: true,
    readAt: now,
    cut: false,
  };
  const { gaps, dead, unclear, sound } = checkRules([source], kinds, { alarmWithin: policy.alarmWithin });
  expect({ gaps, dead, unclear, sound }).toEqual({ gaps: [], dead: [], unclear: [], sound: kinds.length });
  const without = source.facts.filter((fact) => fact.type !== 'rule' || fact.name !== 'CloudResourceDesynced');
  const missed = checkRules([{ ...source, facts: without }], kinds, { alarmWithin: policy.alarmWithin });
  expect(missed.gaps.map(({ kind, gap }) => `${kind} ${gap}`)).toEqual(['XDatabase not-read', 'Bucket not-read']);
});
