import { expect, it } from 'vitest';
import { holdsFile, holdsPath } from './build-path.ts';

it.each([
  [['apps'], 'apps/eu/k.yaml', true],
  [['apps'], 'apps-of-others/k.yaml', true],
  [['apps/'], 'apps-of-others/k.yaml', false],
  [['apps/eu'], 'apps/k.yaml', false],
  [['apps/eu'], 'README.md', false],
  [['base', 'apps'], 'apps/k.yaml', true],
  [['/apps'], 'apps/k.yaml', false],
  [[''], 'README.md', true],
  [['b', 'a', 'a/b', 'c'], 'a/c/k.yaml', true],
  [['a/b', 'a/d', 'b'], 'a/c/k.yaml', false],
  [['a', 'a-b', 'a/b'], 'a.c', true],
  [[], 'a', false],
])('a source of %j holds %s: %s', (sparse, file, holds) => {
  expect(holdsFile(sparse, file)).toBe(holds);
});

it.each([
  [[], './anything', true],
  [['apps'], './apps/eu/', true],
  [['apps/eu'], 'apps/eu', true],
  [['apps/eu/'], 'apps/eu', true],
  [['apps/eu'], 'apps', false],
  [['apps/eu'], './', false],
  [[''], './', true],
  [null, 'apps', false],
])('a source of %j is known to hold all beneath %s: %s', (sparse, path, holds) => {
  expect(holdsPath({ sparse }, path)).toBe(holds);
});
