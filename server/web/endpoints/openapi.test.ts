import { expect, it } from 'vitest';
import { outline } from '#test/outline.ts';
import { apiDocument } from './answer-api.ts';

// Scripts and generated clients are made from this document. A change that is meant is written with `vitest run -u` and read in the diff.
it('the API is the one that is kept: each path, parameter, bound, default, value and description', async () => {
  const kept = '../../../test/fixtures/kept/openapi.txt';
  await expect(outline(apiDocument(), { once: true })).toMatchFileSnapshot(kept);
});
