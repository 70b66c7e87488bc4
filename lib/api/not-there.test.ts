import { expect, it } from 'vitest';
import { notThereAnswer, notThereSentence, type WireNotThere } from './not-there.ts';

const none = (parameter: WireNotThere['parameter'], on?: string): WireNotThere => ({
  parameter,
  value: 'x',
  nearest: [],
  ...(on === undefined ? {} : { on }),
});

it.each([
  ['cluster', 'There is no cluster x.'],
  ['label', 'No cluster has the label x.'],
] as const)('a %s that is not there, wherever it was looked for', (parameter, sentence) => {
  expect([notThereSentence([none(parameter)]), notThereSentence([none(parameter, 'c1')])]).toEqual([
    sentence,
    sentence,
  ]);
});

it.each([
  ['reconciler', 'No object of reconciler x is known'],
  ['group', 'No object of API group x is known'],
  ['kind', 'No object of kind x is known'],
  ['namespace', 'No object in namespace x is known'],
  ['name', 'No object named x is known'],
  ['by', 'No manager named x is known'],
] as const)('a %s that is not there', (parameter, words) => {
  expect(notThereSentence([none(parameter)])).toBe(`${words}.`);
  expect(notThereSentence([none(parameter, 'c1')])).toBe(`${words} on c1.`);
});

it('several are told one after the other, with what may have been meant', () => {
  const names = [none('cluster'), { ...none('kind'), nearest: ['y', 'z'] }];
  expect(notThereSentence(names)).toBe('There is no cluster x. No object of kind x is known.');
  expect(notThereAnswer(names)).toBe('There is no cluster x. No object of kind x is known. Nearest: y, z.');
});
