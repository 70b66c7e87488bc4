// The dashboard of deploy/grafana asks for what is exported, and for all that tells of trouble.
import { parser } from '@prometheus-io/lezer-promql';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { at, listAt, numberAt, objectAt, parseForeign, textAt } from '#lib/foreign.ts';
import { createCollectorMetrics } from '#server/collector/metrics.ts';
import { webMetrics } from '#server/web/metrics/web-metrics.ts';

const root = join(import.meta.dirname, '..', '..');
const dashboard = parseForeign(readFileSync(join(root, 'deploy/grafana/plumbline.json'), 'utf8'));
const panels = listAt(dashboard, 'panels');
/** Expressions as Grafana fills them in. */
const expressions = panels
  .flatMap((panel) => listAt(panel, 'targets'))
  .map((target) => textAt(target, 'expr') ?? '')
  .map((text) => text.replaceAll('$__rate_interval', '5m').replaceAll('$cluster', '.*'));
/** Metrics that are asked for; without strings, in which words of the same form may stand. */
const named = new Set(expressions.flatMap((text) => text.replaceAll(/"[^"]*"/g, '""').match(/\bplumbline_\w+/g) ?? []));

let exported: ReadonlyMap<string, string>;
beforeAll(async () => {
  const web = webMetrics({
    objects: () => 0,
    clusters: () => 0,
    storeReadable: () => true,
    storeReadAt: () => 0,
    storeBytes: () => 0,
    streamClients: () => 0,
    framesSent: () => 0,
    fleet: () => [],
    access: () => ({ logins: new Map(), refusals: new Map() }),
    version: '0',
  });
  const texts = [(await web.render()).body, await createCollectorMetrics().text()];
  const types = texts.flatMap((text) => [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)]);
  exported = new Map(types.map(([, name = '', type = '']) => [name, type]));
});

it('names metrics that are exported, and no other', () => {
  expect(named.size).toBeGreaterThan(25);
  for (const name of named) {
    const of = name.replace(/_(?:bucket|sum|count)$/, '');
    expect([name, exported.has(name) || exported.get(of) === 'histogram']).toEqual([name, true]);
  }
});

it('shows each of ours that an operator must watch', () => {
  const ours = [...exported.keys()].filter((name) => !/_(?:process|nodejs)_/.test(name));
  const shown = (name: string): boolean => named.has(name) || named.has(`${name}_bucket`);
  // How much is held in memory follows from what is shown of objects and clusters.
  expect(ours.filter((name) => !shown(name)).toSorted()).toEqual(['plumbline_web_clusters', 'plumbline_web_objects']);
});

it('asks in PromQL that parses', () => {
  for (const text of expressions) {
    const faults: string[] = [];
    parser.parse(text).iterate({
      enter(node) {
        if (node.type.isError) faults.push(text.slice(node.from, node.to));
      },
    });
    expect([text, faults]).toEqual([text, []]);
  }
});

it('is of no Grafana in particular: its source of data is chosen there, and no two panels are one', () => {
  const variables = listAt(dashboard, 'templating', 'list').map((one) => textAt(one, 'name'));
  expect(variables).toEqual(['datasource', 'cluster']);
  const ids = panels.map((panel) => numberAt(panel, 'id'));
  expect(new Set(ids).size).toBe(panels.length);
  for (const panel of panels.filter((one) => textAt(one, 'type') !== 'row'))
    expect(at(panel, 'datasource')).toEqual({ type: 'prometheus', uid: '${datasource}' });
  const places = panels.map((panel) => JSON.stringify(objectAt(panel, 'gridPos')));
  expect(new Set(places).size).toBe(panels.length);
});
