import { expect, it } from 'vitest';
import { wireObject } from '../../testing/wire-object.ts';
import { whatText } from './object-row.tsx';

const sentence = 'The build of apps fails.';

it.each([
  ['in order', {}, ''],
  ['in order, not measured', { drift: 'not-measured' }, 'Drift is not measured.'],
  ['a source applies nothing', { drift: 'not-measured', role: 'source' }, ''],
  ['away', { verdict: 'diverged', sentence }, sentence],
  [
    'away, not measured',
    { verdict: 'diverged', sentence, drift: 'not-measured' },
    `${sentence} Drift is not measured.`,
  ],
  [
    'said already',
    { verdict: 'behind', sentence: 'Drift is not measured here.', drift: 'not-measured' },
    'Drift is not measured here.',
  ],
  ['nobody looks', { verdict: 'unobserved', sentence: 'Not seen.', drift: 'not-measured' }, 'Not seen.'],
] as const)('%s', (_name, part, words) => {
  expect(whatText(wireObject(part))).toBe(words);
});
