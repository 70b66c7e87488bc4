import { expect, it } from 'vitest';
import type { CurrentController } from '#lib/domain/record/current.ts';
import { knownCluster } from '../testing/moment.ts';
import { sampleCluster, sampleNow } from '../testing/sample.ts';
import { wireCluster } from './wire-cluster.ts';

const moves: CurrentController = {
  namespace: 'flux-system',
  name: 'kustomize-controller',
  lease: 'kustomize-controller',
  state: 'alive',
  lastMovedAt: sampleNow,
  durationSeconds: 15,
  holder: null,
  transitions: 3,
  version: 'v1.9.4',
  deployment: 'available',
  objects: 2,
};

it.each<[CurrentController['state'], CurrentController['deployment'], 'live' | 'unreachable', number, string, string]>([
  ['alive', 'unknown', 'live', sampleNow, 'alive', 'unknown'],
  ['alive', 'unknown', 'live', 0, 'unknown', 'unknown'],
  ['alive', 'available', 'live', 0, 'alive', 'available'],
  ['dead', 'unknown', 'live', 0, 'dead', 'unknown'],
  ['alive', 'available', 'unreachable', sampleNow, 'unknown', 'unknown'],
  ['dead', 'available', 'unreachable', sampleNow, 'unknown', 'unknown'],
])('a controller: %s, %s, on a cluster that is %s, moved at %i', (state, deployment, seen, lastMovedAt, ...said) => {
  const cluster = knownCluster('eu-west-3', []);
  const known = { ...cluster, known: { ...cluster.known, state: seen } };
  const controller = { ...moves, state, deployment, lastMovedAt };
  const { controllers } = wireCluster(known, sampleCluster('eu-west-3', { controllers: [controller] }), sampleNow);
  const [saidState, saidDeployment] = said;
  expect(controllers).toEqual([
    { ...moves, state: saidState, deployment: saidDeployment, lastMovedAt: new Date(lastMovedAt).toISOString() },
  ]);
});

it('a cluster that says more of who is called than is kept has a caution', () => {
  const known = { ...knownCluster('eu-west-3', []), alarming: { facts: [], cut: ['notification-provider'] as const } };
  expect(wireCluster(known, sampleCluster('eu-west-3'), sampleNow).cautions).toEqual([
    'Not every Provider is read: at most 500 objects of a kind, 8 KB of one and 64 KB of a cluster are kept. What is left out is not called missing, and nobody is said to be untold by it.',
  ]);
});
