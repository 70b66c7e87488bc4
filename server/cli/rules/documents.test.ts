import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { compareText } from '#lib/domain/observation/compare-text.ts';
import { readRule } from '#lib/domain/alarm/selector/selectors.ts';
import { listAt, objectAt, textAt } from '#lib/foreign.ts';
import { minute } from '#lib/domain/time/length.ts';
import { objectMetrics } from '../../config/alarms-schema.ts';
import { plainNaming } from './cluster-naming.ts';
import type { RulesFormat } from './documents.ts';
import { fleetKinds, mostKinds, onlyClusters, type Seen } from './fleet-kinds.ts';
import { mostPairs } from './metric-rules.ts';
import { type RulesPolicy, writtenRules } from './rules.ts';
import { fleets, seenOn } from './testing.ts';

const policy: RulesPolicy = {
  alarmWithin: 15 * minute,
  publicUrl: 'https://plumbline.example.org',
  naming: plainNaming,
};
const { flux, crossplane, neighbours } = fleets;
const everything = [...flux, ...crossplane, ...neighbours];

async function filesOf(objects: readonly Seen[], format: RulesFormat, settings = policy) {
  const { files, notes } = await writtenRules(fleetKinds([], objects, false), settings, format, true);
  const text = (name: string): string => files.find((file) => file.name === name)?.text ?? '';
  return { files, notes, text };
}

/** The rules of a fleet as they are parsed. */
async function rulesOf(objects: readonly Seen[], settings = policy) {
  const { text } = await filesOf(objects, 'prometheus', settings);
  return listAt(parse(text('rules.yaml')), 'groups').flatMap((group) => listAt(group, 'rules'));
}

