import { expect, it } from 'vitest';
import { hour, minute, second } from '../domain/time/length.ts';
import { measures, writeAmount, writeLength } from './write-figure.ts';

it('less is better of every figure but these', () => {
  const others = Object.entries(measures).filter(([, { better }]) => better !== 'lower');
  expect(others.map(([name, { better }]) => `${name}: ${better}`)).toEqual([
    'fleetObserved: neither',
    'neverAway: neither',
    'converged: higher',
    'observed: higher',
    'objects: neither',
    'declared: neither',
    'called: neither',
    'calledInTime: neither',
    'calls: neither',
    'openAtStart: neither',
    'closed: neither',
    'closedFromBefore: neither',
    'gone: neither',
    'convergeLongest: neither',
    'absencesOpenAtStart: neither',
    'absencesClosed: neither',
    'absencesClosedFromBefore: neither',
    'absencesGone: neither',
    'arrived: neither',
    'exemptionsClosed: higher',
    'resumed: neither',
  ]);
});

it.each([
  [null, 'none'],
  [1, 'under 1 s'],
  [999, 'under 1 s'],
  [second, '1 s'],
  [59 * second, '59 s'],
  [minute, '1 min'],
  [minute + 10 * second, '1 min 10 s'],
  [hour - second, '59 min 59 s'],
  [hour, '1 h'],
  [hour + 10 * second, '1 h'],
])('of many lengths one of %s ms reads "%s"', (ms, text) => {
  expect(writeLength(ms)).toBe(text);
});

it.each([
  [0, 'none'],
  [1, 'under 1 s'],
  [999, 'under 1 s'],
  [second, '1 s'],
])('an amount of %s ms reads "%s"', (ms, text) => {
  expect(writeAmount(ms)).toBe(text);
});
