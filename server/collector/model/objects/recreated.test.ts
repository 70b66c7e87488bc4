import { expect, it } from 'vitest';
import { startBed } from '../testing/bed.ts';
import { kinds, ready } from '../testing/objects.ts';

it('an object that a list shows under another uid was removed and made anew: both are told, and the new one stays', () => {
  const bed = startBed();
  const part = { status: { conditions: [ready('True', 'ReconciliationSucceeded', bed.clock.now())] } };
  bed.open([[kinds.kustomization, bed.object(kinds.kustomization, 'a', { ...part, uid: 'first' })]]);
  bed.pass(1_000);
  bed.list(kinds.kustomization, bed.object(kinds.kustomization, 'a', { ...part, uid: 'second' }));
  bed.pass(1_000);
  expect(bed.stored().objects.map(({ object }) => object.uid)).toEqual(['second']);
  expect(bed.transitions('a').map(({ uid, to }) => [uid, to === null])).toEqual([
    ['first', false],
    ['first', true],
    ['second', false],
  ]);
});
