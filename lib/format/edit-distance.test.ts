import { expect, it } from 'vitest';
import { editDistance, meantWord } from './edit-distance.ts';

it.each([
  ['cluster', 'clusters'],
  ['Clusters', 'clusters'],
  ['kubeconf', 'kubeconfig'],
  ['kubecofnig', 'kubeconfig'],
  ['uri', 'url'],
  ['nme', 'name'],
  ['xyz', null],
  ['', null],
  ['hast', 'host'],
  ['ab', null],
])('%s was meant to be %s', (word, meant) => {
  expect(meantWord(word, ['clusters', 'kubeconfig', 'url', 'name', 'host'])).toBe(meant);
});

it('looks at long words that begin alike as quickly as at others', () => {
  const begin = 'a'.repeat(247);
  const before = process.cpuUsage();
  for (let number = 100_000; number < 110_000; number += 1)
    expect(editDistance(`${begin}zzzzzz`, `${begin}${number}`, 3)).toBe(4);
  const { user, system } = process.cpuUsage(before);
  // Some 0.2 s; the whole table of each would take 6.
  expect((user + system) / 1e6).toBeLessThan(2);
});
