import { describe, expect, it } from 'vitest';
import type { CurrentController } from '#lib/domain/record/current.ts';
import { createClusterChanges } from './cluster-changes.ts';

type Part = Partial<Pick<CurrentController, 'version' | 'holder' | 'transitions'>>;

function controller(part: Part): CurrentController {
  return {
    namespace: 'flux-system',
    name: 'kustomize-controller',
    state: 'alive',
    lastMovedAt: 0,
    lease: 'kustomize-controller-leader-election',
    durationSeconds: 35,
    holder: null,
    transitions: null,
    version: null,
    deployment: 'unknown',
    objects: 3,
    ...part,
  };
}

const restart = 'controller-restarted';
const cases: readonly (readonly [string, readonly Part[], readonly string[]])[] = [
  ['seen for the first time', [{ version: 'v1.7.0', holder: 'a', transitions: 3 }], []],
  [
    'the same again',
    [
      { version: 'v1.7.0', holder: 'a' },
      { version: 'v1.7.0', holder: 'a' },
    ],
    [],
  ],
  ['another version', [{ version: 'v1.7.0' }, { version: 'v1.7.1' }], ['v1.7.0 to v1.7.1']],
  ['a version that is known only now', [{}, { version: 'v1.7.1' }], []],
  ['a version that cannot be read for a while', [{ version: 'v1.7.0' }, {}, { version: 'v1.7.0' }], []],
  ['another version after that', [{ version: 'v1.7.0' }, {}, { version: 'v1.8.0' }], ['v1.7.0 to v1.8.0']],
  ['another holder', [{ holder: 'a' }, { holder: 'b' }], [restart]],
  ['a lease that was released, and taken by another', [{ holder: 'a' }, { holder: null }, { holder: 'b' }], [restart]],
  ['a lease that was released, and taken again', [{ holder: 'a' }, { holder: null }, { holder: 'a' }], []],
  [
    'the same pod whose lease changed hands',
    [
      { holder: 'a', transitions: 3 },
      { holder: 'a', transitions: 4 },
    ],
    [restart],
  ],
  [
    'a new Lease that begins to count',
    [
      { holder: 'a', transitions: 3 },
      { holder: 'b', transitions: 0 },
    ],
    [],
  ],
  ['the same holder whose lease is counted only now', [{ holder: 'a' }, { holder: 'a', transitions: 3 }], []],
  [
    'another holder of a lease that counts no change of hands',
    [
      { holder: 'a', transitions: 3 },
      { holder: 'b', transitions: 3 },
    ],
    [restart],
  ],
  ['another holder of a lease that is counted only now', [{ holder: 'a' }, { holder: 'b', transitions: 3 }], [restart]],
  [
    'an upgrade is both',
    [
      { version: 'v1.7.0', holder: 'a', transitions: 3 },
      { version: 'v1.7.1', holder: 'b', transitions: 4 },
    ],
    ['v1.7.0 to v1.7.1', restart],
  ],
];

describe('controllers', () => {
  it.each(cases)('%s', (_name, parts, expected) => {
    const changes = createClusterChanges(null);
    const facts = parts.flatMap((part) => changes.controllers([controller(part)]));
    expect(
      facts.map((fact) => (fact.type === 'controller-version' ? `${fact.from} to ${fact.to}` : fact.type)),
    ).toEqual(expected);
  });

  it('of the same name in two namespaces are two', () => {
    const changes = createClusterChanges(null);
    const [here, there] = [controller({ version: 'v1' }), { ...controller({ version: 'v2' }), namespace: 'tenant' }];
    expect([...changes.controllers([here, there]), ...changes.controllers([here, there])]).toEqual([]);
  });
});

describe('Kubernetes', () => {
  it.each<readonly [string, readonly (string | null)[], readonly string[]]>([
    ['known for the first time', ['v1.33.6'], []],
    ['another version', ['v1.33.6', 'v1.34.3'], ['v1.33.6 to v1.34.3']],
    ['not told for once', ['v1.33.6', null, 'v1.33.6'], []],
  ])('%s', (_name, versions, expected) => {
    const changes = createClusterChanges(null);
    const facts = versions.flatMap((version) => changes.kubernetes(version));
    expect(facts.map((fact) => (fact.type === 'kubernetes-version' ? `${fact.from} to ${fact.to}` : ''))).toEqual(
      expected,
    );
  });
});
