import { expect, it } from 'vitest';
import { kustomizeGroup, sampleObject, sourceGroup } from '../../testing/sample.ts';
import { readOnlyCommands } from './commands.ts';

const where = '-n flux-system --context eu-west-3';

it.each([
  ['GitRepository', 'sources git'],
  ['OCIRepository', 'sources oci'],
  ['Bucket', 'sources bucket'],
  ['HelmRepository', 'sources helm'],
  ['HelmChart', 'sources chart'],
  ['HelmRelease', 'helmreleases'],
])('a %s is asked for with flux and with kubectl', (kind, get) => {
  const resource = `${kind.toLowerCase()}.${sourceGroup}`;
  expect(readOnlyCommands(sampleObject({ group: sourceGroup, kind, name: 'web' }))).toEqual([
    `flux get ${get} web ${where}`,
    `flux events --for ${kind}/web ${where}`,
    `kubectl get ${resource} web ${where} -o yaml`,
    `kubectl describe ${resource} web ${where}`,
  ]);
});

it('a Kustomization is asked for what it made', () => {
  expect(readOnlyCommands(sampleObject({ name: 'web' }))).toEqual([
    `flux get kustomizations web ${where}`,
    `flux events --for Kustomization/web ${where}`,
    `flux tree kustomization web ${where}`,
    `kubectl get kustomization.${kustomizeGroup} web ${where} -o yaml`,
    `kubectl describe kustomization.${kustomizeGroup} web ${where}`,
  ]);
});

it.each([
  [
    'no resource of Flux',
    'kustomize.example.org',
    'Kustomization',
    'managed',
    'kustomization.kustomize.example.org',
    [],
  ],
  [
    'of Flux, which its client does not get',
    'image.toolkit.fluxcd.io',
    'ImagePolicy',
    'helper',
    'imagepolicy.image.toolkit.fluxcd.io',
    [],
  ],
  ['of the core', '', 'Node', 'managed', 'node', []],
  ['a composite', 'acme.example', 'XDatabase', 'composite', 'xdatabase.acme.example', ['crossplane beta trace']],
  ['a claim', 'acme.example', 'Database', 'claim', 'database.acme.example', ['crossplane beta trace']],
] as const)('what is %s is asked for with kubectl', (_what, group, kind, role, resource, first) => {
  const of = `${resource} web --context eu-west-3`;
  expect(readOnlyCommands(sampleObject({ group, kind, namespace: '', name: 'web' }, { role }))).toEqual([
    ...first.map((command) => `${command} ${of}`),
    `kubectl get ${of} -o yaml`,
    `kubectl describe ${of}`,
  ]);
});

it.each([
  ['name', { name: '--server=https://evil.example' }],
  ['name', { name: '-A' }],
  ['name', { name: 'a b' }],
  ['name', { name: 'a\n' }],
  ['name', { name: "a';x" }],
  ['name', { name: 'a/b' }],
  ['name', { name: '..' }],
  ['name', { name: '' }],
  ['name', { name: 'a'.repeat(254) }],
  ['namespace', { namespace: '--kubeconfig=x' }],
  ['namespace', { namespace: 'a b' }],
  ['namespace', { namespace: 'A' }],
  ['kind', { kind: '--insecure-skip-tls-verify' }],
  ['kind', { kind: 'a,secret' }],
  ['group', { group: '-x' }],
  ['group', { group: 'a/b' }],
  ['cluster', { cluster: 'a\u001B[201~\n' }],
])('nothing is asked for by a %s that is none: %j', (_what, ref) => {
  for (const role of ['managed', 'composite'] as const)
    expect(readOnlyCommands(sampleObject({ name: 'web', ...ref }, { role }))).toEqual([]);
});

it.each(['system:node', 'web.v2', 'a_b@c', 'kubeadm:get-nodes'])(
  'a name that Kubernetes takes is asked for: %s',
  (name) => {
    const group = 'rbac.authorization.k8s.io';
    expect(readOnlyCommands(sampleObject({ group, kind: 'ClusterRole', namespace: '', name })).length).toBe(2);
  },
);
