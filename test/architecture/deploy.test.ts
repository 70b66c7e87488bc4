import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { at, listAt, objectAt, textAt } from '#lib/foreign.ts';
import { parseConfig } from '#server/config/load-config.ts';
import { webPermissions } from '#server/supervisor/web-permissions.ts';

const root = join(import.meta.dirname, '..', '..');
const base = join(root, 'deploy', 'base');

function manifest(name: string): unknown {
  return parse(readFileSync(join(base, name), 'utf8'));
}

const pod = objectAt(manifest('deployment.yaml'), 'spec', 'template', 'spec');
const [collector, web, git] = listAt(pod, 'containers');

const mounted = (container: unknown) => listAt(container, 'volumeMounts').map((mount) => textAt(mount, 'name'));

it('gives the credentials to the collector and to nobody else', () => {
  expect(mounted(collector)).toEqual(['config', 'clusters', 'data', 'credentials', 'scratch']);
  expect(mounted(web)).toEqual(['config', 'links', 'auth', 'data', 'scratch']);
  expect(mounted(git)).toEqual(['config', 'repositories', 'data', 'scratch']);
  const volume = (name: string) => listAt(pod, 'volumes').find((each) => textAt(each, 'name') === name);
  expect(textAt(volume('clusters'), 'secret', 'secretName')).toBe('plumbline-clusters');
  expect(textAt(volume('links'), 'secret', 'secretName')).toBe('plumbline-links');
  expect(textAt(volume('auth'), 'secret', 'secretName')).toBe('plumbline-auth');
  expect(at(pod, 'automountServiceAccountToken')).toBe(false);
  expect(at(manifest('service-account.yaml'), 'automountServiceAccountToken')).toBe(false);
});

it('runs programs that are there, without rights', () => {
  expect(listAt(collector, 'args')).toEqual(['server/collector/main.ts']);
  const files = { root: '/plumbline', dataDirectory: '/var/lib/plumbline' };
  const reads = ['/etc/plumbline/*', '/etc/plumbline-links/*', '/etc/plumbline-auth/*'];
  expect(listAt(web, 'args')).toEqual([...webPermissions({ ...files, reads }), 'server/web/main.ts']);
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

it('brings a configuration that is sound', () => {
  expect(parseConfig(readFileSync(join(base, 'plumbline.yaml'), 'utf8'), '/etc/plumbline').type).toBe('ok');
});

it('holds no kubeconfig in what all containers read', () => {
  const kustomization = manifest('kustomization.yaml');
  const files = (generator: string) => listAt(kustomization, generator).flatMap((each) => listAt(each, 'files'));
  expect(files('configMapGenerator')).toEqual(['plumbline.yaml']);
  expect(files('secretGenerator')).toEqual(['this-cluster.yaml']);
});

it('lets nobody in by the network, and out to name servers and API servers alone', () => {
  const policy = manifest('network-policy.yaml');
  expect(listAt(manifest('kustomization.yaml'), 'resources')).toContain('network-policy.yaml');
  expect(at(policy, 'spec', 'podSelector', 'matchLabels')).toEqual(
    at(manifest('deployment.yaml'), 'spec', 'selector', 'matchLabels'),
  );
  expect(at(policy, 'spec', 'policyTypes')).toEqual(['Ingress', 'Egress']);
  expect(at(policy, 'spec', 'ingress')).toEqual([]);
  const ports = listAt(policy, 'spec', 'egress').flatMap((rule) => listAt(rule, 'ports'));
  expect(ports.map((port) => at(port, 'port'))).toEqual([53, 53, 443, 6443]);
});
