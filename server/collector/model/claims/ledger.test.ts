import { expect, it } from 'vitest';
import { commitOf } from '#lib/domain/observation/revision.ts';
import { minute } from '#lib/domain/time/length.ts';
import { observedEvent } from '../../reconcilers/testing.ts';
import { startBed, type Bed } from '../testing/bed.ts';
import { kinds, kustomizationSpec, offering, passedWell, ready, revision, rfc3339 } from '../testing/objects.ts';

const [one, two] = [revision('1'), revision('2')];

function all<K extends 'corrections' | 'earlier' | 'arrivals'>(bed: Bed, part: K) {
  return bed.batches.flatMap((batch) => [...batch[part]]);
}

function pass(bed: Bed, applied: string): void {
  const at = bed.clock.now();
  bed.write(
    kinds.kustomization,
    bed.object(kinds.kustomization, 'app', { spec: kustomizationSpec('control'), status: passedWell(at, applied) }),
  );
  bed.pass(1_000);
}

function opened(applied: string, bed = startBed()): Bed {
  const at = bed.clock.now();
  bed.open([
    [kinds.gitRepository, bed.object(kinds.gitRepository, 'control', offering(at, applied))],
    [
      kinds.kustomization,
      bed.object(kinds.kustomization, 'app', { spec: kustomizationSpec('control'), status: passedWell(at, applied) }),
    ],
  ]);
  return bed;
}

function receiveDrift(bed: Bed, uid: string, count = 1, at = bed.clock.now()): void {
  const about = { group: kinds.kustomization.group, kind: 'Kustomization', namespace: 'flux-system', name: 'app' };
  const event = observedEvent({
    uid,
    about,
    count,
    reason: 'Progressing',
    message: 'ConfigMap/apps/x configured',
    lastAt: at - 500,
  });
  bed.model.take({ type: 'event', at: bed.clock.now(), event });
}

it('a correction is told once, with the record that remembers what it was found by', () => {
  const bed = opened(one);
  bed.pass(10 * minute);
  receiveDrift(bed, 'e1');
  pass(bed, one);
  expect(all(bed, 'corrections')).toMatchObject([
    { ref: { name: 'app' }, correction: { said: 'ConfigMap/apps/x configured', certainty: 'confirmed', count: 1 } },
  ]);
  const batch = bed.batches.find(({ corrections }) => corrections.length > 0);
  expect(batch?.objects.map(({ object }) => object.ref.name)).toContain('app');
});

it('corrections of a fight are told each by itself; a restart tells none of them again', () => {
  const bed = opened(one);
  let last = 0;
  for (let round = 0; round < 5; round += 1) {
    bed.pass(10 * minute);
    last = bed.clock.now();
    receiveDrift(bed, 'e1', round + 1);
    pass(bed, one);
  }
  const reported = all(bed, 'corrections').map(({ correction }) => [correction.certainty, correction.count]);
  expect(reported).toEqual([
    ['confirmed', 1],
    ['confirmed', 1],
    ['contested', 1],
    ['contested', 1],
    ['contested', 1],
  ]);
  const again = opened(one, startBed(bed.stored(), bed.clock.now() + minute));
  receiveDrift(again, 'e1', 5, last);
  pass(again, one);
  expect(all(again, 'corrections')).toEqual([]);
});

it('what Flux told of before is told at the first sight of an object, and never again', () => {
  const bed = startBed();
  const at = bed.clock.now();
  const entry = (status: string, from: number, to: number) => ({
    digest: 'sha256:1',
    firstReconciled: rfc3339(at - from * minute),
    lastReconciled: rfc3339(at - to * minute),
    lastReconciledStatus: status,
    totalReconciliations: 3,
    metadata: { revision: one },
  });
  const status = {
    conditions: [ready('False', 'HealthCheckFailed', at)],
    observedGeneration: 1,
    history: [entry('HealthCheckFailed', 30, 5), entry('ReconciliationSucceeded', 90, 40), entry('Unknown', 99, 95)],
  };
  bed.open([
    [kinds.kustomization, bed.object(kinds.kustomization, 'app', { spec: kustomizationSpec('control'), status })],
  ]);
  expect(all(bed, 'earlier')).toEqual([
    {
      ref: bed.at('app').ref,
      uid: 'uid-app',
      from: at - 30 * minute,
      to: at - 5 * minute,
      good: false,
      status: 'HealthCheckFailed',
      revision: one,
    },
    {
      ref: bed.at('app').ref,
      uid: 'uid-app',
      from: at - 90 * minute,
      to: at - 40 * minute,
      good: true,
      status: 'ReconciliationSucceeded',
      revision: one,
    },
  ]);
  bed.pass(10 * minute);
  pass(bed, one);
  const again = opened(one, startBed(bed.stored(), bed.clock.now() + minute));
  expect([...all(bed, 'earlier').slice(2), ...all(again, 'earlier')]).toEqual([]);
});

it('an applier arrives when it is converged at another commit than before, also after it had failed at it, and not when it is met', () => {
  const bed = opened(one);
  bed.pass(minute);
  expect(all(bed, 'arrivals')).toEqual([]);
  pass(bed, two);
  const commit = commitOf(two, 'GitRepository');
  expect(all(bed, 'arrivals')).toMatchObject([{ ref: { name: 'app' }, commit }]);
  pass(bed, two);
  const again = opened(two, startBed(bed.stored(), bed.clock.now() + minute));
  again.pass(minute);
  expect([...all(bed, 'arrivals').slice(1), ...all(again, 'arrivals')]).toEqual([]);
});
