import { expect, it } from 'vitest';
import type { ChangeFact } from '../domain/record/change.ts';
import { changeHand, changeLabel } from './change-label.ts';

const old = `main@sha1:2d81e55${'0'.repeat(33)}`;
const next = `main@sha1:9f31c07${'0'.repeat(33)}`;
const by = 'kubectl-edit';

const cases: readonly (readonly [ChangeFact, string])[] = [
  [{ type: 'spec-edited', by, from: 3, generation: 4 }, 'Spec edited, to generation 4'],
  [{ type: 'spec-edited', by, from: 3, generation: 6 }, 'Spec edited 3 times, to generation 6'],
  [{ type: 'suspended', by, field: 'spec.suspend' }, 'Suspended by spec.suspend'],
  [{ type: 'resumed', by, field: 'spec.suspend' }, 'Resumed: spec.suspend no longer suspends it'],
  [{ type: 'revision', from: old, to: next }, 'Revision main@2d81e55 → main@9f31c07'],
  [{ type: 'revision', from: null, to: '0.2.0' }, 'First revision 0.2.0'],
  [{ type: 'revision', from: '0.2.0', to: null }, 'Revision 0.2.0 → none'],
  [{ type: 'created' }, 'Created'],
  [{ type: 'deletion-asked' }, 'Deletion asked for'],
  [{ type: 'deleted' }, 'Deleted'],
  [
    { type: 'exemption-added', kind: 'prune-disabled', field: 'spec.prune', by },
    'Weakened: not removed with git, by spec.prune',
  ],
  [
    { type: 'exemption-removed', kind: 'prune-disabled', field: 'spec.prune', by },
    'No longer weakened: not removed with git, by spec.prune',
  ],
  [
    { type: 'controller-version', namespace: 'flux-system', name: 'helm-controller', from: 'v1.3.0', to: 'v1.4.0' },
    'helm-controller v1.3.0 → v1.4.0',
  ],
  [
    { type: 'controller-restarted', namespace: 'flux-system', name: 'helm-controller' },
    'helm-controller restarted: its lease changed hands',
  ],
  [
    {
      type: 'package-revision',
      package: 'xpkg.upbound.io/upbound/provider-aws-rds',
      kind: 'ProviderRevision',
      name: 'provider-aws-rds-4c2',
      from: 'v1.2.0',
      to: 'v1.3.0',
    },
    'provider-aws-rds v1.2.0 → v1.3.0',
  ],
  [{ type: 'kubernetes-version', from: 'v1.33.6', to: 'v1.34.3' }, 'Kubernetes v1.33.6 → v1.34.3'],
];

it.each(cases)('%j: %s', (fact, words) => {
  expect(changeLabel(fact)).toBe(words);
  expect(changeHand(fact)).toBe('by' in fact ? by : null);
});
