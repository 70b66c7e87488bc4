import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { showPage } from '../../testing/show-page.tsx';
import { wireObject } from '../../testing/wire-object.ts';
import { runsOf, whatText } from './object-row.tsx';

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

const [applied, newer] = [`main@sha1:${'a'.repeat(40)}`, `main@sha1:${'b'.repeat(40)}`];

it.each([
  ['the newest', { commit: 'a'.repeat(40), revision: { applied, attempted: applied, offered: applied } }, ''],
  ['another than is offered', { commit: 'a'.repeat(40), commitDiffers: 'yes' }, 'aaaaaaa'],
  [
    'nobody knows whether the newest',
    { commit: 'a'.repeat(40), commitDiffers: 'unknown', revision: { applied, attempted: applied, offered: null } },
    'aaaaaaa?, what its source offers is not read',
  ],
  [
    'no commit, and nobody knows whether the newest',
    {
      commit: null,
      commitDiffers: 'unknown',
      revision: { applied: 'v1.2.3', attempted: 'v1.2.3', offered: null },
    },
    'v1.2.3?, what its source offers is not read',
  ],
  [
    'no commit, and another',
    { commit: null, revision: { applied, attempted: applied, offered: newer } },
    'main@aaaaaaa',
  ],
  ['nothing yet', { commit: null, revision: { applied: null, attempted: null, offered: newer } }, ''],
] as const)('runs %s', (_name, part, words) => {
  showPage(<p data-testid="runs">{runsOf(wireObject(part))}</p>);
  expect(screen.getByTestId('runs').textContent).toBe(words);
});
