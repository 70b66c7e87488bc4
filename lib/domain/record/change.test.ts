import { expect, it } from 'vitest';
import { changeKey, changeTypes, type ChangeFact } from './change.ts';

const exemption = { kind: 'drift-ignored', field: 'spec.driftDetection', by: 'kubectl' } as const;
const controller = { namespace: 'flux-system', name: 'helm-controller' };

/** A change of each type, and its key. */
const keys: { readonly [Type in ChangeFact['type']]: readonly [Extract<ChangeFact, { type: Type }>, string] | null } = {
  'spec-edited': [{ type: 'spec-edited', by: 'kubectl-edit', from: 1, generation: 2 }, 'spec-edited'],
  suspended: [{ type: 'suspended', by: null, field: 'spec.suspend' }, 'suspended'],
  resumed: [{ type: 'resumed', by: null, field: 'spec.suspend' }, 'resumed'],
  revision: [{ type: 'revision', from: null, to: 'b' }, 'revision'],
  created: [{ type: 'created' }, 'created'],
  'deletion-asked': [{ type: 'deletion-asked' }, 'deletion-asked'],
  deleted: [{ type: 'deleted' }, 'deleted'],
  'exemption-added': null,
  'exemption-removed': null,
  'controller-version': [
    { type: 'controller-version', ...controller, from: '1', to: '2' },
    'controller-version flux-system/helm-controller',
  ],
  'controller-restarted': [
    { type: 'controller-restarted', ...controller },
    'controller-restarted flux-system/helm-controller',
  ],
  'package-revision': [
    { type: 'package-revision', package: 'xpkg/aws', kind: 'ProviderRevision', name: 'aws-2', from: '1', to: '2' },
    'package-revision xpkg/aws',
  ],
  'kubernetes-version': [{ type: 'kubernetes-version', from: '1', to: '2' }, 'kubernetes-version'],
};

it.each(changeTypes)('a change of type %s has its key', (type) => {
  const [fact, key] = keys[type] ?? [];
  if (fact) expect(changeKey(fact)).toBe(key);
});

it.each(['exemption-added', 'exemption-removed'] as const)('%s is told apart by kind and field', (type) => {
  expect(changeKey({ type, ...exemption })).toBe(`${type} drift-ignored spec.driftDetection`);
});

it('the types of changes are all that there are', () => {
  expect(new Set<string>(changeTypes)).toEqual(new Set(Object.keys(keys)));
});
