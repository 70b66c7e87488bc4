import { expect, it } from 'vitest';
import { changeKey, changeTypes, type ChangeFact } from './change.ts';

const exemption = { kind: 'drift-ignored', field: 'spec.driftDetection', by: 'kubectl' } as const;
const controller = { namespace: 'flux-system', name: 'helm-controller' };

const keys: readonly (readonly [key: string, ChangeFact])[] = [
  ['spec-edited', { type: 'spec-edited', by: 'kubectl-edit', from: 1, generation: 2 }],
  ['suspended', { type: 'suspended', by: null, field: 'spec.suspend' }],
  ['resumed', { type: 'resumed', by: null, field: 'spec.suspend' }],
  ['revision', { type: 'revision', from: null, to: 'b' }],
  ['created', { type: 'created' }],
  ['deletion-asked', { type: 'deletion-asked' }],
  ['deleted', { type: 'deleted' }],
  ['exemption-added drift-ignored spec.driftDetection', { type: 'exemption-added', ...exemption }],
  ['exemption-removed drift-ignored spec.driftDetection', { type: 'exemption-removed', ...exemption }],
  ['controller-version flux-system/helm-controller', { type: 'controller-version', ...controller, from: '1', to: '2' }],
  ['controller-restarted flux-system/helm-controller', { type: 'controller-restarted', ...controller }],
  [
    'package-revision xpkg/aws',
    { type: 'package-revision', package: 'xpkg/aws', kind: 'ProviderRevision', name: 'aws-2', from: '1', to: '2' },
  ],
  ['kubernetes-version', { type: 'kubernetes-version', from: '1', to: '2' }],
];

it.each(keys)('%s is the key of a change', (key, fact) => {
  expect(changeKey(fact)).toBe(key);
});

it('the types of changes are all that there are', () => {
  expect(changeTypes).toEqual(keys.map(([, { type }]) => type));
});
