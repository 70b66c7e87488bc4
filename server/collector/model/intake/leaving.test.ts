// Objects of a cluster that are gone all at once: others have their turns between, and nothing is vouched for by half of it.
import { expect, it } from 'vitest';
import { refKey } from '#lib/domain/observation/ref.ts';
import { startBed, type Bed } from '../testing/bed.ts';
import { kinds, kustomizationSpec, offering, passedWell, ready, revision } from '../testing/objects.ts';

const { kustomization, gitRepository } = kinds;
const many = 2_600;
/** No more are written of one kind at once. */
const atOnce = 500;

const app = (bed: Bed, name: string, part: object = {}) =>
  bed.object(kustomization, name, {
    spec: kustomizationSpec('control'),
    status: passedWell(bed.clock.now() - 1_000, revision('a')),
    ...part,
  });
const source = (bed: Bed) => bed.object(gitRepository, 'control', offering(bed.clock.now() - 60_000, revision('a')));

/** A bed of so many Kustomizations, all judged. */
function full(): Bed {
  const bed = startBed();
  const names = Array.from({ length: many }, (_, number) => `app-${number}`);
  bed.open([
    [gitRepository, source(bed)],
    [kustomization, ...names.map((name) => app(bed, name))],
  ]);
  bed.pass(10_000);
  expect([bed.model.size(), bed.model.inStep()]).toEqual([many + 1, true]);
  return bed;
}

/** Batches of a bed since so many of them: how many left in each, and whether it vouched for the whole. */
const toldSince = (bed: Bed, from: number) =>
  bed.batches.slice(from).map(({ removed, cluster }) => ({ gone: removed.length, vouched: cluster !== null }));

it.each<readonly [string, (bed: Bed) => void]>([
  ['a list that names nobody', (bed) => bed.list(kustomization)],
  ['a kind that is served no longer', (bed) => bed.feed(kustomization, { state: 'absent' })],
])(
  'with %s they leave in steps with turns between, and the cluster is vouched for once all are gone',
  (_what, leave) => {
    const bed = full();
    const before = bed.batches.length;
    leave(bed);
    expect([bed.model.size(), bed.model.isEmpty(kustomization), bed.model.inStep()]).toEqual([1, true, false]);
    bed.clock.advance(16);
    expect(toldSince(bed, before)).toEqual(Array.from({ length: 2 }, () => ({ gone: atOnce, vouched: false })));
    bed.clock.advance(200);
    expect(bed.model.inStep()).toBe(true);
    bed.pass(60_000);
    const told = toldSince(bed, before);
    expect(Math.max(...told.map(({ gone }) => gone))).toBe(atOnce);
    expect(told.reduce((sum, { gone }) => sum + gone, 0)).toBe(many);
    expect(told.findIndex(({ vouched }) => vouched)).toBeGreaterThan(told.findLastIndex(({ gone }) => gone > 0));
    bed.model.stop();
  },
);

it('who comes again meanwhile is another than who left, and stays', () => {
  const bed = full();
  bed.list(kustomization);
  bed.clock.advance(15);
  const last = `app-${many - 1}`;
  bed.write(
    kustomization,
    app(bed, last, { status: { conditions: [ready('False', 'BuildFailed', bed.clock.now())] } }),
  );
  bed.clock.advance(200);
  bed.pass(1_000);
  expect(bed.verdicts(last)).toEqual(['converged', null, 'diverged']);
  expect(
    bed
      .stored()
      .objects.map(({ object }) => object.ref.name)
      .toSorted(),
  ).toEqual([last, 'control']);
  bed.model.stop();
});

it('a second list meanwhile that names them again leaves those of it alone', () => {
  const bed = full();
  bed.list(kustomization);
  bed.clock.advance(15);
  bed.list(kustomization, app(bed, 'app-0'), app(bed, `app-${many - 1}`));
  bed.clock.advance(200);
  bed.pass(1_000);
  const names = bed.stored().objects.map(({ object }) => object.ref.name);
  expect(names.toSorted()).toEqual(['app-0', `app-${many - 1}`, 'control']);
  bed.model.stop();
});

it('a model that ends meanwhile vouches for nothing, and the next one finds the rest out', () => {
  const bed = full();
  const before = bed.batches.length;
  bed.list(kustomization);
  bed.clock.advance(15);
  bed.model.stop();
  const told = toldSince(bed, before);
  expect(told.some(({ vouched }) => vouched)).toBe(false);
  expect(bed.batches.slice(before).every(({ resume, coverage }) => resume.length + coverage.length === 0)).toBe(true);
  const stored = bed.stored();
  expect(stored.objects.length).toBe(many + 1 - told.reduce((sum, { gone }) => sum + gone, 0));
  const next = startBed(stored, bed.clock.now() + 1_000);
  next.open([[gitRepository, source(next)], [kustomization]]);
  next.pass(10_000);
  expect(next.stored().objects.map(({ object }) => refKey(object.ref))).toHaveLength(1);
  expect(next.model.inStep()).toBe(true);
  next.model.stop();
});

it('tells of each of them since when it may be gone, though the kind is lost from sight again before all are done', () => {
  const bed = full();
  const seen = bed.clock.now();
  bed.feed(kustomization, { state: 'failed', fault: { type: 'unreachable', message: 'gone' } });
  bed.pass(60_000);
  const before = bed.batches.length;
  bed.list(kustomization);
  bed.feed(kustomization, { state: 'failed', fault: { type: 'unreachable', message: 'gone' } });
  bed.clock.advance(200);
  bed.pass(1_000);
  const told = bed.batches.slice(before).flatMap(({ changes }) => changes);
  const deleted = told.filter(({ fact }) => fact.type === 'deleted');
  expect(deleted).toHaveLength(many);
  expect(Math.max(...deleted.map(({ notBefore }) => notBefore))).toBeLessThanOrEqual(seen);
  bed.model.stop();
});
