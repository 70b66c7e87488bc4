import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { defaultKubeconfigs, listContexts } from './kube-contexts.ts';
import { clusterNameOf, clustersOfContexts } from './selected-config.ts';

it('finds the files as kubectl does', () => {
  expect(defaultKubeconfigs({ HOME: '/home/me' })).toEqual(['/home/me/.kube/config']);
  expect(defaultKubeconfigs({ HOME: '/home/me', KUBECONFIG: '/a:/b' })).toEqual(['/a', '/b']);
  expect(defaultKubeconfigs({ HOME: '/home/me', KUBECONFIG: '' })).toEqual(['/home/me/.kube/config']);
});

it('lists contexts over several files: the first to name one wins, missing and broken files are none', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-kube-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const first = `current-context: eu
contexts:
  - { name: eu, context: { cluster: eu, user: sso } }
  - { name: lost, context: { cluster: nowhere, user: nobody } }
clusters:
  - { name: eu, cluster: { server: "https://me:secret@eu.example.org:6443" } }
users:
  - { name: sso, user: { exec: { command: aws } } }
`;
  const second = `current-context: us
contexts:
  - { name: eu, context: { cluster: other, user: other } }
  - { name: us, context: { cluster: us, user: token } }
clusters:
  - { name: us, cluster: { server: "https://us.example.org" } }
`;
  const paths = ['first', 'second', 'broken', 'missing'].map((name) => join(folder, name));
  await writeFile(join(folder, 'first'), first);
  await writeFile(join(folder, 'second'), second);
  await writeFile(join(folder, 'broken'), '{ : [');
  expect(await listContexts(paths)).toEqual([
    { name: 'eu', server: 'https://eu.example.org:6443', current: true, execPlugin: 'aws' },
    { name: 'lost', server: null, current: false, execPlugin: null },
    { name: 'us', server: 'https://us.example.org', current: false, execPlugin: null },
  ]);
});

it.each([
  ['eu-west-3', 'eu-west-3'],
  ['arn:aws:eks:eu-west-3:123456789012:cluster/checkout', 'checkout'],
  ['admin@talos', 'admin@talos'],
  ['default/api-example-org:6443/me', 'me'],
  ['my cluster', 'my-cluster'],
  ['///', 'cluster'],
])('calls the cluster of context %j %j', (context, name) => {
  expect(clusterNameOf(context)).toBe(name);
});

it('keeps the names of clusters apart', () => {
  const names = clustersOfContexts(['a/prod', 'b/prod']).map((entry) => entry.type === 'cluster' && entry.name);
  expect(names).toEqual(['prod', 'prod-2']);
});
