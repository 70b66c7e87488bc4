import { expect, it } from 'vitest';
import { type BuildPath, buildKey, holdsFile, holdsPath } from './build-path.ts';

it('has one key for equal builds, and others for all others, whatever a path is called', () => {
  const build = { path: 'apps', components: ['../tls'], ignore: null };
  const others: BuildPath[] = [
    'apps',
    { ...build, components: [] },
    { ...build, components: ['../tls', ''] },
    { ...build, ignore: '' },
    { ...build, ignore: '*.md' },
    { ...build, sparse: null },
    { ...build, sparse: [] },
    { ...build, sparse: ['apps'] },
    JSON.stringify(['apps', ['../tls'], null]),
    JSON.stringify(['apps']),
    JSON.stringify([JSON.stringify(['apps'])]),
  ];
  expect(buildKey({ ...build })).toBe(buildKey(build));
  expect(new Set([build, ...others].map(buildKey)).size).toBe(12);
});

it.each([
  [['apps'], 'apps/eu/k.yaml', true],
  [['apps'], 'apps-of-others/k.yaml', true],
  [['apps/'], 'apps-of-others/k.yaml', false],
  [['apps/eu'], 'apps/k.yaml', false],
  [['apps/eu'], 'README.md', false],
  [['base', 'apps'], 'apps/k.yaml', true],
  [['/apps'], 'apps/k.yaml', false],
  [[''], 'README.md', true],
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
