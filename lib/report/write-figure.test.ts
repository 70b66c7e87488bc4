import { expect, it } from 'vitest';
import { measures } from './write-figure.ts';

it('less is better of every figure but these', () => {
  const others = Object.entries(measures).filter(([, { better }]) => better !== 'lower');
  expect(others.map(([name, { better }]) => `${name}: ${better}`)).toEqual([
    'fleetObserved: neither',
    'neverAway: neither',
    'converged: higher',
    'observed: higher',
    'objects: neither',
    'declared: neither',
    'openAtStart: neither',
    'closed: neither',
    'closedFromBefore: neither',
    'gone: neither',
    'arrived: neither',
    'exemptionsClosed: higher',
    'resumed: neither',
  ]);
});
