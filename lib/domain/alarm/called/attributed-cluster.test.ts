import { expect, it } from 'vitest';
import { attributedCluster } from './attributed-cluster.ts';

const aliases = { 'prod-eu': 'eu' };

it.each<[string, Readonly<Record<string, string>>, readonly string[], string | null]>([
  ['the label', { k8s: 'us', cluster: 'x' }, [], 'us'],
  ['the label by its alias', { k8s: 'prod-eu' }, [], 'eu'],
  ['the label by its alias, where the source speaks for it', { k8s: 'prod-eu' }, ['us', 'eu'], 'eu'],
  ['none, where the label names one that the source does not speak for', { k8s: 'ap' }, ['us'], null],
  ['none, where its alias is one that the source does not speak for', { k8s: 'prod-eu' }, ['us', 'ap'], null],
  ['the one cluster of the source', {}, ['us'], 'us'],
  ['the one cluster, where the label is empty', { k8s: '' }, ['us'], 'us'],
  ['none of several', {}, ['us', 'eu'], null],
  ['none', {}, [], null],
])('the cluster is that of %s', (_what, labels, clusters, expected) => {
  expect(attributedCluster(labels, { label: 'k8s', aliases, clusters })).toBe(expected);
});

it('is not misled by what every object has', () => {
  expect(attributedCluster({}, { label: 'constructor', aliases, clusters: [] })).toBeNull();
  expect(attributedCluster({ k8s: 'constructor' }, { label: 'k8s', aliases, clusters: [] })).toBe('constructor');
});
