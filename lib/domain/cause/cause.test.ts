import { expect, it } from 'vitest';
import { observed } from '../testing/observed.ts';
import type { Cause } from '../verdict/judgement.ts';
import { causeKey, causeTitle } from './cause.ts';

const { ref } = observed();
const providerConfig = { cluster: 'c1', group: 'aws.upbound.io', kind: 'ProviderConfig', namespace: '', name: 'main' };

it.each<[cause: Cause, key: string, title: string]>([
  [
    { type: 'object', ref },
    'object:c1/kustomize.toolkit.fluxcd.io/Kustomization/flux-system/checkout',
    'checkout on c1',
  ],
  [
    { type: 'controller', cluster: 'c1', namespace: 'flux-system', name: 'helm-controller' },
    'controller:c1/flux-system/helm-controller',
    'helm-controller on c1',
  ],
  [{ type: 'cluster', cluster: 'c1' }, 'cluster:c1', 'c1'],
  [{ type: 'feed', cluster: 'c1', group: 'apps', kind: 'Deployment' }, 'feed:c1/apps/Deployment', 'Deployment on c1'],
  [
    { type: 'shared-error', cluster: 'c1', providerConfig, message: 'access denied' },
    'shared-error:c1/aws.upbound.io/ProviderConfig//main',
    'ProviderConfig main on c1',
  ],
])('%j has a key and a title', (cause, key, title) => {
  expect([causeKey(cause), causeTitle(cause)]).toEqual([key, title]);
});
