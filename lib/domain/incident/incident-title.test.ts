import { expect, it } from 'vitest';
import type { Cause } from '../verdict/judgement.ts';
import type { Roots } from './incident.ts';
import { causeWords, incidentTitle, isShared } from './incident-title.ts';

const ref = { cluster: 'eu', group: 'g', kind: 'Kustomization', namespace: 'apps', name: 'checkout' };
const object: Cause = { type: 'object', ref };
const cluster: Cause = { type: 'cluster', cluster: 'ap' };
const controller: Cause = { type: 'controller', cluster: 'eu', namespace: 'flux-system', name: 'kustomize-controller' };
const feed: Cause = { type: 'feed', cluster: 'eu', group: 'g', kind: 'HelmRelease' };
const shared: Cause = {
  type: 'shared-error',
  cluster: 'eu',
  providerConfig: { ...ref, kind: 'ProviderConfig', name: 'aws' },
  message: 'denied',
};

const roots = (names: readonly string[], clusters: number, count = names.length): Roots => ({ names, count, clusters });
const none = roots([], 0);

it.each<[string, Cause, Roots]>([
  ['checkout on eu', object, none],
  ['checkout on eu', object, roots(['checkout'], 1)],
  ['checkout on 3 clusters', object, roots(['checkout'], 3)],
  ['cart and checkout on eu', object, roots(['cart', 'checkout'], 1)],
  ['cart, checkout and 1 more on 2 clusters', object, roots(['cart', 'checkout', 'mail'], 2)],
  ['cart, checkout and 38 more on 9 clusters', object, roots(['cart', 'checkout', 'mail'], 9, 40)],
  ['cluster ap lost', cluster, none],
  ['cluster ap lost', cluster, roots(['ap'], 1)],
  ['2 clusters lost: ap and eu', cluster, roots(['ap', 'eu'], 2)],
  ['3 clusters lost: ap, eu and us', cluster, roots(['ap', 'eu', 'us'], 3)],
  ['200 clusters lost: ap, eu, us and 197 more', cluster, roots(['ap', 'eu', 'us'], 200, 200)],
  ['kustomize-controller on eu', controller, none],
  ['kustomize-controller on eu', controller, roots(['cart', 'checkout'], 1)],
  ['HelmRelease on eu', feed, none],
  ['ProviderConfig aws on eu', shared, roots(['a', 'b'], 1)],
])('reads %s', (title, cause, of) => {
  expect(incidentTitle({ cause, roots: of })).toBe(title);
});

it.each([
  ['checkout on eu', object],
  ['cluster ap lost', cluster],
  ['kustomize-controller on eu', controller],
])('a cause alone reads %s', (words, cause) => {
  expect(causeWords(cause)).toBe(words);
});

it.each([
  [none, false],
  [roots(['a'], 1), false],
  [roots(['a'], 2), true],
  [roots(['a', 'b'], 1), true],
])('several fail alike where roots are %j: %s', (of, shares) => {
  expect(isShared(of)).toBe(shares);
});
