import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { verdicts } from '#lib/domain/verdict/verdict.ts';
import { parseExposition } from '../testing/exposition.ts';
import { runningWeb } from '../testing/running-web.ts';
import { sampleCluster, sampleObject } from '../testing/sample.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const length = z.string().regex(/^\d+[smh]$/);
/** As Prometheus reads a file of rules (prometheus.io/docs/prometheus/latest/configuration/alerting_rules), nothing else in it. */
const Rules = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string().min(1),
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^[A-Z][A-Za-z]+$/),
          expr: z.string().min(1),
          for: length,
          labels: z.strictObject({ severity: z.enum(['critical', 'warning']) }),
          annotations: z.strictObject({ summary: z.string().min(1) }),
        }),
      ),
    }),
  ),
});

const rules = Rules.parse(
  parse(await readFile(join(root, 'deploy', 'prometheus', 'rules.yaml'), 'utf8')),
).groups.flatMap((group) => group.rules);
/** Metrics of the collector, as `server/collector` has them, with their labels: this zone may not import it. */
const ofCollector = await readFile(join(root, 'server', 'collector', 'metrics.ts'), 'utf8');

it('the example rules for Prometheus ask for metrics that there are, by labels and values that they have', async () => {
  const web = await runningWeb();
  onTestFinished(web.stop);
  web.store.cluster(sampleCluster('eu-west-3'));
  web.store.object(sampleObject({ name: 'checkout' }, { verdict: 'behind' }));
  await web.advance(500);
  const families = parseExposition(await web.scrape());
  const states = families.get('plumbline_cluster_state')?.samples.map(({ labels }) => labels['state'] ?? '') ?? [];
  const feedStates = ['syncing', 'live', 'silent', 'forbidden', 'failed', 'unobserved'];
  const known: Readonly<Record<string, readonly string[]>> = {
    'plumbline_objects_since verdict': verdicts,
    'plumbline_objects_since group': ['declared'],
    'plumbline_cluster_state state': states,
    'plumbline_feeds state': feedStates,
  };
  const wrong: string[] = [];
  for (const { alert, expr, annotations } of rules) {
    for (const [, name = '', matchers = ''] of expr.matchAll(/(plumbline_\w+)(?:\{([^}]*)\})?/g)) {
      const own = families.has(name);
      if (!own && !ofCollector.includes(name) && !ofCollector.includes(`'${name.replace('plumbline_', '')}'`))
        wrong.push(`${alert}: there is no ${name}`);
      for (const [, label = '', values = ''] of matchers.matchAll(/(\w+)(?:=~|!~|!=|=)"([^"]*)"/g))
        for (const value of values.split('|'))
          if (!known[`${name} ${label}`]?.includes(value)) wrong.push(`${alert}: ${name} has no ${label} ${value}`);
    }
    const labels = [...annotations.summary.matchAll(/\$labels\.(\w+)/g)].map(([, label]) => label);
    wrong.push(
      ...labels
        .filter((label) => !/^(?:cluster|group|kind|since|state|source|program|url)$/.test(label ?? ''))
        .map((label) => `${alert}: ${label}`),
    );
  }
  expect(wrong).toEqual([]);
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(11);
});

it('every verdict but converged and suspended is alarmed on', () => {
  const alarmed = rules.flatMap(({ expr }) => /verdict=~"([^"]*)"/.exec(expr)?.[1]?.split('|') ?? []);
  expect(alarmed.toSorted()).toEqual(
    verdicts.filter((verdict) => verdict !== 'converged' && verdict !== 'suspended').toSorted(),
  );
});

it('the documents name every metric of the fleet, and no other', async () => {
  const text = await readFile(join(root, 'docs', 'operations.md'), 'utf8');
  const web = await runningWeb();
  onTestFinished(web.stop);
  const names = [...parseExposition(await web.scrape()).keys()].filter(
    (name) => !/^plumbline_web_(?:process|nodejs)_/.test(name),
  );
  expect(names.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
});
