import { expect, it } from 'vitest';
import { meantWord } from './edit-distance.ts';

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
