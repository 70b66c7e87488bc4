import { expect, it } from 'vitest';
import { isLivenessKind } from './liveness-kinds.ts';

it.each([
  ['', 'Event', true],
  ['events.k8s.io', 'Event', true],
  ['coordination.k8s.io', 'Lease', true],
  ['apps', 'Deployment', true],
  ['apps', 'StatefulSet', true],
  ['', 'ConfigMap', true],
  ['apps', 'Event', false],
  ['notification.toolkit.fluxcd.io', 'Alert', false],
])('%s/%s is read for signs of life: %s', (group, kind, expected) => {
  expect(isLivenessKind({ group, kind })).toBe(expected);
});
