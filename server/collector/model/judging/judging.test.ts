import { expect, it } from 'vitest';
import { startBed } from '../testing/bed.ts';
import { deliveredBy, kinds, kustomizationSpec, offering, passedWell, ready, revision } from '../testing/objects.ts';

const { kustomization, gitRepository } = kinds;

it('a failure goes through to the last of a long chain of deliveries, and so does its end', () => {
  const bed = startBed();
  const names = Array.from({ length: 12 }, (_, index) => `k${index}`);
  const app = (index: number, status: object = {}) =>
    bed.object(kustomization, `k${index}`, {
      ...(index === 0 ? {} : { labels: deliveredBy(`k${index - 1}`) }),
      spec: kustomizationSpec('control'),
      status: { ...passedWell(bed.clock.now() - 1_000, revision('a')), ...status },
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
