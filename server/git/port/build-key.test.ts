import { expect, it } from 'vitest';
import type { BuildPath } from '#lib/domain/commit/build-path.ts';
import { buildKey, rulesKey } from './build-key.ts';

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

it('is short, however much is said beside a path', () => {
  const words = (letter: string): readonly string[] =>
    Array.from({ length: 256 }, (_, n) => `${letter.repeat(900)}${n}`);
  const build = { path: 'apps', components: [], ignore: '' };
  const all: readonly BuildPath[] = [
    { ...build, sparse: words('a') },
    { ...build, sparse: words('b') },
    { ...build, components: words('a') },
    { ...build, components: words('b') },
    { ...build, components: words('a'), sparse: words('a') },
  ];
  const keys = all.map(buildKey);
  expect(new Set(keys).size).toBe(all.length);
  expect(Math.max(...keys.map(({ length }) => length))).toBeLessThan(200);
  expect(buildKey({ ...build, sparse: words('a') })).toBe(keys[0]);
  for (const key of keys) expect(keys).not.toContain(buildKey(key));
  expect(rulesKey({ ignore: '', sparse: words('a') })).toBe(rulesKey({ ignore: '', sparse: words('a') }));
  expect(rulesKey({ ignore: '', sparse: words('a') })).not.toBe(rulesKey({ ignore: '', sparse: words('b') }));
});
