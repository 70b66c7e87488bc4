import { describe, expect, it } from 'vitest';
import { emptyObservation, type Observation } from '#lib/domain/observation/observation.ts';
import { recordedObjects } from '#test/fixtures/recorded.ts';
import { outline } from '#test/outline.ts';
import { adapters } from './registry.ts';
import { observed } from './testing.ts';

const categories: { readonly [folder: string]: readonly string[] } = {
  clusternopresource: ['crossplane', 'managed', 'nop'],
  nopresource: ['crossplane', 'managed', 'nop'],
  bucket: ['composite'],
};

/** All that an object says of itself: what is as in every other one is left out, and its conditions, which stand there verbatim. */
function said({ conditions: _verbatim, ...observation }: Observation): object {
  const nothing = new Map(Object.entries(emptyObservation).map(([field, value]) => [field, JSON.stringify(value)]));
  return Object.fromEntries(
    Object.entries(observation).filter(([field, value]) => JSON.stringify(value) !== nothing.get(field)),
  );
}

// A change that is meant is written with `vitest run -u` and read in the diff.
describe('what is read of objects that real controllers wrote is what is kept', () => {
  const folders = Map.groupBy(recordedObjects(), ({ file }) => file.split('/')[0] ?? '');

  it.each([...folders])('%s', async (folder, files) => {
    const read = files.map(({ file, object, receivedAt }) => [
      file.slice(folder.length + 1),
      said(observed(object, categories[folder], receivedAt)),
    ]);
    const kept = `../../../test/fixtures/kept/readings/${folder}.txt`;
    await expect(outline(Object.fromEntries(read), { once: true })).toMatchFileSnapshot(kept);
  });
});

it('the register is what is kept: kinds with their plurals, categories, controllers with their Leases, and why a kind is not judged', async () => {
  const register = adapters.map(({ reconciler, kinds, unjudged, unjudgedBy, categories: by, controllers }) => [
    reconciler,
    { kinds, unjudged, unjudgedBy, categories: by, controllers },
  ]);
  const kept = '../../../test/fixtures/kept/readings/register.txt';
  await expect(outline(Object.fromEntries(register), { once: false })).toMatchFileSnapshot(kept);
});