describe('what is written for a fleet', () => {
  it.each([
    ['flux', flux, 'yaml'],
    ['crossplane', crossplane, 'yaml'],
    ['everything', everything, 'yaml'],
    ['everything', everything, 'prometheus'],
  ] as const)('of %s is kept, word for word', async (name, objects, format) => {
    const { files, notes } = await filesOf(objects, format);
    const whole = files.map((file) => `==> ${file.name}\n${file.text}`).join('\n');
    const kept = `../../../test/fixtures/kept/rules/${name}-${format}.txt`;
    await expect(`${notes.join('\n')}\n\n${whole}`).toMatchFileSnapshot(kept);
  });

  it('names the kinds that there are, and no other', async () => {
    const { text } = await filesOf(flux, 'prometheus');
    const resources = listAt(parse(text('kube-state-metrics.yaml')), 'spec', 'resources');
    expect(resources.map((each) => textAt(each, 'groupVersionKind', 'kind'))).toEqual([
      'HelmRelease',
      'Kustomization',
      'GitRepository',
    ]);
    const helps = resources.flatMap((each) => listAt(each, 'metrics').map((metric) => textAt(metric, 'help')));
    expect(new Set(helps).size).toBe(resources.length);
    const alerts = await rulesOf(seenOn(['eu-west-3'], 'flux', 'source.toolkit.fluxcd.io/GitRepository'));
    expect(alerts.map((rule) => textAt(rule, 'alert'))).not.toContain('FluxReconciliationFailure');
  });

  it('leaves out the rules on Plumbline itself for the Prometheus of one cluster, and asks for no other cluster', async () => {
    const only = onlyClusters(fleetKinds([], flux, false), ['us-east-2']);
    const written = only === null ? null : await writtenRules(only, policy, 'prometheus', false);
    expect(written?.files.map(({ name }) => name)).not.toContain('plumbline.yaml');
    const all = written?.files.map(({ text }) => text).join('') ?? '';
    expect(all).not.toContain('eu-west-3');
    expect(all).not.toContain('HelmRelease');
    // Its series may carry no cluster: external labels add it on the way out.
    expect(all).toContain('cluster=~"|us-east-2"');
  });

  it('names clusters as the sources do, by their label and its values', async () => {
    const naming = { label: 'k8s_cluster', valuesOf: (cluster: string) => [`prod-${cluster}`, `b-${cluster}`] };
    const { files, text } = await filesOf(flux, 'prometheus', { ...policy, naming });
    const own = files.filter(({ name }) => name !== 'plumbline.yaml').map((file) => file.text);
    expect(own.join('\n')).not.toMatch(/\bcluster=[~"]|labels\.cluster|by \(cluster|\[alertname, cluster/);
    const rules = text('rules.yaml');
    expect(rules).toContain('max by (k8s_cluster, customresource_group, ');
    expect(rules).toContain('k8s_cluster=~"prod-eu-west-3|b-eu-west-3"');
    expect(rules).toContain('go?cluster={{ (or $labels.k8s_cluster $externalLabels.k8s_cluster) | urlquery }}');
    expect(text('alertmanager.yaml')).toContain('[alertname, k8s_cluster, ');
    expect(text('alertmanager.yaml')).toContain('equal: [k8s_cluster]');
  });

  it('has no link back where nobody said where the pages are, and says so', async () => {
    const { notes } = await filesOf(flux, 'prometheus', { ...policy, publicUrl: null });
    expect(notes).toContain('publicUrl is not set in plumbline.yaml, so no alert leads back to Plumbline.');
    const [rule] = await rulesOf(flux, { ...policy, publicUrl: null });
    expect(textAt(rule, 'annotations', 'plumbline_url')).toBeNull();
  });

  it.each([
    // 15 min less 60 s for a scrape, two evaluations of 30 s, and a group_wait of 30 s.
    [15 * minute, '12m30s', 0],
    [3 * minute, '30s', 0],
    [2.5 * minute, '0s', 0],
    [2 * minute, '0s', 1],
    [36 * 60 * minute, '1d11h57m30s', 0],
  ])('holds for what alarmWithin of %d ms leaves', async (alarmWithin, hold, warnings) => {
    const { notes } = await filesOf(flux, 'prometheus', { ...policy, alarmWithin });
    const rules = await rulesOf(flux, { ...policy, alarmWithin });
    expect(new Set(rules.map((rule) => textAt(rule, 'for')))).toEqual(new Set([hold]));
    expect(notes.filter((note) => note.includes('later than the policy'))).toHaveLength(warnings);
  });

  it('lets no critical rule on Plumbline itself wait longer than the policy, and leaves those of the day be', async () => {
    const { text } = await filesOf(flux, 'prometheus');
    const own = listAt(parse(text('plumbline.yaml')), 'groups').flatMap((group) => listAt(group, 'rules'));
    const times = Object.fromEntries(own.map((rule) => [textAt(rule, 'alert'), textAt(rule, 'for')]));
    expect(times).toMatchObject({ PlumblineIsGone: '5m', NotAsInGit: '12m30s', BehindGit: '1h' });
    expect(own.map((rule) => textAt(rule, 'labels', 'plumbline'))).toEqual(own.map(() => 'alarm'));
  });
});

describe('the conditions of all reconcilers', () => {
  it('never ask for what is False, and keep labels that stand still alone', async () => {
    const expressions = (await rulesOf(everything)).map((rule) => textAt(rule, 'expr') ?? '');
    expect(expressions.filter((text) => /(?<!!)=~?"[^"]*False/.test(text))).toEqual([]);
    const kept = expressions.flatMap((text) => /^max by \(([^)]*)\)/.exec(text)?.[1] ?? []);
    expect(new Set(kept)).toEqual(
      new Set(['cluster, customresource_group, customresource_kind, exported_namespace, name']),
    );
  });

  it('ask for labels that are exported', async () => {
    const exported = new Set(['customresource_group', 'customresource_kind', 'cluster', 'job']);
    const { text } = await filesOf(everything, 'prometheus');
    for (const resource of listAt(parse(text('kube-state-metrics.yaml')), 'spec', 'resources'))
      for (const metric of listAt(resource, 'metrics'))
        for (const name of Object.keys(objectAt(metric, 'labelsFromPath'))) exported.add(name);
    // Of HelmRepositories alone, which this fleet does not have.
    exported.add('type');
    const asked = (await rulesOf(everything)).flatMap((rule) =>
      [...(textAt(rule, 'expr') ?? '').matchAll(/[{,](\w+)(?:=~|!~|!=|=)"/g)].map(([, name]) => name ?? ''),
    );
    expect([...new Set(asked)].filter((name) => !exported.has(name))).toEqual([]);
  });
});

describe('read as Plumbline reads the rules of a Prometheus', () => {
  it('each tells its objects by labels that stand still, and states are no part of its scope', async () => {
    const many = Array.from({ length: 300 }, (_, at) => `c${at}`);
    const rules = await rulesOf([...everything, ...seenOn(many, 'flux', 'kustomize.toolkit.fluxcd.io/Kustomization')]);
    const read = rules.map((rule) => ({
      alert: textAt(rule, 'alert') ?? '',
      ...readRule(textAt(rule, 'expr') ?? '', objectMetrics),
    }));
    const onObjects = read.filter(({ selectors }) => selectors?.length !== 0);
    expect([...new Set(onObjects.map(({ alert }) => alert))].filter((alert) => /Metric/.test(alert))).toEqual([]);
    expect(new Set(onObjects.map(({ alert }) => alert)).size).toBe(16);
    expect(new Set(onObjects.map(({ keeps }) => keeps?.join()))).toEqual(
      new Set(['cluster,customresource_group,customresource_kind,exported_namespace,name']),
    );
    const scopes = new Set(onObjects.flatMap(({ selectors }) => selectors?.map(({ scope }) => scope) ?? ['not read']));
    expect([...scopes].toSorted(compareText)).toMatchInlineSnapshot(`
      [
        "argocd_resource_info",
        "crossplane_definition_info",
        "crossplane_package_info",
        "crossplane_package_info{customresource_kind!~".+Revision"}",
        "crossplane_package_info{customresource_kind=~".+Revision"}",
        "crossplane_resource_info",
        "gotk_resource_info",
        "gotk_resource_info{customresource_group!~"source\\\\.toolkit\\\\.fluxcd\\\\.io|source\\\\.extensions\\\\.fluxcd\\\\.io"}",
        "gotk_resource_info{customresource_group=~"source\\\\.toolkit\\\\.fluxcd\\\\.io|source\\\\.extensions\\\\.fluxcd\\\\.io"}",
        "pulumi_resource_info",
        "tofu_resource_info",
      ]
    `);
  });
});

describe('kinds', () => {
  it('that are known of Flux or served come with --all-kinds, and no series of them are missed', async () => {
    const feed = {
      group: 'ec2.aws.m.upbound.io',
      kind: 'VPC',
      version: 'v1',
      namespaced: true,
      since: 0,
      reason: null,
    };
    const served = { ...feed, state: 'idle' as const, lastWordAt: null, objects: 0 };
    const absent = { ...served, kind: 'Subnet', state: 'absent' as const };
    const all = fleetKinds([{ name: 'eu-west-3', feeds: [served, absent] }], crossplane, true);
    const names = all.kinds.map(({ kind }) => kind);
    expect(names).toEqual(expect.arrayContaining(['VPC', 'Kustomization', 'HelmRelease', 'ImagePolicy', 'Bucket']));
    expect(names).not.toContain('Subnet');
    const { files } = await writtenRules(all, policy, 'prometheus', false);
    const rules = files.find(({ name }) => name === 'rules.yaml')?.text ?? '';
    expect(rules).toContain('FluxReconciliationFailure');
    expect(rules).not.toContain('"VPC"');
  });

  it('that are only declared have no metric', () => {
    const stack = seenOn(['elsewhere'], 'terraform', 'declared/Stack').map((seen) => ({
      ...seen,
      role: 'declared' as const,
    }));
    expect(fleetKinds([], stack, false).kinds).toEqual([]);
  });

  it('beyond what fits are left out, those without objects first, and that is said', () => {
    const many = Array.from({ length: mostKinds + 5 }, (_, at) => `g${at}.example.org/Kind`);
    const found = fleetKinds([], [...seenOn(['a'], 'crossplane', ...many), ...flux], true);
    expect(found.kinds).toHaveLength(mostKinds);
    expect(found.kinds.every(({ clusters }) => clusters.length > 0)).toBe(true);
    expect(found.leftOut).toEqual([expect.stringMatching(/^\d+ kinds beyond the first 1000$/)]);
  });

  it('on more clusters than one file holds are missed by their metric', async () => {
    const clusters = Array.from({ length: mostPairs / 2 }, (_, at) => `c${at}`);
    const objects = seenOn(clusters, 'flux', 'a.example.org/A', 'a.example.org/B', 'a.example.org/C');
    const { notes } = await filesOf(objects, 'prometheus');
    expect(notes).toContain(
      'Left out: absent series are alarmed on by metric and cluster, not by kind, for 6000 kinds on clusters are more than 4000.',
    );
    const absent = (await rulesOf(objects)).filter((rule) => textAt(rule, 'alert') === 'ReconcilerMetricAbsent');
    const asked = absent.map((rule) => textAt(rule, 'expr')?.match(/absent\(/g)?.length ?? 0);
    expect(asked.reduce((sum, count) => sum + count, 0)).toBe(clusters.length);
    // promtool refuses two rules with the same name and labels.
    expect(new Set(absent.map((rule) => JSON.stringify(objectAt(rule, 'labels')))).size).toBe(absent.length);
  });
});

describe('hostile words', () => {
  const hostile = [
    'a"} or vector(1) #',
    "b' \\",
    '{{ $labels.x }}\n- alert: Mine',
    '*/${HOME}`id`',
    ': &anchor !!js/function',
    '\u2028\u202e\ud800',
  ];

  it('in names of clusters stay strings, in every file', async () => {
    const objects = seenOn(hostile, 'flux', 'kustomize.toolkit.fluxcd.io/Kustomization');
    const calm = seenOn(
      hostile.map((_, at) => `c${at}`),
      'flux',
      'kustomize.toolkit.fluxcd.io/Kustomization',
    );
    const [mean, plain] = [await rulesOf(objects), await rulesOf(calm)];
    expect(mean.map((rule) => textAt(rule, 'alert'))).toEqual(plain.map((rule) => textAt(rule, 'alert')));
    const absent = mean.find((rule) => textAt(rule, 'alert') === 'ReconcilerMetricAbsent');
    const named = [...(textAt(absent, 'expr') ?? '').matchAll(/cluster=("(?:[^"\\]|\\.)*")/g)];
    expect(named.map(([, text = '']) => JSON.parse(text)).toSorted(compareText)).toEqual(
      hostile.map((name) => name.toWellFormed()).toSorted(compareText),
    );
    // Templates are expanded in annotations and labels: no name of a cluster stands there.
    const expanded = mean.map((rule) => JSON.stringify([objectAt(rule, 'annotations'), objectAt(rule, 'labels')]));
    expect(expanded.filter((text) => text.includes('$labels.x') || text.includes('Mine'))).toEqual([]);
  });

  it('that one cluster alone is called are no pattern', async () => {
    const objects = seenOn(['a.b|.*'], 'flux', 'kustomize.toolkit.fluxcd.io/Kustomization');
    const { text } = await filesOf(objects, 'prometheus');
    expect(text('rules.yaml')).toContain(String.raw`cluster=~"|a\\.b\\|\\.\\*"`);
  });

  it('a kind that a cluster serves in a group of Kubernetes itself is left out: the group would be read on all clusters', () => {
    const kinds = ['rbac.authorization.k8s.io/Role', 'apps/Thing', 'a.example.org/Thing'];
    const found = fleetKinds([], seenOn(['a'], 'crossplane', ...kinds), false);
    expect(found.kinds.map(({ group }) => group)).toEqual(['a.example.org']);
    expect(found.leftOut).toEqual(['2 kinds of groups of Kubernetes itself']);
  });

  it('in names of kinds and groups are left out, and names that are too long', () => {
    const kinds = ['kustomize.toolkit.fluxcd.io/Kust"ization', 'a\n.org/Kind', `a.org/${'K'.repeat(64)}`, '/Pod'];
    const found = fleetKinds(
      [],
      [...seenOn(['a'], 'flux', ...kinds), ...seenOn(['x'.repeat(300)], 'flux', 'a.org/A')],
      false,
    );
    expect(found.kinds.map(({ kind, clusters }) => [kind, clusters])).toEqual([]);
    expect(found.leftOut).toEqual([
      '4 kinds with a name that Kubernetes would not take',
      '1 cluster with a name longer than 253 characters',
    ]);
  });
});
