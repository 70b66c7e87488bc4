import { describe, expect, it } from 'vitest';
import { wireStep } from '../../testing/wire-incident.ts';
import { stepLines } from './step-lines.ts';

const words = (steps: Parameters<typeof stepLines>[0]) => stepLines(steps).map((line) => line.words);

describe('the steps of an incident in lines', () => {
  it('tells each turn, and growing again and again once', () => {
    expect(
      words([
        wireStep('opened', 47, 1),
        wireStep('grown', 46, 3),
        wireStep('grown', 45, 9),
        wireStep('recognised', 44, 9, { title: 'kustomize-controller on stg-edge' }),
        wireStep('changed', 43, 9, { worst: 'stale', reason: 'ControllerDead' }),
        wireStep('shrunk', 40, 2),
        wireStep('closed', 38, 0),
        wireStep('reopened', 36, 1),
        wireStep('shrunk', 35, 0),
        wireStep('closed', 34, 0, { ended: 'removed' }),
      ]),
    ).toEqual([
      'Noticed: Kustomization flux-system/checkout on eu-west-3',
      'Grew by 8 objects, in 2 steps',
      'Its cause was recognised: kustomize-controller on stg-edge',
      'Worst: stale, ControllerDead',
      'Shrank by 7 objects',
      'Over: all converged',
      'Came back',
      'The last were back',
      'Over: the last object was removed from its cluster',
    ]);
  });

  it('goes from the first to the last of what it folds, with the reach after it', () => {
    const [, line] = stepLines([wireStep('opened', 47, 1), wireStep('grown', 46, 3), wireStep('grown', 41, 9)]);
    expect(line).toMatchObject({ from: wireStep('grown', 46, 3).at, to: wireStep('grown', 41, 9).at, objects: 9 });
  });

  it('does not say by how much it grew where what was before is not listed, nor of clusters alone', () => {
    expect(words([wireStep('grown', 46, 3)])).toEqual(['Grew']);
    expect(words([wireStep('opened', 47, 3), wireStep('grown', 46, 3, { clusters: 2 })])[1]).toBe('Grew');
  });

  it('of one that turned out to be part of another ends there', () => {
    expect(words([wireStep('opened', 47, 1), wireStep('merged', 45, 0)])[1]).toBe(
      'Turned out to be one with another incident',
    );
  });
});
