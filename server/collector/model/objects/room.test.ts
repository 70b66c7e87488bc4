import { afterEach, describe, expect, it } from 'vitest';
import { observed } from '#lib/domain/testing/observed.ts';
import { observedEvent } from '../../reconcilers/testing.ts';
import { startBed, type Bed } from '../testing/bed.ts';
import { kinds } from '../testing/objects.ts';
import { whyFull } from './room.ts';
import { weightOf } from './weight.ts';

const { kustomization, gitRepository, helmRelease } = kinds;
const budget = { objectsAtMost: 3, keptBytesAtMost: 20_000 };

it.each([
  [{ objects: 3, bytes: 20_000 }, null],
  [{ objects: 4, bytes: 0 }, 'it holds more than the 3 objects that are read of one cluster'],
  [{ objects: 0, bytes: 20_001 }, 'what its objects say is more than the 20 kB that are kept of one cluster'],
])('%j: %s', (load, why) => {
  expect(whyFull(load, budget)).toBe(why);
});

it('an object weighs more with every word that is kept of it', () => {
  const bare = observed({});
  const condition = {
    type: 'Ready',
    status: 'True',
    reason: 'R',
    lastTransitionTime: null,
    observedGeneration: null,
  } as const;
  const more = [
    { conditions: [{ ...condition, message: 'x'.repeat(500) }] },
    { inventory: ['x'.repeat(500)] },
    { finalizers: ['x'.repeat(500)] },
    { provides: ['x'.repeat(500)] },
    { inventory: Array.from({ length: 6 }, () => 'x') },
    { children: Array.from({ length: 5 }, () => bare.ref) },
    { dependsOn: [{ ...bare.ref, name: 'x'.repeat(250) }] },
    { path: 'x'.repeat(500) },
    { originUrl: 'x'.repeat(500) },
    { target: { url: 'x'.repeat(500), reference: '', floating: false } },
  ];
  for (const part of more)
    expect(weightOf({ ...bare, ...part }) - weightOf({ ...bare, conditions: [], inventory: [] })).toBeGreaterThan(400);
});

describe('a cluster', () => {
  let bed: Bed;
  afterEach(() => bed.model.stop());
  const four = ['a', 'b', 'c', 'd'];

  it('is full with more objects than its budget, of all kinds together, and is not where some go', () => {
    bed = startBed(null, undefined, undefined, undefined, true, budget);
    expect(bed.model.full(kustomization, true)).toBeNull();
    const objects = four.map((name) => bed.object(kustomization, name));
    bed.list(kustomization, ...objects);
    expect(bed.model.full(kustomization, false)).toMatch(/more than the 3 objects/);
    expect(bed.model.full(gitRepository, true)).toMatch(/more than the 3 objects/);
    for (const object of objects.slice(0, 1)) bed.remove(kustomization, object);
    expect(bed.model.full(kustomization, false)).toBeNull();
  });

  it('is full with what Events say of its objects, though nothing of them can be judged', () => {
    bed = startBed(null, undefined, undefined, undefined, true, { objectsAtMost: 3, keptBytesAtMost: 12_000 });
    bed.open([[helmRelease, bed.object(helmRelease, 'a')]]);
    bed.feed(helmRelease, { state: 'forbidden', fault: { type: 'forbidden', message: 'no' } });
    expect(bed.model.full(helmRelease, false)).toBeNull();
    for (let n = 1; n <= 100; n += 1) {
      const about = { group: helmRelease.group, kind: helmRelease.kind, namespace: 'flux-system', name: 'a' };
      const message = `${n} ${'x'.repeat(1_000)}`;
      const event = observedEvent({ uid: `e${n}`, about, reason: 'DriftCorrected', message, lastAt: bed.clock.now() });
      bed.model.take({ type: 'event', at: bed.clock.now(), event });
    }
    expect(bed.model.full(helmRelease, false)).toMatch(/more than the 12 kB/);
  });

  it('has room for a list of what it had before, and for one that is shorter', () => {
    bed = startBed(null, undefined, undefined, undefined, true, budget);
    bed.list(kustomization, ...four.map((name) => bed.object(kustomization, name)));
    const at = bed.clock.now();
    bed.model.take({ type: 'sync-start', at, kind: kustomization });
    for (const [index, name] of four.entries()) {
      expect(bed.model.full(kustomization, true), `${index} are named`).toBeNull();
      expect(bed.model.full(gitRepository, true)).not.toBeNull();
      bed.model.take({
        type: 'applied',
        at,
        kind: kustomization,
        initial: true,
        object: bed.object(kustomization, name),
      });
    }
    expect(bed.model.full(kustomization, true)).toMatch(/more than the 3 objects/);
  });

  it('is full with objects that say too much, as they say it now', () => {
    bed = startBed(null, undefined, undefined, undefined, true, budget);
    const wordy = (count: number): object => ({
      conditions: Array.from({ length: count }, (_, n) => ({
        type: `T${n}`,
        status: 'True',
        reason: 'R',
        message: 'x y'.repeat(300),
      })),
    });
    bed.list(kustomization, bed.object(kustomization, 'a'));
    expect(bed.model.full(kustomization, false)).toBeNull();
    bed.write(kustomization, bed.object(kustomization, 'a', { status: wordy(30) }));
    expect(bed.model.full(kustomization, false)).toMatch(/more than the 20 kB/);
    bed.write(kustomization, bed.object(kustomization, 'a', { status: wordy(1) }));
    expect(bed.model.full(kustomization, false)).toBeNull();
  });
});
