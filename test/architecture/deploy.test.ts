import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { at, listAt, objectAt, parseForeign, textAt } from '#lib/foreign.ts';
import { parseConfig } from '#server/config/load-config.ts';
import { configJsonSchema } from '#server/config/json-schema.ts';
import { readVersion } from '#server/runtime/version.ts';
import { webPermissions } from '#server/supervisor/web-permissions.ts';

const root = join(import.meta.dirname, '..', '..');
const text = (...path: readonly string[]): string => readFileSync(join(root, 'deploy', ...path), 'utf8');

/** The chart as it is rendered without any value; test/real/install.test.ts holds it against the chart. */
const documents = parseAllDocuments(text('base', 'plumbline.yaml')).map((document): unknown => document.toJS());
const named = (kind: string, name = 'plumbline'): unknown =>
  documents.find((one) => textAt(one, 'kind') === kind && textAt(one, 'metadata', 'name') === name);

const pod = objectAt(named('Deployment'), 'spec', 'template', 'spec');
const [collector, web, git] = listAt(pod, 'containers');
const mounted = (container: unknown) => listAt(container, 'volumeMounts').map((mount) => textAt(mount, 'name'));

it('gives the credentials to the collector and to nobody else', () => {
  expect(mounted(collector)).toEqual(['config', 'known', 'credentials', 'data', 'scratch']);
  expect(mounted(web)).toEqual(['config', 'data', 'scratch']);
  expect(mounted(git)).toEqual(['config', 'data', 'scratch']);
  expect(at(pod, 'automountServiceAccountToken')).toBe(false);
  expect(at(named('ServiceAccount'), 'automountServiceAccountToken')).toBe(false);
});

it('runs programs that are there, without rights', () => {
  expect(listAt(collector, 'args')).toEqual(['server/collector/main.ts']);
  const files = { root: '/plumbline', dataDirectory: '/var/lib/plumbline' };
  expect(listAt(web, 'args')).toEqual([
    ...webPermissions({ ...files, reads: ['/etc/plumbline/*'] }),
    'server/web/main.ts',
  ]);
  expect(listAt(git, 'args').at(-1)).toBe('server/git/main.ts');
  for (const container of [collector, web, git]) {
    expect(at(container, 'securityContext')).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  }
  expect(at(pod, 'securityContext', 'runAsNonRoot')).toBe(true);
});

it('has the kubelet ask, and starts no process for a probe', () => {
  const probes = (container: unknown) =>
    ['startupProbe', 'livenessProbe', 'readinessProbe'].flatMap((name) => at(container, name) ?? []);
  expect([collector, web, git].map((container) => probes(container).length)).toEqual([2, 3, 0]);
  for (const probe of [...probes(collector), ...probes(web)])
    expect(at(probe, 'httpGet', 'path')).toMatch(/^\/(?:health|ready)z$/);
});

it('brings a configuration that is sound', () => {
  const config = textAt(named('ConfigMap'), 'data', 'plumbline.yaml') ?? '';
  expect(parseConfig(config, '/etc/plumbline').type).toBe('ok');
});

it('holds no secret in what it makes', () => {
  expect(documents.map((one) => textAt(one, 'kind'))).not.toContain('Secret');
  expect(textAt(named('ConfigMap', 'plumbline-known'), 'data', 'this-cluster.yaml')).toContain(
    'tokenFile: /var/run/plumbline/token',
  );
});

it('lets nobody in by the network, and out to name servers and API servers alone', () => {
  const policy = named('NetworkPolicy');
  expect(at(policy, 'spec', 'podSelector', 'matchLabels')).toEqual(
    at(named('Deployment'), 'spec', 'selector', 'matchLabels'),
  );
  expect(at(policy, 'spec', 'policyTypes')).toEqual(['Ingress', 'Egress']);
  // An empty list is stored as none: it would be another one at each look at what is in git.
  expect(at(policy, 'spec', 'ingress')).toBeUndefined();
  const ports = listAt(policy, 'spec', 'egress').flatMap((rule) => listAt(rule, 'ports'));
  expect(ports.map((port) => at(port, 'port'))).toEqual([53, 53, 443, 6443]);
});

describe('the chart', () => {
  it('gives the rights that plumbline rbac writes, and no other', () => {
    expect(at(named('ClusterRole', 'plumbline-plumbline'), 'rules')).toEqual(
      at(parse(text('rbac', 'clusterrole.yaml')), 'rules'),
    );
  });

  it('is of the version of Plumbline, and so are its manifests', () => {
    const about = parse(text('chart', 'Chart.yaml'));
    expect([textAt(about, 'version'), textAt(about, 'appVersion')]).toEqual([readVersion(), readVersion()]);
    const [image] = listAt(parse(text('base', 'kustomization.yaml')), 'images');
    expect(textAt(image, 'newTag')).toBe(readVersion());
  });

  it('checks plumbline.yaml as Plumbline does; scripts/write-config-schema.mjs writes it anew', () => {
    const { $schema: _dialect, ...schema } = objectAt(parseForeign(configJsonSchema()));
    expect(at(parseForeign(text('chart', 'values.schema.json')), 'properties', 'config')).toEqual(schema);
  });

  it('knows each value by its schema, and has one of each', () => {
    const named = (value: unknown, schema: unknown, path: string): readonly string[] =>
      Object.entries(objectAt(schema, 'properties')).flatMap(([name, inner]) => {
        const here = `${path}.${name}`;
        if (here === '.global' || here === '.config') return [];
        if (at(value, name) === undefined) return [`${here} has no value`];
        return named(at(value, name), inner, here);
      });
    const values: unknown = parse(text('chart', 'values.yaml'));
    expect(
      named(values, parseForeign(text('chart', 'values.schema.json')), '').filter(
        (line) => !/\.(?:requests|limits|claims) /.test(line),
      ),
    ).toEqual([]);
  });
});
