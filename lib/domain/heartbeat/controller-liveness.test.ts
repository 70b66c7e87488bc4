// Every combination of what a controller's lease and its Deployment can show, as a table. See docs/design/heartbeats.md.
import { describe, expect, it } from 'vitest';
import { controllerLiveness, type ControllerSigns, type LeaseState } from './controller-liveness.ts';

const deployments: readonly ControllerSigns['deployment'][] = [
  'available',
  'unavailable',
  'scaled-to-zero',
  'unknown',
  'doubted',
];

function row(lease: LeaseState, elects: boolean | null): string {
  return deployments
    .map((deployment) => {
      const { state, sign } = controllerLiveness({ lease, deployment, elects });
      return `${state} (${sign})`;
    })
    .join(' | ');
}

describe('whether a controller lives, by its lease (rows) and its Deployment (columns)', () => {
  it.each<[LeaseState, boolean | null, string]>([
    // lease, elects a leader: available | unavailable | scaled to zero | unknown | available, by a doubted status
    [
      'moving',
      true,
      'alive (lease-moves) | alive (lease-moves) | alive (lease-moves) | alive (lease-moves) | alive (lease-moves)',
    ],
    [
      'late',
      true,
      'alive (lease-moves) | dead (no-pod) | dead (scaled-to-zero) | alive (lease-moves) | alive (lease-moves)',
    ],
    ['stood', true, 'dead (stuck) | dead (no-pod) | dead (scaled-to-zero) | dead (lease-stands) | dead (lease-stands)'],
    [
      'unmoved',
      true,
      'unknown (lease-unmoved) | dead (no-pod) | dead (scaled-to-zero) | unknown (lease-unmoved) | unknown (lease-unmoved)',
    ],
    [
      'never',
      true,
      'dead (stuck) | dead (no-pod) | dead (scaled-to-zero) | unknown (lease-unmoved) | unknown (lease-unmoved)',
    ],
    [
      'none',
      true,
      'alive (pod-available) | dead (no-pod) | dead (scaled-to-zero) | unknown (not-known) | unknown (pod-doubted)',
    ],
    [
      'moving',
      null,
      'alive (lease-moves) | alive (lease-moves) | alive (lease-moves) | alive (lease-moves) | alive (lease-moves)',
    ],
    [
      'late',
      null,
      'alive (lease-moves) | dead (no-pod) | dead (scaled-to-zero) | alive (lease-moves) | alive (lease-moves)',
    ],
    ['stood', null, 'dead (stuck) | dead (no-pod) | dead (scaled-to-zero) | dead (lease-stands) | dead (lease-stands)'],
    [
      'unmoved',
      null,
      'unknown (lease-unmoved) | dead (no-pod) | dead (scaled-to-zero) | unknown (lease-unmoved) | unknown (lease-unmoved)',
    ],
    [
      'never',
      null,
      'unknown (lease-unmoved) | dead (no-pod) | dead (scaled-to-zero) | unknown (lease-unmoved) | unknown (lease-unmoved)',
    ],
    [
      'none',
      null,
      'alive (pod-available) | dead (no-pod) | dead (scaled-to-zero) | unknown (not-known) | unknown (pod-doubted)',
    ],
    // Without leader election a lease that does not move was left behind, and its Deployment is all there is.
    [
      'moving',
      false,
      'alive (lease-moves) | alive (lease-moves) | alive (lease-moves) | alive (lease-moves) | alive (lease-moves)',
    ],
    [
      'late',
      false,
      'alive (pod-available) | dead (no-pod) | dead (scaled-to-zero) | alive (lease-moves) | unknown (pod-doubted)',
    ],
    [
      'stood',
      false,
      'alive (pod-available) | dead (no-pod) | dead (scaled-to-zero) | dead (lease-stands) | unknown (pod-doubted)',
    ],
    [
      'unmoved',
      false,
      'alive (pod-available) | dead (no-pod) | dead (scaled-to-zero) | unknown (lease-unmoved) | unknown (pod-doubted)',
    ],
    [
      'never',
      false,
      'alive (pod-available) | dead (no-pod) | dead (scaled-to-zero) | unknown (lease-unmoved) | unknown (pod-doubted)',
    ],
    [
      'none',
      false,
      'alive (pod-available) | dead (no-pod) | dead (scaled-to-zero) | unknown (not-known) | unknown (pod-doubted)',
    ],
  ])('lease %s, elects %s: %s', (lease, elects, expected) => {
    expect(row(lease, elects)).toBe(expected);
  });
});
