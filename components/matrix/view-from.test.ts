import { expect, it } from 'vitest';
import { FleetView } from '#lib/api/fleet.ts';
import { viewFrom } from './view-from.ts';

const usual = FleetView.parse({});

it.each([
  [{ columns: '\0' }, {}],
  [{ label: '\uFFFD' }, {}],
  [{ verdict: 'good' }, {}],
  [{ sort: 'random' }, {}],
  [
    { sort: 'name', columns: 'nothing', namespace: 'flux-system' },
    { sort: 'name', namespace: 'flux-system' },
  ],
  [{ columns: ['kind', 'group'], view: 'wall', __proto__: 'x' }, {}],
])('takes of the address %j what can be read, and the rest as usual', (params, view) => {
  expect(viewFrom(params)).toEqual({ ...usual, ...view });
});
