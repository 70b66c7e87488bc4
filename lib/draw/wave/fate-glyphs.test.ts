import { expect, it } from 'vitest';
import { fateGlyphs } from './fate-glyphs.ts';
import { waveStates } from './wave-cluster.ts';

it('every state of a commit has an outline of its own, told apart in black and white too', () => {
  const outlines = waveStates.map((state) => JSON.stringify(fateGlyphs[state]));
  expect(new Set(outlines).size).toBe(waveStates.length);
});
