import { expect, it } from 'vitest';
import { startBed } from '../testing/bed.ts';
import {
  deliveredBy,
  kinds,
  kustomizationSpec,
  listing,
  offering,
  passedWell,
  ready,
  revision,
} from '../testing/objects.ts';

const { kustomization, gitRepository, terraform } = kinds;

it('a failure goes through to the last of a long chain of deliveries, and so does its end', () => {
  const bed = startBed();
  const names = Array.from({ length: 12 }, (_, index) => `k${index}`);
  const app = (index: number, status: object = {}) =>
    bed.object(kustomization, `k${index}`, {
      ...(index === 0 ? {} : { labels: deliveredBy(`k${index - 1}`) }),
      spec: kustomizationSpec('control'),
      status: {
        ...passedWell(bed.clock.now() - 1_000, revision('a')),
        ...listing(`flux-system_k${index + 1}_kustomize.toolkit.fluxcd.io_Kustomization`),
        ...status,
      },
    });
  bed.open([
    [gitRepository, bed.object(gitRepository, 'control', offering(bed.clock.now() - 60_000, revision('a')))],
    [kustomization, ...names.map((_, index) => app(index))],
  ]);
  const verdicts = () => names.map((name) => bed.at(name).verdict);
  expect(verdicts()).toEqual(names.map(() => 'converged'));
  bed.write(kustomization, app(0, { conditions: [ready('False', 'BuildFailed', bed.clock.now())] }));
  bed.pass(1_000);
  expect(verdicts()).toEqual(names.map((_, index) => (index === 0 ? 'diverged' : 'unconfirmed')));
  bed.write(kustomization, app(0));
  bed.pass(1_000);
  expect(verdicts()).toEqual(names.map(() => 'converged'));
  bed.model.stop();
});

it.each<readonly [string, object, object]>([
  ['nothing', {}, { suspended: null, deletedAt: null }],
  [
    'a suspension',
    { spec: kustomizationSpec('control', { suspend: true }) },
    { suspended: { field: 'spec.suspend' }, deletedAt: null },
  ],
  [
    'a deletion',
    { deletedAt: Date.UTC(2026, 10, 21, 2, 0, 0) },
    { suspended: null, deletedAt: Date.UTC(2026, 10, 21, 2, 0, 0) },
  ],
])('of %s in the middle of a pass the detail tells at once, beside what rested before', (_what, part, expected) => {
  const bed = startBed();
  const app = (status: object, own: object = {}) =>
    bed.object(kustomization, 'app', { spec: kustomizationSpec('control'), status, ...own });
  const good = passedWell(bed.clock.now() - 1_000, revision('a'));
  bed.open([
    [gitRepository, bed.object(gitRepository, 'control', offering(bed.clock.now() - 60_000, revision('a')))],
    [kustomization, app(good)],
  ]);
  const conditions = [ready('Unknown', 'Progressing', bed.clock.now())];
  bed.write(kustomization, app({ ...good, conditions }, { generation: 2, ...part }));
  bed.pass(20_000);
  expect(bed.recorded('app').detail.observation).toMatchObject({ summary: { said: 'good' }, ...expected });
  bed.model.stop();
});

it.each<readonly [string, string, true | undefined]>([
  ['what was applied is known to have come later', 'a', true],
  ['what could not be applied is not', 'b', undefined],
])('a record of drift from %s', (_what, attempted, driftedLater) => {
  const bed = startBed();
  const conditions = [ready('False', 'DriftDetected', bed.clock.now() - 1_000)];
  const revisions = { lastAppliedRevision: revision('a'), lastAttemptedRevision: revision(attempted) };
  const spec = { ...kustomizationSpec('control'), approvePlan: '' };
  bed.open([
    [gitRepository, bed.object(gitRepository, 'control', offering(bed.clock.now() - 60_000, revision(attempted)))],
    [terraform, bed.object(terraform, 'vpc', { spec, status: { conditions, ...revisions } })],
  ]);
  expect([bed.at('vpc').drift, bed.at('vpc').driftedLater]).toEqual(['found', driftedLater]);
  bed.model.stop();
});
